import { Failure } from '../domain/failure.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { RepoStore } from '../ports/store.ts';

/** What a change of SECRET_KEY did to the stored repo tokens. */
export interface ResealedTokens {
  /** Stored under the current key now. */
  readonly resealed: number;
  /** Were so before. */
  readonly unchanged: number;
  /**
   * Ids of stored tokens that neither key opens: uploads with them get 422 until their key is back or a new token is
   * made.
   */
  readonly unreadable: readonly number[];
}

/** Seals every stored repo token with the current key: at start, so that SECRET_KEY_PREVIOUS can be unset after it. */
export async function resealTokens(deps: {
  readonly repos: Pick<RepoStore, 'listTokens' | 'resealToken'>;
  readonly secrets: Secrets;
}): Promise<ResealedTokens> {
  const { repos, secrets } = deps;
  const unreadable: number[] = [];
  let resealed = 0;
  let unchanged = 0;
  for (const stored of await repos.listTokens()) {
    const token = unsealOrUndefined(secrets, stored.sealed);
    if (token === undefined) {
      unreadable.push(stored.id);
    } else if (secrets.lookups(token)[0] === stored.lookup) {
      unchanged += 1;
    } else {
      await repos.resealToken(stored.id, secrets.seal(token));
      resealed += 1;
    }
  }
  return { resealed, unchanged, unreadable };
}

function unsealOrUndefined(secrets: Secrets, sealed: string): string | undefined {
  try {
    return secrets.unseal(sealed);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
