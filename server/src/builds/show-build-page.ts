import type { Build } from '../core/builds/build.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { type Caller, mayAdminister, mayReadEmails } from '../core/repo/caller.ts';
import { whatMayBeRead } from '../core/repo/source-access.ts';
import type { Hosts } from '../ports/host.ts';
import type { Services } from '../services/services.ts';
import { findGained, type GainedFiles } from './find-gained.ts';
import { markOf } from './page-mark.ts';
import { type LinesOfChecks, readLinesOfChecks } from './read-lines-of-checks.ts';
import { type BuildRequest, type ShownBuild, showBuild } from './show-build.ts';

/** A build with all that its page says beside the build's JSON. */
export interface ShownBuildPage extends ShownBuild {
  readonly toCover: LinesOfChecks;
  readonly gained: GainedFiles | undefined;
  /** For a build without a result: flags that its base has and that none of its jobs has brought. */
  readonly awaited: readonly string[];
  /** Rule 30: whether committers' e-mail addresses are shown. */
  readonly showEmails: boolean;
  readonly maintains: boolean;
  /** Another one when the page would say something else. */
  readonly mark: string;
  /** What the git host is called, where the repo is at one. */
  readonly hostName: string | undefined;
  /** A file at the git host, at what was tested; its name percent-encoded. Undefined if it has no page there. */
  readonly hostFile: ((file: string, first: number, last: number) => string) | undefined;
}

/** `check`: whose lines to cover are asked for (readLinesOfChecks). Throws the Failures of showBuild. */
export async function showBuildPage(
  services: Services,
  asked: BuildRequest & { readonly check?: string | undefined },
): Promise<ShownBuildPage> {
  const { builds, hosts } = services;
  const shown = await showBuild(services, asked);
  const { build, repo, jobs, caller } = shown;
  const [open, toCover, gained] = await Promise.all([
    build.result === undefined ? builds.find(build.id) : undefined,
    readLinesOfChecks(services, { ...shown, ...whatMayBeRead(caller, repo) }, asked.check),
    findGained(services, { build, repo }),
  ]);
  return {
    ...shown,
    toCover,
    gained,
    awaited:
      open === undefined ? [] : awaitedFlags(open, { repo, brought: jobs.entries.map(({ facts }) => facts.flag) }),
    mark: markOf(build),
    ...whatCallerSees(caller, shown),
    hostName: hosts.of(repo)?.name,
    hostFile: hostFileOf(shown, hosts),
  };
}

function hostFileOf({ build, repo }: ShownBuild, hosts: Hosts): ShownBuildPage['hostFile'] {
  const lines = hosts.of(repo)?.linksOf(repo.name).lines;
  const commit = testedCommitOf(build);
  if (lines === undefined || commit === undefined) return undefined;
  return (file, first, last) => lines({ commit, file, first, last });
}

function whatCallerSees(caller: Caller, { repo }: ShownBuild) {
  return { showEmails: mayReadEmails(caller, repo), maintains: mayAdminister(caller, repo) };
}

/** Those that were announced as pending, and those that the repo's settings expect. */
function awaitedFlags(
  { openedContexts }: Build,
  { repo, brought }: { readonly repo: ShownBuild['repo']; readonly brought: readonly (string | undefined)[] },
): readonly string[] {
  const pending = openedContexts.flatMap(({ flag }) => flag ?? []);
  const expected = [...new Set([...(repo.settings.expectedFlags ?? []), ...pending])];
  return expected.filter((flag) => !brought.includes(flag));
}
