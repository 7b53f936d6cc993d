import { namesMergeCommit } from '../../core/builds/merge-commit.ts';
import { quoteValue } from '../../core/failure.ts';
import { type DescribedRun, type ForkRun, findForkRunProblem, isRunOfPull } from '../../core/repo/fork-run.ts';
import { isRunOf, namedRuns, type TrustProblem } from '../../core/repo/workflow-run.ts';
import type { Host } from '../../ports/host.ts';
import type { PullRequestFacts, RunView } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';

/** What an upload or close says of a run that has no secrets. */
export interface ForkRunClaim {
  /** Texts that may hold the run's id, likeliest first. */
  readonly runs: readonly (string | undefined)[];
  /** The commits that the upload is for; undefined on a close, which names none. */
  readonly commits: readonly string[] | undefined;
  readonly pullRequest: number | undefined;
}

interface Verified extends ForkRunClaim {
  readonly host: Host;
  /** `<owner>/<name>`. */
  readonly repo: string;
  /** The host's id of it; undefined: not known yet. */
  readonly repoId: string | undefined;
  /** The run, where it was asked for already. */
  readonly known?: DescribedRun | undefined;
}

/** A job id, the build number, and what stands before the job's name in its id. */
const MAX_LOOKUPS = 2;

/** The run without secrets that vouches for what claims to come from it (rule 29), or why it does not. */
export async function verifyForkRun(
  { clock }: Pick<Services, 'clock'>,
  view: RunView,
  claim: Verified,
): Promise<TrustProblem | ForkRun> {
  const { host, repoId, commits } = claim;
  const run = claim.known ?? (await findRun(view, claim));
  if (run === undefined) return noRun(claim);
  const problem = findForkRunProblem(run, { host, repoId, now: clock.now() });
  if (problem !== undefined) return problem;
  const pull = commits && (await findPull(view, claim, run));
  if (pull && 'found' in pull) return pull;
  const other = commits && (await findCommitProblem(view, { ...claim, commits, pull }, run));
  if (other !== undefined) return other;
  const { id, number, headCommit, event, attempt, headBranch } = run;
  const pullRequest = commits && claim.pullRequest;
  return { id, number, headCommit: headCommit.toLowerCase(), event, attempt, headBranch, pullRequest };
}

/** The runs that a claim may name. */
export function runIdsOf({ runs }: Pick<ForkRunClaim, 'runs'>, host: Host): readonly string[] {
  return namedRuns(runs, host.runs).slice(0, MAX_LOOKUPS);
}

async function findRun(view: RunView, claim: Verified): Promise<DescribedRun | undefined> {
  for (const run of runIdsOf(claim, claim.host)) {
    const found = await view.readRun({ repo: claim.repo, run });
    if (found !== undefined) return found;
  }
  return undefined;
}

function noRun(claim: Verified): TrustProblem {
  const { name, runs, tokens } = claim.host;
  if (runs.forkProof !== 'run-id') {
    const proof = runs.forkProof === 'job-token' ? tokens.words.ofJob : "the repo's own token";
    return { found: `At ${name} the id of a run proves nothing.`, remedy: `Send ${proof} in the field repo_token.` };
  }
  const ids = runIdsOf(claim, claim.host);
  const remedy = `Send ${tokens.words.runId} as service_number (on close as payload.build_num).`;
  return {
    found: ids.length === 0 ? 'No field holds the id of a run.' : `${name} has no run ${ids.join(' or ')} there.`,
    remedy,
  };
}

/** The host lists no pull requests of a fork's run: the one that is named has to be the run's. */
async function findPull(
  view: RunView,
  { repo, pullRequest }: Verified,
  run: DescribedRun,
): Promise<TrustProblem | PullRequestFacts> {
  const remedy = 'Send its number as service_pull_request.';
  if (pullRequest === undefined) return { found: 'The job names no pull request.', remedy };
  const pull = await view.describePullRequest({ repo, pullRequest });
  if (pull !== undefined && isRunOfPull(run, pull)) return pull;
  return { found: `The run ${run.id} does not test the pull request ${pullRequest}.`, remedy };
}

/** Every commit is the run's head, or a merge of it that the host made: one of the repo's own branches is none. */
async function findCommitProblem(
  view: RunView,
  {
    host,
    repo,
    commits,
    pull,
  }: Verified & { readonly commits: readonly string[]; readonly pull: PullRequestFacts | undefined },
  run: DescribedRun,
): Promise<TrustProblem | undefined> {
  const remedy = `Send the commit that the run checked out (${host.tokens.words.commit}) as commit_sha.`;
  const others = commits.filter((commit) => !isRunOf(run, [commit]));
  const [other] = others;
  if (other === undefined) return commits.length > 0 ? undefined : { found: 'The job names no commit.', remedy };
  // The host's own word, without another question.
  const isMerge = pull?.state === 'open' && pull.mergeCommit === other && isRunOf(run, [pull.headCommit]);
  if (isMerge && others.length === 1) return undefined;
  const merge = others.length === 1 ? await view.describeCommit({ repo, commit: other }) : undefined;
  if (merge !== undefined && namesMergeCommit(merge, host.terms) && isRunOf(run, merge.parents.slice(1)))
    return undefined;
  const found =
    `The run ${run.id} tests the commit ${run.headCommit} or a merge of it, ` +
    `but the job is for ${quoteValue(other)}.`;
  return { found, remedy };
}
