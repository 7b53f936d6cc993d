import type { Timestamp } from '../time.ts';

/** The issuer of accounts whose passwords this server keeps; their subject is the user name. */
export const LOCAL_ISSUER = 'local';

/** Somebody who may sign in: known by issuer and subject, never by name or e-mail address, which may change hands. */
export interface Account {
  readonly id: number;
  /** LOCAL_ISSUER, a git host's address, or the issuer of an OpenID provider. */
  readonly issuer: string;
  /** Unique within the issuer: a user name, or the provider's own id. */
  readonly subject: string;
  /** For people; anything that the provider says. */
  readonly name: string;
  /** Verified by the provider; shown, and never compared with anything. */
  readonly email: string | undefined;
  /** Made one here; a group of the provider may make one beside it. */
  readonly administrator: boolean;
  /** As the provider said at `groupsAt`. */
  readonly groups: readonly string[];
  /** When it was asked; undefined: an earlier version did not note it, so they do not count. */
  readonly groupsAt?: Timestamp | undefined;
  /** What an OpenID provider is asked for them with again, sealed. */
  readonly refreshToken?: string | undefined;
  /** Until then one server alone asks: a refresh token may work once. */
  readonly groupsAskedUntil?: Timestamp | undefined;
  /** scrypt, with its parameters and salt; only local accounts have one. */
  readonly password: string | undefined;
  /** What the git host gave to ask in this person's name, sealed. */
  readonly hostToken: string | undefined;
  /** A code of a sign-in link, which works once. */
  readonly signInCode: SignInCode | undefined;
  /** Since when nobody may sign in with it; undefined: somebody may. */
  readonly disabledAt: Timestamp | undefined;
  readonly createdAt: Timestamp;
  /** The last sign-in. */
  readonly signedInAt: Timestamp | undefined;
}

/** Groups of one account that are kept. */
export const MAX_GROUPS = 500;

export interface SignInCode {
  /** Hex SHA-256. */
  readonly hash: string;
  readonly expiresAt: Timestamp;
}

/** Somebody's browser that is signed in. */
export interface Session {
  /** Hex SHA-256 of the token that the browser's cookie holds. */
  readonly hash: string;
  readonly accountId: number;
  readonly createdAt: Timestamp;
  /** The last request, to within some minutes. */
  readonly seenAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** What the browser calls itself, to recognize it in a list: hostile text. */
  readonly browser: string;
}

const HOUR = 3_600_000;
/** How long a session lasts at most, in ms. */
export const SESSION_LIMIT = 30 * 24 * HOUR;
/** How long an administrator's session may rest, in ms. */
export const ADMINISTRATOR_IDLE = 12 * HOUR;

/** Whether the session still counts at `at`. */
export function isLive(session: Session, { at, administrator }: { at: Timestamp; administrator: boolean }): boolean {
  return at < session.expiresAt && !(administrator && at >= session.seenAt + ADMINISTRATOR_IDLE);
}

/**
 * The user name that an account acts by. A local account is the user of that name, whose tokens `npm run token` makes;
 * any other has a name that no user name is, whatever its provider calls it.
 */
export function userOf({ issuer, subject, id }: Pick<Account, 'issuer' | 'subject' | 'id'>): string {
  return issuer === LOCAL_ISSUER ? subject : `account:${id}`;
}

/** The owner of repos whose maker was erased: no user name holds parentheses, so only administrators are left. */
export const ERASED_OWNER = '(erased)';

/** Who may do what in one repo beside its owner. */
export interface Member {
  readonly repoId: number;
  readonly accountId: number;
  readonly role: MemberRole;
  /** The name of the user who made them one. */
  readonly by: string;
  readonly at: Timestamp;
}

export const MEMBER_ROLES = ['reader', 'maintainer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** A secret address that reads one repo without an account. */
export interface ShareLink {
  readonly id: number;
  readonly repoId: number;
  /** Hex SHA-256 of the token. */
  readonly hash: string;
  /** What it is for. */
  readonly name: string;
  /** Whether it shows source texts too. */
  readonly source: boolean;
  readonly by: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}
