import type { Build } from '../core/builds/build.ts';
import { claimsPull, isMereClaim, isPullsOwnRun, type RefutedPull, refutePull } from '../core/builds/pull-claim.ts';
import { statedRuns } from '../core/builds/run-origin.ts';
import type { GitHost } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Answer, AskProvider } from '../hosts/facts/ask-provider.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { PullRequestFacts } from '../ports/provider.ts';
import type { RunFacts } from '../ports/provider-facts.ts';
import type { Services } from '../services/services.ts';

interface Asked {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
  /** The pull request that the build names; undefined: it was not asked for. */
  readonly pull: Answer<PullRequestFacts> | undefined;
  /** The head that the build was tested for. */
  readonly target: string | undefined;
}

/** `unknown`: to be asked again. `mere`: and until then nothing is posted on the pull request. */
export type PullStanding =
  | { readonly kind: 'stands' }
  | { readonly kind: 'unknown'; readonly mere: boolean }
  | (RefutedPull & { readonly kind: 'refuted' });

const STANDS = { kind: 'stands' } as const;

/**
 * Rule 29: whether a build is of the pull request that its upload names. It is where it tested its head; where not,
 * its run tells. A run that nobody can read is believed, unless its token says that it is of none.
 */
export async function checkPull(
  { askProvider, hosts }: Pick<Services, 'askProvider' | 'hosts'>,
  { build, repo, deadline, pull: answer, target }: Asked,
): Promise<PullStanding> {
  const host = hosts.of(repo);
  if (host?.provider === undefined || answer === undefined || !claimsPull(build)) return STANDS;
  const mere = isMereClaim(build, host);
  if (answer.kind === 'unavailable') return mere ? { kind: 'unknown', mere } : STANDS;
  const { value: pull } = answer;
  if (pull === undefined) return mere ? { kind: 'refuted', ...refutePull(build, { host }) } : STANDS;
  if (target === pull.headCommit) return STANDS;
  const read = await readRun(askProvider, { build, repo, deadline, host });
  if (target === undefined || read.kind === 'unavailable') return { kind: 'unknown', mere };
  const { value: run } = read;
  if (run === undefined ? !mere : isPullsOwnRun(run, pull, host)) return STANDS;
  return { kind: 'refuted', ...refutePull(build, { host, pull, run }) };
}

/** The run that a build came from: vouched for, or named by a client of the host's own CI. */
async function readRun(
  askProvider: AskProvider,
  { build, repo, deadline, host }: Pick<Asked, 'build' | 'repo' | 'deadline'> & { readonly host: GitHost },
): Promise<Answer<RunFacts>> {
  const { vouchedRun } = build;
  for (const run of vouchedRun === undefined ? statedRuns(build, host) : [vouchedRun.id]) {
    const answer = await askProvider({
      repo,
      deadline,
      key: `run/${run}`,
      ask: (provider) => provider.readRun({ repo: repo.name, run }),
    });
    if (answer.kind === 'unavailable' || answer.value !== undefined) return answer;
  }
  return { kind: 'answer', value: undefined };
}
