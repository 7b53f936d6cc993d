import type { MemberRole } from '../core/repo/account.ts';
import type { Timestamp } from '../core/time.ts';

/** Somewhere else that people sign in: a git host, or an OpenID provider. Every call throws a ProviderFailure only. */
export interface SignInProvider {
  /** Its part of our addresses: `/sign-in/<key>`. */
  readonly key: string;
  /** As people know it. */
  readonly name: string;
  /** The address there that the browser is sent to. */
  begin(attempt: SignInAttempt): Promise<string>;
  /** Who came back. Throws a Failure `forbidden` for somebody who may not sign in here. */
  finish(attempt: SignInAttempt & { readonly answer: URLSearchParams }): Promise<SignedInPerson>;
}

/** What one sign-in is recognized by when the browser comes back. */
export interface SignInAttempt {
  /** Our address that the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  /** For OpenID Connect. */
  readonly nonce: string;
  /** For PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface SignedInPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Only one that the provider has verified. */
  readonly email: string | undefined;
  readonly groups: readonly string[];
  readonly token: HostToken | undefined;
  /** What an OpenID provider gave to ask for the groups again. */
  readonly refresh?: string | undefined;
}

/** An OpenID provider, which may be asked again in which groups somebody is. */
export interface OpenIdSignIn extends SignInProvider {
  /** For the accounts. */
  readonly issuer: string;
  /** Whether it hands out what it can be asked again with. */
  offersRefresh(): Promise<boolean>;
  /** Undefined: it no longer takes what it gave. */
  askAgain(person: { readonly refresh: string; readonly subject: string }): Promise<AskedAgain | undefined>;
}

export interface AskedAgain {
  /** For the next time; what was used may not work again. */
  readonly refresh: string;
  /** Undefined: it did not say. */
  readonly groups: readonly string[] | undefined;
}

/** What a git host gave to ask in somebody's name. */
export interface HostToken {
  readonly access: string;
  /** Undefined: there is no other one to be had. */
  readonly refresh: string | undefined;
  /** Undefined: it does not expire. */
  readonly expiresAt: Timestamp | undefined;
}

/** A git host that people sign in at, and that says what they may do in its repos. */
export interface HostSignIn extends SignInProvider {
  /** For the accounts. */
  readonly issuer: string;
  /** What the token's owner may do in a repo; undefined: it is not there for them. */
  readAccess(call: { readonly token: string; readonly repo: string }): Promise<HostAccess | undefined>;
  /** The repos of which the token's owner is more than the public, the first 1,000. */
  listAccess(call: { readonly token: string }): Promise<readonly HostAccess[]>;
  /** Another token in place of one that has expired; undefined: its owner must sign in again. */
  renew(refresh: string): Promise<HostToken | undefined>;
}

export interface HostAccess {
  /** The host's numeric id of the repo. */
  readonly id: string;
  /** `<owner>/<name>` */
  readonly name: string;
  readonly role: MemberRole;
}
