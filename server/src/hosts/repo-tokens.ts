import { RecentMap } from '../core/recent-map.ts';
import type { StoredHostToken } from '../core/repo/repo.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Host } from '../ports/host.ts';
import { type Provider, ProviderFailure, type TokenView } from '../ports/provider.ts';
import type { RepoStore } from '../storage/store.ts';

export interface RepoTokensDeps {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly secrets: Pick<Secrets, 'openText'>;
  readonly clock: Clock;
  /** Told of each token that is used: no log line may hold it. */
  readonly learn: (secret: string) => void;
}

/** Hosts by tokens of repos that are kept, each with its pauses and its turns of writes, and for how long in ms. */
const KEPT = { max: 500, lasts: 3_600_000 };

/**
 * The same host, which is asked about a repo by that repo's own token where it has one, and by nothing else where this
 * server has no token. The token is read at each
 * call, so that one that was replaced is used by no instance any more.
 */
export function byRepoTokens<Asked extends Host>(host: Asked, deps: RepoTokensDeps): Asked {
  const provider = host.provider ?? host.withToken?.('')?.provider;
  if (provider === undefined || host.withToken === undefined) return host;
  const hostOf = createFindHost(host, deps);
  const calls = Object.entries(provider).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call];
    const byItsToken = async (asked: AboutRepo) => {
      const chosen = (await hostOf(asked.repo ?? asked.name)).provider as
        | Readonly<Record<string, typeof call>>
        | undefined;
      if (chosen === undefined) throw withoutCredential(host);
      return chosen[name]?.(asked);
    };
    return [name, byItsToken];
  });
  return {
    ...host,
    provider: Object.fromEntries(calls) as Provider,
    openTokenView: (opening) => viewOf(async (repo) => (await hostOf(repo)).openTokenView(opening)),
  };
}

function withoutCredential({ credential }: Host): ProviderFailure {
  const sentence = `${credential} is not set, and the repo has no token of its own.`;
  return new ProviderFailure('permanent', sentence, { accessDenied: true });
}

/** What is asked by a repo's id names it too. */
interface AboutRepo {
  readonly repo?: string;
  readonly name?: string;
}

function createFindHost(host: Host, { repos, secrets, clock, learn }: RepoTokensDeps) {
  const known = new RecentMap<Host>({ ...KEPT, now: clock.now });
  const open = ({ sealed }: StoredHostToken): Host | undefined => {
    const before = known.get(sealed);
    if (before !== undefined) return before;
    const token = secrets.openText(sealed);
    if (token === undefined) return undefined;
    learn(token);
    const own = host.withToken?.(token);
    if (own !== undefined) known.set(sealed, own);
    return own;
  };
  return async (name: string | undefined): Promise<Host> => {
    if (name === undefined) return host;
    const repo = await repos.findByName(host.service, name).catch((cause: unknown) => {
      throw new ProviderFailure('transient', 'The repo, which may have its own token, could not be looked up.', {
        cause,
      });
    });
    return (repo?.hostToken && open(repo.hostToken)) ?? host;
  };
}

/** A view that is opened by the first question, which names the repo. */
function viewOf(open: (repo: string | undefined) => Promise<TokenView>): TokenView {
  let opened: Promise<TokenView> | undefined;
  const of = (repo: string | undefined): Promise<TokenView> => {
    opened ??= open(repo);
    return opened;
  };
  return {
    readRepo: async (call) => (await of(call.repo)).readRepo(call),
    findInstalled: async (call) => (await of(call.repo)).findInstalled(call),
    readRun: async (call) => (await of(call.repo)).readRun(call),
    describeCommit: async (call) => (await of(call.repo)).describeCommit(call),
    describePullRequest: async (call) => (await of(call.repo)).describePullRequest(call),
  };
}
