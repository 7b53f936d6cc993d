import type { Timestamp } from '../time.ts';

/** Git providers of the API (api.md "Repos"). `manual` belongs to none. */
export const REPO_SERVICES = ['github', 'bitbucket', 'gitlab', 'gitea', 'forgejo', 'stash', 'manual'] as const;
export type RepoService = (typeof REPO_SERVICES)[number];

/** Services whose names have groups within groups. */
export const NESTING_SERVICES: ReadonlySet<RepoService> = new Set(['gitlab']);

/** What a repo's owner may set (api.md "Repos"). */
export interface RepoSettings {
  readonly commentOnPullRequests: boolean;
  readonly sendBuildStatus: boolean;
  /** Minimum total, in percent from 0 to 100; null: none. */
  readonly minimum: number | null;
  /** Largest allowed drop, in percentage points from 0 to 100; null: none stated. */
  readonly allowedDrop: number | null;
  /** The default branch by the repo's own setting; undefined: the provider's, else `main`, `master` (rule 18). */
  readonly defaultBranch: string | undefined;
  /** Flags that are expected; undefined: learned from the base (rule 13). */
  readonly expectedFlags: readonly string[] | undefined;
  /** Milliseconds; undefined: the server's (rule 13). */
  readonly quietPeriod: number | undefined;
  /** Undefined: the provider's where known, else private (rule 30). */
  readonly visibility: 'private' | 'public' | undefined;
  /** Whether runs without secrets may upload (rule 29); undefined: where the repo is public. */
  readonly acceptForks: boolean | undefined;
  /** How many days builds are kept, and how many builds; undefined: as the server keeps them. */
  readonly retentionDays: number | undefined;
  readonly retentionBuilds: number | undefined;
  /** Whether changed lines get a commit status of their own (rule 22). */
  readonly patchStatus: boolean;
  /** Minimum of the coverage of changed lines, in percent from 0 to 100; `base`: the base's total; null: none. */
  readonly patchMinimum: PatchMinimum;
  /** What single flags are judged by; one that is not named is judged as the repo. */
  readonly flagSettings: readonly FlagSettings[];
  /** The names of contexts; undefined: by the server's STATUS_CONTEXT. */
  readonly statusNames: StatusNames | undefined;
  /**
   * The names before each change, the last first, at most MAX_FORMER_NAMES: pull requests that were open then get both
   * until they close.
   */
  readonly formerStatusNames: readonly FormerStatusNames[];
  /**
   * Whether uncovered changed lines of pull requests are marked beside the code; only where the server signs in as a
   * GitHub App.
   */
  readonly annotations: boolean;
  /** `on-change`: no comment while coverage is unchanged and the verdict is success. */
  readonly commentMode: 'always' | 'on-change';
  /** Verdicts are shown, and no status ever fails. */
  readonly informational: boolean;
  /** Removed code alone does not fail a build. */
  readonly ignoreRemovedCode: boolean;
  /** Loss in files that the change does not touch does not fail a build by itself. */
  readonly ignoreUntouchedFiles: boolean;
}

export type PatchMinimum = number | 'base' | null;

/** How one flag is judged. */
export interface FlagSettings {
  readonly flag: string;
  /** Percent from 0 to 100; null: none. */
  readonly minimum: number | null;
  /** Percentage points from 0 to 100; null: the repo's. */
  readonly allowedDrop: number | null;
  readonly informational: boolean;
}

/** Names of contexts that were replaced; undefined: those by the server's STATUS_CONTEXT. */
export interface FormerStatusNames {
  readonly names: StatusNames | undefined;
  /** When they were replaced. */
  readonly at: Timestamp;
}

/**
 * Of more, the oldest are dropped: each is one more context on every commit of a pull request that was open all the
 * time.
 */
export const MAX_FORMER_NAMES = 5;

/** Texts of contexts; `<flag>` in the flag's stands for the flag's name. */
export interface StatusNames {
  readonly build: string;
  readonly flag: string;
  readonly patch: string;
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
  acceptForks: undefined,
  retentionDays: undefined,
  retentionBuilds: undefined,
  patchStatus: false,
  patchMinimum: null,
  flagSettings: [],
  statusNames: undefined,
  formerStatusNames: [],
  annotations: false,
  commentMode: 'always',
  informational: false,
  ignoreRemovedCode: false,
  ignoreUntouchedFiles: false,
};

/**
 * A stored repo as this version knows it: one that was stored before a setting existed has that setting's default. Of
 * former names only the last ones were kept once, not in a list.
 */
export function completeRepo(stored: Repo): Repo {
  const settings = { ...DEFAULT_REPO_SETTINGS, ...stored.settings };
  return { ...stored, settings: { ...settings, formerStatusNames: [settings.formerStatusNames ?? []].flat() } };
}

/** A stored repo. The tokens that clients have of it are stored apart. */
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
  /** Why it takes no uploads: its name belongs to another repo now (rule 28). */
  readonly suspended: string | undefined;
  /** What the provider said of it last; absent where it was not asked yet. */
  readonly seen?: SeenAtProvider | undefined;
  /** Since when an App of this server may not reach it, as the provider reported it; absent: it may. */
  readonly accessLost?: AccessLost | undefined;
  /** The repo's own token of its git host, which goes before the server's; absent: it has none. */
  readonly hostToken?: StoredHostToken | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/**
 * What a provider said of a repo: what is given changes, nothing else; a suspension or loss of access of null ends it.
 */
export function followProvider(
  repo: Repo,
  change: {
    readonly name?: string;
    readonly providerId?: string;
    readonly suspended?: string | null;
    readonly seen?: SeenAtProvider;
    readonly accessLost?: AccessLost | null;
    readonly at: Timestamp;
  },
): Repo {
  const { name = repo.name, providerId = repo.providerId, suspended = repo.suspended, seen = repo.seen, at } = change;
  const { accessLost = repo.accessLost } = change;
  const ended = { suspended: suspended ?? undefined, accessLost: accessLost ?? undefined };
  return { ...repo, name, providerId, ...ended, seen, updatedAt: at };
}

/** How an App that the server signs in as lost a repo. A server that signs in otherwise by now is not concerned. */
export interface AccessLost {
  readonly appId: number;
  /** Its installation was removed or suspended, or the repo was taken out of it. */
  readonly how: 'uninstalled' | 'suspended' | 'deselected';
  readonly at: Timestamp;
}

/** A repo as its provider describes it. */
export interface SeenAtProvider {
  readonly defaultBranch: string;
  readonly visibility: 'private' | 'public';
  readonly at: Timestamp;
  /**
   * By the provider's own clock: when it had last changed what it says, as of its last event. Absent where none has
   * come.
   */
  readonly changedAt?: Timestamp | undefined;
}

export interface StoredHostToken {
  /** Secrets.sealText */
  readonly sealed: string;
  readonly at: Timestamp;
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

/** A person's token (api.md "Credentials"). Only its hash is stored. */
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
  /** Whose account made it; absent in one of `npm run token`, which is its user's alone. */
  readonly accountId?: number | undefined;
  /** What it is for. */
  readonly name?: string | undefined;
  /** The first characters, to recognise it in a list. */
  readonly beginning?: string | undefined;
  /** Absent: it does not expire. */
  readonly expiresAt?: Timestamp | undefined;
  /** To within some minutes; absent: never, or before this was kept. */
  readonly usedAt?: Timestamp | undefined;
}

export type Role = 'user' | 'administrator';
