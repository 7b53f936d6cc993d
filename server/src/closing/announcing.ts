import { checkName, distinctContexts, hadFormerNames, serverStatusNames } from '../core/announce/contexts.ts';
import type { Build, OpenedContext } from '../core/builds/build.ts';
import { type GitHosts, termsOf } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import { annotationsRefusal } from '../core/repo/warnings.ts';
import type { Services } from '../services/services.ts';
import type { Announcing } from '../wording/plan.ts';

type Announcer = Pick<Services, 'builds' | 'hosts' | 'addresses'> & {
  readonly config: Pick<Services['config'], 'statusContext'>;
};

/** Recent builds of a pull request that are read: each of them has the names of the ones before it. */
const RECENT_BUILDS = 10;

/**
 * A plan's input for one build. A pull request that was open when its contexts were renamed has the former names too;
 * a merge queue's build has all contexts of its pull request, since the queue waits for them.
 */
export async function announcingFor(
  services: Announcer,
  { repo, build }: { readonly repo: Repo; readonly build: Build },
): Promise<Announcing> {
  const announcing = announcingOf(services, repo);
  const { formerStatusNames } = repo.settings;
  if (build.pullRequest === undefined || (formerStatusNames.length === 0 && !build.mergeQueue)) return announcing;
  const recent = await services.builds.ofPullRequest(repo.id, build.pullRequest, RECENT_BUILDS);
  const inherited = build.mergeQueue ? contextsOfHead(recent.filter(isTrustedOfPull)) : [];
  const formerNames = formerStatusNames.flatMap(({ names = serverStatusNames(services.config.statusContext), at }) => {
    const renamed = { names: announcing.names, formerNames: names, at };
    return [build, ...recent].some((one) => hadFormerNames(one, renamed)) ? [names] : [];
  });
  return { ...announcing, inherited, formerNames };
}

/** A merge queue's build need not end contexts that only unverified builds opened (rule 29). */
function isTrustedOfPull({ mergeQueue, trust }: Build): boolean {
  return !mergeQueue && trust !== 'run';
}

/** What a pull request has at its newest head: several workflows may have opened contexts there. */
function contextsOfHead(builds: readonly Build[]): readonly OpenedContext[] {
  const target = builds[0]?.target;
  return distinctContexts(builds.filter((one) => one.target === target).flatMap((one) => one.openedContexts));
}

function announcingOf({ hosts, config, addresses }: Announcer, repo: Repo): Announcing {
  const { service, name, settings } = repo;
  const word = config.statusContext;
  return {
    repo: { ...settings, id: repo.id },
    names: settings.statusNames ?? serverStatusNames(word),
    formerNames: [],
    inherited: [],
    links: { base: addresses.root(), build: addresses.build, file: (place) => addresses.file(service, name, place) },
    check: canAnnotate(hosts, repo) ? { name: checkName(word), wanted: settings.annotations } : undefined,
    terms: termsOf(hosts, repo),
    hasProvider: hosts.of(repo)?.provider !== undefined,
  };
}

/** Whether this server can make check runs there. */
export function canAnnotate(hosts: GitHosts, { service }: Repo): boolean {
  return annotationsRefusal(service, hosts) === undefined;
}
