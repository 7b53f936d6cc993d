import type { Build } from '../../server/src/core/builds/build.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { DEFAULT_REPO_SETTINGS } from '../../server/src/core/repo/settings.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import type { Services } from '../../server/src/services/services.ts';
import { indexBuild, queryScope } from '../../server/src/storage/build-index.ts';
import type { BuildStore, ClosedQuery } from '../../server/src/storage/build-store.ts';

/** A repo of GitHub with the default settings. */
export function aRepo(stated: Partial<Repo> = {}): Repo {
  return {
    id: 1,
    service: 'github',
    name: 'acme/app',
    owner: 'alice',
    settings: DEFAULT_REPO_SETTINGS,
    providerId: undefined,
    suspended: undefined,
    createdAt: 0,
    updatedAt: 0,
    ...stated,
  };
}

/** A provider that tells these ancestors of every commit; undefined: it gives no answer. */
export function telling(ancestors: readonly string[] | undefined): Pick<Services, 'facts' | 'askProvider' | 'clock'> {
  const provider = { listFirstParents: async () => ({ commits: ancestors, end: 'root' }) } as unknown as Provider;
  return {
    facts: { find: async () => undefined, put: async () => {}, add: async () => {} },
    askProvider: async ({ ask }) =>
      ancestors === undefined ? { kind: 'unavailable' } : { kind: 'answer', value: await ask(provider) },
    clock: { now: () => 1 },
  };
}

/** A build store that answers questions about these builds of one repo, as its port says, and takes nothing. */
export function historyOf(builds: readonly Build[]): BuildStore {
  const newestFirst = builds.toSorted((a, b) => b.sequence - a.sequence);
  const matching = ({ scope, before = Number.POSITIVE_INFINITY }: ClosedQuery): readonly Build[] =>
    newestFirst.filter((build) => {
      const index = indexBuild(build);
      return index.closed && build.sequence < before && (scope === 'repo' || index.scope === queryScope(scope));
    });
  const ranked = (query: ClosedQuery, rank: number): readonly Build[] =>
    matching(query).filter((build) => indexBuild(build).baseRank === rank);
  const answers: Pick<
    BuildStore,
    'find' | 'ofCommit' | 'ofCommits' | 'commitsStarting' | 'closed' | 'bases' | 'withFlag'
  > = {
    find: async (id) => builds.find((build) => build.id === id),
    ofCommit: async (_, commit) => newestFirst.filter((build) => indexBuild(build).commits.includes(commit)),
    ofCommits: async (_, commits) =>
      newestFirst.filter((build) => indexBuild(build).commits.some((commit) => commits.includes(commit))),
    commitsStarting: async ({ digits, limit }) => {
      const commits = builds.filter(({ trust }) => trust !== 'run').flatMap((build) => indexBuild(build).commits);
      return [...new Set(commits.filter((commit) => commit.startsWith(digits)))].toSorted().slice(0, limit);
    },
    closed: async (query) => matching(query).slice(0, query.limit),
    bases: async (query) => [...ranked(query, 1), ...ranked(query, 0)].slice(0, query.limit),
    withFlag: async ({ flag, ...query }) =>
      matching(query)
        .filter((build) => indexBuild(build).flags.includes(flag))
        .slice(0, query.limit),
  };
  return answers as BuildStore;
}
