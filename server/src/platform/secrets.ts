import type { StoredRepoToken } from '../core/repo/repo.ts';

/** Makes and keeps secrets: randomness, hashes and encryption, as an argument. */
export interface Secrets {
  /** A new repo token in the clear. */
  newRepoToken(): string;
  /** A new personal token in the clear. */
  newPersonalToken(): string;
  /** A new token of a share link in the clear. */
  newShareToken(): string;
  /** 256 random bits as 43 characters: a session, a code, the state of a sign-in. */
  newRandom(): string;
  /** Hex SHA-256 of what is random. */
  hash(token: string): string;
  /** Text that only this server can read and make, for a cookie or the store. */
  sealText(text: string): string;
  /** Undefined: it was not sealed under the current or the previous key. */
  openText(sealed: string): string | undefined;
  /** How a repo token is stored under the current key. */
  seal(token: string): Pick<StoredRepoToken, 'lookup' | 'sealed'>;
  /** The token in the clear, under the current or the previous key; undefined: neither opens it. */
  unseal(sealed: string): string | undefined;
  /** What a token may be found by: under the current key first, then the previous. */
  lookups(token: string): readonly string[];
  /**
   * The badge token of a repo: it reads that repo's badges and can do nothing else (rule 30). The same each time.
   * Undefined: the key is missing.
   */
  badgeToken(repoId: number): string | undefined;
  /** Whether the token is that repo's badge token, under the current or the previous key; in constant time. */
  isBadgeToken(repoId: number, token: string): boolean;
  /** Throws a Failure `unavailable` if the key of what is stored is missing: it would be sealed for nobody. */
  requireKey(): void;
  /** By which this server knows itself, from outside: the same for all instances, of another key another. */
  serverIdentity(): string;
  /** Whether both texts are equal, in constant time. */
  equal(a: string, b: string): boolean;
}
