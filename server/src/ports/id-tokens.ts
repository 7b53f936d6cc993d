import type { TrustProblem } from '../core/repo/workflow-run.ts';
import type { Timestamp } from '../core/time.ts';

/** An ID token (OpenID Connect) that its issuer signed for this server. */
export interface CheckedIdToken {
  readonly issuer: string;
  /** Unlike that of every other token of the issuer: its `jti`, or a digest of what is signed. */
  readonly id: string;
  /** From then on it is refused. */
  readonly expiresAt: Timestamp;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** ID tokens of the issuers that this server knows. */
export interface IdTokens {
  /** The issuer that a text names, if it has the form of an ID token. Nothing of it is checked. */
  issuerOf(text: string): string | undefined;
  /**
   * Signature, issuer, audience and time. `address`: the caller that the requests for keys are counted for. Throws a
   * ProviderFailure if the issuer's keys could not be asked for, and a Failure `over-limit` where that address named
   * too many issuers that give none.
   */
  check(token: string, address: string): Promise<CheckedIdToken | TrustProblem>;
}

/** What ID tokens were used for, until they expire: each carries one content. */
export interface UsedIdTokens {
  /** Keeps the digest of the first use. Answers the digest that is kept: another one was first, or was the same. */
  use(use: { readonly key: string; readonly digest: string; readonly expiresAt: Timestamp }): Promise<string>;
  /** Removes those that have expired by then; answers how many. */
  removeExpired(at: Timestamp): Promise<number>;
}
