import type { Timestamp } from '../build/job.ts';

/** Git providers of the API (service.md 2.1). `manual` belongs to none. */
export const REPO_SERVICES = ['github', 'bitbucket', 'gitlab', 'stash', 'manual'] as const;
export type RepoService = (typeof REPO_SERVICES)[number];

/** What a repo's owner may set (service.md 2.1). */
export interface RepoSettings {
  readonly commentOnPullRequests: boolean;
  readonly sendBuildStatus: boolean;
  /** Minimum total, in percent from 0 to 100; null: none. */
  readonly minimum: number | null;
  /** Largest allowed drop, in percentage points from 0 to 100; null: none stated. */
  readonly allowedDrop: number | null;
  /** The default branch where nobody else says; undefined: the provider's, else `main`, `master` (rule 18). */
  readonly defaultBranch: string | undefined;
  /** Flags that are expected; undefined: learned from the base (rule 13). */
  readonly expectedFlags: readonly string[] | undefined;
  /** Milliseconds; undefined: the server's (rule 13). */
  readonly quietPeriod: number | undefined;
  /** Undefined: the provider's where known, else private (rule 30). */
  readonly visibility: 'private' | 'public' | undefined;
}

export const DEFAULT_REPO_SETTINGS: RepoSettings = {
  commentOnPullRequests: true,
  sendBuildStatus: true,
  minimum: null,
  allowedDrop: null,
  defaultBranch: undefined,
  expectedFlags: undefined,
  quietPeriod: undefined,
  visibility: undefined,
};

/** A stored repo. Its tokens are stored apart. */
export interface Repo {
  readonly id: number;
  readonly service: RepoService;
  /** As given, `<owner>/<name>`; unique per service without regard to case. */
  readonly name: string;
  /** The user who made it. */
  readonly owner: string;
  readonly settings: RepoSettings;
  /** The provider's own numeric id, once known (rule 28). */
  readonly providerId: string | undefined;
  /** Why nobody may write to it, where the name came to mean another repo (rule 28). */
  readonly suspended: string | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** One secret of a repo, as stored: never in the clear (AES-256-GCM), found by HMAC. */
export interface StoredRepoToken {
  /** Hex HMAC-SHA-256 of the token. */
  readonly lookup: string;
  /** Nonce, tag and ciphertext, base64. */
  readonly sealed: string;
  /** Undefined for the current token; set for an old one in its grace period. */
  readonly expiresAt: Timestamp | undefined;
}

/** A person's token (service.md 5). Only its hash is stored. */
export interface PersonalToken {
  readonly id: number;
  readonly user: string;
  readonly role: Role;
  /** Hex SHA-256 of the token. */
  readonly hash: string;
  /** The last four characters, to recognise it in a list. */
  readonly ending: string;
  readonly createdAt: Timestamp;
  readonly revokedAt: Timestamp | undefined;
}

export type Role = 'user' | 'administrator';
