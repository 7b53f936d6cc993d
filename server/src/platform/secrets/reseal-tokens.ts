import type { AccountStore } from '../../storage/account-store.ts';
import { listHostTokens } from '../../storage/host-tokens.ts';
import type { RepoStore } from '../../storage/store.ts';
import type { Secrets } from '../secrets.ts';

/** What a change of SECRET_KEY did to the stored repo tokens. */
export interface ResealedTokens {
  /** Stored under the current key now. */
  readonly resealed: number;
  /** Were so before. */
  readonly unchanged: number;
  /** Ids of repos whose token neither key opens: uploads with it get 422 until the key is back or a token is made. */
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
    const token = secrets.unseal(stored.sealed);
    if (token === undefined) {
      unreadable.push(stored.repoId);
    } else if (secrets.lookups(token)[0] === stored.lookup) {
      unchanged += 1;
    } else {
      await repos.resealToken(stored.id, secrets.seal(token));
      resealed += 1;
    }
  }
  return { resealed, unchanged, unreadable };
}

/** Accounts in one go. */
const PAGE = 100;

/**
 * Seals with the current key what providers gave to ask in people's names. `current` knows no key but that. Answers
 * how many accounts were changed; what neither key opens stays, and its owner signs in again.
 */
export async function resealAccounts(deps: {
  readonly accounts: Pick<AccountStore, 'list' | 'change'>;
  readonly secrets: Pick<Secrets, 'openText' | 'sealText'>;
  readonly current: Pick<Secrets, 'openText'>;
}): Promise<number> {
  const { accounts, secrets, current } = deps;
  const reseal = (sealed: string | undefined): string | undefined => {
    const text = sealed === undefined || current.openText(sealed) !== undefined ? undefined : secrets.openText(sealed);
    return text === undefined ? sealed : secrets.sealText(text);
  };
  let changed = 0;
  for (let after: number | undefined; ; ) {
    const some = await accounts.list({ after, limit: PAGE });
    for (const { id, hostToken, refreshToken } of some) {
      const fields = { hostToken: reseal(hostToken), refreshToken: reseal(refreshToken) };
      if (fields.hostToken === hostToken && fields.refreshToken === refreshToken) continue;
      // A server that runs may have got others in the meantime, under the key that is current there.
      if (await accounts.change(id, fields, undefined, { hostToken, refreshToken })) changed += 1;
    }
    after = some.at(-1)?.id;
    if (after === undefined) return changed;
  }
}

/**
 * Seals with the current key, which `current` alone knows, the tokens that repos have at their git hosts. Answers how
 * many; what neither key opens stays.
 */
export async function resealHostTokens(deps: {
  readonly repos: Pick<RepoStore, 'list' | 'setHostToken'>;
  readonly secrets: Pick<Secrets, 'openText' | 'sealText'>;
  readonly current: Pick<Secrets, 'openText'>;
}): Promise<number> {
  const { repos, secrets, current } = deps;
  let changed = 0;
  for (const { id: repoId, hostToken } of await listHostTokens(repos)) {
    const { sealed: was, at } = hostToken;
    const text = current.openText(was) === undefined ? secrets.openText(was) : undefined;
    if (text === undefined) continue;
    if (await repos.setHostToken({ repoId, token: { sealed: secrets.sealText(text), at }, was })) changed += 1;
  }
  return changed;
}

/** Names of repos, at most MAX_NAMED of them, that have a token which these secrets do not open, and how many have. */
export async function findLostTokens(deps: {
  readonly repos: Pick<RepoStore, 'listTokens' | 'find'>;
  readonly secrets: Pick<Secrets, 'unseal'> | undefined;
}): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  const { repos, secrets } = deps;
  const isLost = (sealed: string): boolean => secrets?.unseal(sealed) === undefined;
  const lost = (await repos.listTokens()).filter(({ sealed }) => isLost(sealed)).map(({ repoId }) => repoId);
  const ids = [...new Set(lost)];
  const named = await Promise.all(ids.slice(0, MAX_NAMED).map((id) => repos.find(id)));
  const names = named.filter((repo) => repo !== undefined).map(({ service, name }) => `${service}/${name}`);
  return { count: ids.length, names };
}

const MAX_NAMED = 20;
