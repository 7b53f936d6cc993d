import { distinctContexts, hadFormerNames } from '../core/announce/contexts.ts';
import type { Links } from '../core/announce/links.ts';
import { checkName, serverStatusNames } from '../core/announce/status-names.ts';
import type { Build, OpenedContext } from '../core/builds/build.ts';
import type { HostTerms } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Store } from '../storage/store.ts';
import type { Announcing } from '../wording/plan.ts';

export interface AnnouncingDeps {
  readonly store: { readonly builds: Pick<Store['builds'], 'ofPullRequest'> };
  readonly hasProvider: (repo: Repo) => boolean;
  readonly termsOf: (repo: Repo) => HostTerms;
  /** Whether this server can make check runs there. */
  readonly canAnnotate: (repo: Repo) => boolean;
  readonly contextWord: string;
  readonly linksOf: (repo: Repo) => Links;
}

/** Recent builds of a pull request that are read: each of them has the names of the ones before it. */
const RECENT_BUILDS = 10;

/**
 * A plan's input for one build. A pull request that was open when its contexts were renamed has the former names too;
 * a merge queue's build has all contexts of its pull request, since the queue waits for them.
 */
export async function announcingFor(
  deps: AnnouncingDeps,
  { repo, build }: { readonly repo: Repo; readonly build: Build },
): Promise<Announcing> {
  const announcing = announcingOf(deps, repo);
  const { formerStatusNames } = repo.settings;
  if (build.pullRequest === undefined || (formerStatusNames.length === 0 && !build.mergeQueue)) return announcing;
  const recent = await deps.store.builds.ofPullRequest(repo.id, build.pullRequest, RECENT_BUILDS);
  const inherited = build.mergeQueue ? contextsOfHead(recent.filter(isTrustedOfPull)) : [];
  const formerNames = formerStatusNames.flatMap(({ names = serverStatusNames(deps.contextWord), at }) => {
    const renamed = { names: announcing.names, formerNames: names, at };
    return [build, ...recent].some((one) => hadFormerNames(one, renamed)) ? [names] : [];
  });
  return { ...announcing, inherited, formerNames };
}

/** What an unverified run opened binds no other build (rule 29). */
function isTrustedOfPull({ mergeQueue, trust }: Build): boolean {
  return !mergeQueue && trust !== 'run';
}

/** What a pull request has at its newest head: several workflows may have opened contexts there. */
function contextsOfHead(builds: readonly Build[]): readonly OpenedContext[] {
  const target = builds[0]?.target;
  return distinctContexts(builds.filter((one) => one.target === target).flatMap((one) => one.openedContexts));
}

function announcingOf(deps: AnnouncingDeps, repo: Repo): Announcing {
  const { settings } = repo;
  return {
    repo: { ...settings, id: repo.id },
    names: settings.statusNames ?? serverStatusNames(deps.contextWord),
    formerNames: [],
    inherited: [],
    links: deps.linksOf(repo),
    check: deps.canAnnotate(repo) ? { name: checkName(deps.contextWord), wanted: settings.annotations } : undefined,
    terms: deps.termsOf(repo),
    hasProvider: deps.hasProvider(repo),
  };
}
