import { Failure } from '../../core/failure.ts';
import type { RepoStore } from '../../storage/store.ts';
import type { Secrets } from '../secrets.ts';

/**
 * Throws a Failure while the key opens no stored repo token, of which a start on an empty database knows nothing: of
 * servers that begin together, one of another key is found once the first repo is there. Then nothing is asked again.
 */
export function createKeyCheck(deps: {
  readonly repos: Pick<RepoStore, 'listTokens'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
}): () => Promise<void> {
  let isProven = false;
  return async () => {
    if (isProven) return;
    const tokens = await deps.repos.listTokens();
    isProven = tokens.some(({ sealed }) => deps.secrets.unseal(sealed) !== undefined);
    if (tokens.length > 0 && !isProven) throw new Failure('unavailable', anotherKey(tokens.length));
  };
}

function anotherKey(tokens: number): string {
  return (
    `SECRET_KEY cannot decrypt any of the stored repo tokens (${tokens}): another server of this database has ` +
    'another key. Start this one with the same SECRET_KEY.'
  );
}
