import { quoteValue } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { type DescribedRun, hasNoSecrets } from '../../core/repo/fork-run.ts';
import {
  findTrustProblem,
  isMergeOfRun,
  isRunOf,
  mayTestMerge,
  readRunIds,
  sendRun,
  type TrustProblem,
  type VouchedRun,
  type WorkflowRun,
} from '../../core/repo/workflow-run.ts';
import type { Host } from '../../ports/host.ts';
import type { RefreshedRepo, TokenView } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';

/** The run that an upload or close says it comes from. */
export interface RunClaim {
  /** Texts that may hold the run's id, likeliest first. */
  readonly runs: readonly (string | undefined)[];
  /** The commits that the upload is for; undefined on a close, which names none. */
  readonly commits: readonly string[] | undefined;
}

/** The run that vouches for what claims to come from it, or why it does not. */
export type VerifyRun = (view: TokenView, claim: RunClaim & RunPlace) => Promise<RunProblem | VouchedRun>;

interface RunProblem extends TrustProblem {
  /** The run, where all that is wrong is that it has no secrets. */
  readonly withoutSecrets?: DescribedRun;
}

interface RunPlace {
  readonly host: Host;
  readonly repo: RefreshedRepo;
  /** The run that the token is of, where it says so itself: then no other can be named. */
  readonly own?: DescribedRun | undefined;
}

/** The legs of a matrix come with a token each and name one run: it is asked for once in this time, in ms. */
const REMEMBERED = 60_000;
const MAX_REMEMBERED = 1_000;
/** A job id that is no run's and the build number. */
const MAX_LOOKUPS = 2;

/**
 * Remembers runs that vouched, by repo, ids and commits: never anything of a token, each of which is checked for
 * itself.
 */
export function createVerifyRun({ clock }: Pick<Services, 'clock'>): VerifyRun {
  const vouched = new RecentMap<VouchedRun>({ max: MAX_REMEMBERED, lasts: REMEMBERED, now: clock.now });
  return async (view, { host, repo, runs, commits, own }) => {
    const ids = own === undefined ? readRunIds(runs, host.runs).slice(0, MAX_LOOKUPS) : [own.id];
    const key = JSON.stringify([host.service, repo.id, ids, commits]);
    const known = vouched.get(key);
    if (known !== undefined) return known;
    const run = own ?? (await findRun(view, { repo, ids }));
    if (run === undefined) return noRun(host, ids);
    const problem =
      findTrustProblem(run, repo.id, host) ?? (await findCommitProblem(view, { host, repo, run, commits }));
    if (problem !== undefined)
      return run.repoId === repo.id && hasNoSecrets(run, host) ? { ...problem, withoutSecrets: run } : problem;
    const { id, number, headCommit } = run;
    vouched.set(key, { id, number, headCommit });
    return { id, number, headCommit };
  };
}

async function findRun(
  view: TokenView,
  { repo, ids }: { readonly repo: RefreshedRepo; readonly ids: readonly string[] },
): Promise<DescribedRun | undefined> {
  for (const id of ids) {
    const run = await view.readRun({ repo: repo.name, run: id });
    if (run !== undefined) return run;
  }
  return undefined;
}

function noRun(host: Host, ids: readonly string[]): TrustProblem {
  if (ids.length === 0) {
    return {
      found: "A workflow's own token counts only together with its run, and no field holds the id of a run.",
      remedy: sendRun(host),
    };
  }
  const remedy = `${sendRun(host)} ${host.tokens.words.seeRun}`;
  return { found: `${host.name} does not show this token a run ${ids.join(' or ')} in the repo.`, remedy };
}

/**
 * Every commit that the upload names is the run's head, or the merge commit that a pull request's run tests; that is
 * asked for once.
 */
async function findCommitProblem(
  view: TokenView,
  claim: RunPlace & { readonly run: WorkflowRun; readonly commits: readonly string[] | undefined },
): Promise<TrustProblem | undefined> {
  const { host, repo, run, commits } = claim;
  if (commits === undefined) return undefined;
  const remedy =
    `Send the commit that the run checked out (${host.tokens.words.commit}) ` +
    "as commit_sha, or use the repo's own token.";
  const others = commits.filter((commit) => !isRunOf(run, [commit]));
  const [other] = others;
  if (other === undefined) return commits.length > 0 ? undefined : { found: 'The job names no commit.', remedy };
  const asks = others.length === 1 && mayTestMerge(run, host.runs);
  const described = asks ? await view.describeCommit({ repo: repo.name, commit: other }) : undefined;
  if (described !== undefined && isMergeOfRun(run, described.parents)) return undefined;
  const found =
    `The run ${run.id} (${quoteValue(run.event)}) is for the commit ${run.headCommit}, ` +
    `but the job is for ${quoteValue(other)}.`;
  return { found, remedy };
}
