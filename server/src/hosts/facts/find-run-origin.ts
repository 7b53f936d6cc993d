import type { Build } from '../../core/builds/build.ts';
import {
  awaitsAccess,
  findForksPull,
  findForksRun,
  followsAnother,
  isOfFork,
  type RunOrigin,
  uncheckedRuns,
} from '../../core/builds/run-origin.ts';
import type { GitHost, GitHosts } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Provider } from '../../ports/provider.ts';
import type { RunFacts } from '../../ports/provider-facts.ts';
import type { AskProvider } from './ask-provider.ts';
import type { Deadline } from './deadline.ts';

/** `value` undefined: there is no such thing, or this server may not see it. */
type Ask = <T>(how: (provider: Provider) => Promise<T | undefined>, key?: string) => Promise<T | undefined>;

interface Asked {
  readonly build: Build;
  readonly repo: string;
  readonly host: GitHost;
  readonly ask: Ask;
}

export const OWN = { kind: 'own' } as const;

/** Thrown where the host does not answer for now. */
class Unanswered extends Error {}

/**
 * Whose the run is that a build's uploads say they come from: asked of the host, whatever client and token sent them.
 * A run is read once, for all builds that name it. `isAway`: the host gives no answers now, and is not asked.
 */
export async function findRunOrigin(
  { hosts, askProvider }: { readonly hosts: Pick<GitHosts, 'of'>; readonly askProvider: AskProvider },
  input: { readonly build: Build; readonly repo: Repo; readonly deadline: Deadline; readonly isAway: boolean },
): Promise<RunOrigin> {
  const { build, repo, deadline, isAway } = input;
  const host = hosts.of(repo);
  if (host === undefined || uncheckedRuns(build, host).length === 0) return OWN;
  if (isAway) return { kind: 'unknown' };
  const ask: Ask = async (how, key) => {
    const answer = await askProvider({ repo, deadline, ask: how, ...(key !== undefined && { key }) });
    if (answer.kind === 'answer') return answer.value;
    // Access that was taken away may stay away for good: until it is back, who has the token is believed.
    if (answer.refusal !== undefined && !awaitsAccess(build)) return undefined;
    throw new Unanswered();
  };
  try {
    return await findOrigin({ build, repo: repo.name, host, ask });
  } catch (error) {
    if (error instanceof Unanswered) return { kind: 'unknown' };
    throw error;
  }
}

async function findOrigin(asked: Asked): Promise<RunOrigin> {
  const { build, host } = asked;
  const run = await readRun(asked);
  if (awaitsAccess(build)) return confirm(asked, run);
  if (run === undefined) return OWN;
  if (isOfFork(run)) return ofFork(asked, run);
  if (!followsAnother(run, build, host)) return OWN;
  const runs = await listRunsOfTested(asked);
  if (runs === undefined) return OWN;
  const found = findForksRun(runs, build, host);
  if (found === 'own') return OWN;
  return found === 'none' ? { kind: 'fork' } : ofFork(asked, found);
}

/** What `verifyPullRun` would have asked when the upload came; a run that the host does not show stays unknown. */
async function confirm(asked: Asked, run: RunFacts | undefined): Promise<RunOrigin> {
  const { build, repo, ask } = asked;
  if (run === undefined) return { kind: 'unknown' };
  if (isOfFork(run)) return ofFork(asked, run);
  const signed = build.vouchedRun?.headCommit ?? '';
  if (build.commit === signed) return OWN;
  const merge = await ask((provider) => provider.describeCommit({ repo, commit: signed }), `commit/${signed}`);
  const heads = [run.headCommit.toLowerCase(), merge?.parents[1]?.toLowerCase()];
  return heads.every((head) => head === build.commit) ? OWN : { kind: 'fork' };
}

async function readRun({ build, repo, host, ask }: Asked): Promise<RunFacts | undefined> {
  for (const run of uncheckedRuns(build, host)) {
    const found = await ask((provider) => provider.readRun({ repo, run }), `run/${run}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Some clients name the merge commit that was tested: its runs are those of the head that it merges. */
async function listRunsOfTested({ build, repo, ask }: Asked): Promise<readonly RunFacts[] | undefined> {
  const list = (commit: string) => ask((provider) => provider.listRunsOfCommit({ repo, commit }));
  const { commit = '' } = build;
  const runs = await list(commit);
  if (runs === undefined || runs.length > 0) return runs;
  const described = await ask((provider) => provider.describeCommit({ repo, commit }), `commit/${commit}`);
  const merged = described?.parents[1];
  return merged === undefined ? runs : list(merged);
}

async function ofFork({ build, repo, ask }: Asked, run: RunFacts): Promise<RunOrigin> {
  const { id, headBranch: branch } = run;
  const [listed] = run.pullRequests;
  if (listed !== undefined) return { kind: 'fork', pullRequest: listed, branch };
  const pulls = (await ask((provider) => provider.findPullRequestsOfRun({ repo, run: id }))) ?? [];
  return { kind: 'fork', pullRequest: findForksPull(run, pulls, build), branch };
}
