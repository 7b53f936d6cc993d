import { quoteValue } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { RunClaims } from '../../core/repo/run-claims.ts';
import { findTrustProblem, type TrustProblem, type WorkflowRun } from '../../core/repo/workflow-run.ts';
import type { Texts } from '../../core/sentences.ts';
import { createDeadline, type Deadline, DeadlineExceeded } from '../../hosts/facts/deadline.ts';
import type { Host } from '../../ports/host.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';

export interface PullRun {
  readonly host: Host;
  readonly claims: RunClaims;
  /** The commit that the upload is for; undefined: it names none. */
  readonly commit: string | undefined;
  /** Milliseconds that the request has taken so far. */
  readonly spent: number | undefined;
}

/**
 * What an ID token does not say of a pull request's run, by this server's own sign-in: whether it builds a fork, and
 * which head its merge commit merges. Answers that head, why the run does not vouch, or why nothing is answered at
 * all. Throws a ProviderFailure or a DeadlineExceeded.
 */
export type VerifyPullRun = (asked: PullRun) => Promise<TrustProblem | RunHead | { readonly denied: string }>;

/** `ref`: of the run, where its host tells it apart from the pull request's. */
export interface RunHead {
  readonly head: string;
  readonly ref?: string | undefined;
}

/** Clients give up after 10 s (wire.md); in ms. */
const TIME_LIMIT = 6_000;
const WHOLE_ANSWER = 9_000;
const MIN_TIME_LIMIT = 1_000;
/** The legs of a matrix have a token each and one run: it is asked about once in this time, in ms. */
const REMEMBERED = 60_000;
const MAX_REMEMBERED = 1_000;

export function createVerifyPullRun({ clock, timers }: Pick<Services, 'clock' | 'timers'>): VerifyPullRun {
  const verified = new RecentMap<RunHead>({
    max: MAX_REMEMBERED,
    lasts: REMEMBERED,
    now: clock.now,
  });
  return async ({ host, claims, commit, spent = 0 }) => {
    const { provider } = host;
    if (provider === undefined)
      return {
        found:
          `Its run ${claims.run} is about a pull request, ` +
          `and this server cannot ask ${host.name} what that run merges.`,
        remedy: `Have the operator set ${host.credential}, or use the repo's own token.`,
      };
    const key = JSON.stringify([host.service, claims.repo.id, claims.run, claims.commit, commit]);
    const known = verified.get(key);
    if (known !== undefined) return known;
    const limit = Math.max(MIN_TIME_LIMIT, Math.min(TIME_LIMIT, WHOLE_ANSWER - spent));
    const found = await askHost({ host, provider, claims, commit, deadline: createDeadline(timers, limit) });
    if (!('head' in found)) return found;
    verified.set(key, found);
    return found;
  };
}

/** Whether the host gave no answer for now; what it refuses for good is one. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof DeadlineExceeded || (error instanceof ProviderFailure && error.kind !== 'permanent');
}

async function askHost(
  asked: Omit<PullRun, 'spent'> & { readonly provider: Provider; readonly deadline: Deadline },
): ReturnType<VerifyPullRun> {
  const { host, provider, claims, commit, deadline } = asked;
  try {
    const run = await deadline(() => provider.readRun({ repo: claims.repo.name, run: claims.run }));
    if (run === undefined)
      return {
        found: `${host.name} does not show this server a run ${claims.run} in the repo.`,
        remedy: giveServerAccess(host.name),
      };
    const head = run.headCommit.toLowerCase();
    const problem = findTrustProblem(run, claims.repo.id, host);
    if (problem !== undefined) return problem;
    const found = { head, ref: run.ref };
    if (commit === undefined || commit === claims.commit) return found;
    return (await findHeadProblem(asked, run)) ?? found;
  } catch (error) {
    if (!(error instanceof ProviderFailure) || isUnanswered(error)) throw error;
    if (error.accessDenied) return { denied: error.message };
    return refusedToTell(host, error);
  }
}

export function refusedToTell({ name }: Pick<Host, 'name'>, { status }: ProviderFailure): TrustProblem {
  return {
    found: `${name} refused (${status ?? 'without a status'}) to show this server its run.`,
    remedy: giveServerAccess(name),
  };
}

/** The commit is the head of the run, and the second parent of the merge commit that the token is of. */
async function findHeadProblem(
  { provider, claims, commit, deadline }: Parameters<typeof askHost>[0],
  run: WorkflowRun,
): Promise<TrustProblem | undefined> {
  const merge = await deadline(() => provider.describeCommit({ repo: claims.repo.name, commit: claims.commit }));
  const parents = (merge?.parents ?? []).map((one) => one.toLowerCase());
  // For a merge; a host may name the head first.
  const isMerged = parents.length > 1 && parents.includes(commit ?? '');
  if (isMerged && run.headCommit.toLowerCase() === commit) return undefined;
  const parent = parents[1];
  const seen = { merge: claims.commit, parent: parent ?? 'no commit', head: quoteValue(commit) };
  return {
    found: notSecondParent(seen),
    remedy: "Send the head of the run's pull request as commit_sha, or use the repo's own token.",
  };
}

function giveServerAccess(host: string): string {
  return `Have the operator give it access at ${host} (reading of Actions too), or use the repo's own token.`;
}

function notSecondParent({ merge, head, parent }: Texts<'merge' | 'head' | 'parent'>): string {
  return `Its run tests ${merge}, which merges ${parent}, but the job is for ${head}.`;
}
