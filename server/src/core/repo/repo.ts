import type { Timestamp } from '../time.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from './settings.ts';

/** Git providers of the API (api.md "Repos"). `manual` belongs to none. */
export const REPO_SERVICES = ['github', 'bitbucket', 'gitlab', 'gitea', 'forgejo', 'stash', 'manual'] as const;
export type RepoService = (typeof REPO_SERVICES)[number];

/** Services whose names have groups within groups. */
export const NESTING_SERVICES: ReadonlySet<RepoService> = new Set(['gitlab']);

/**
 * A stored repo as this version knows it: one that was stored before a setting existed has that setting's default, but
 * continues without a file of its own that it may happen to have. For former names only the last ones were kept once,
 * not in a list.
 */
export function completeRepo(stored: Repo): Repo {
  const known: Partial<RepoSettings> = stored.settings;
  const settings: RepoSettings = { ...DEFAULT_REPO_SETTINGS, ...WITHOUT_FILE, ...known };
  return { ...stored, settings: { ...settings, formerStatusNames: [settings.formerStatusNames ?? []].flat() } };
}

const WITHOUT_FILE = { configFile: 'off' } as const;

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
  /** What the provider said of it last; absent if it was not asked yet. */
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
   * By the provider's own clock: when it had last changed what it says, as of its last event. Absent if none has come.
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
  /** The last four characters, to recognize it in a list. */
  readonly ending: string;
  readonly createdAt: Timestamp;
  readonly revokedAt: Timestamp | undefined;
  /** Whose account made it; absent in one of `npm run token`, which is its user's alone. */
  readonly accountId?: number | undefined;
  /** What it is for. */
  readonly name?: string | undefined;
  /** The first characters, to recognize it in a list. */
  readonly beginning?: string | undefined;
  /** Absent: it does not expire. */
  readonly expiresAt?: Timestamp | undefined;
  /** To within some minutes; absent: never, or before this was kept. */
  readonly usedAt?: Timestamp | undefined;
}

export type Role = 'user' | 'administrator';
