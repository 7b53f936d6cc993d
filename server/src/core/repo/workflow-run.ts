import type { GitHost, HostRuns } from './git-host.ts';
import { RUN_WITHOUT_SECRETS, runOfBot } from './sentences.ts';

/** One run of a workflow, as its git host describes it. Ids as texts. */
export interface WorkflowRun {
  readonly id: string;
  /** The host's count of the workflow's runs, which some clients send as service_number. */
  readonly number?: string | undefined;
  /** The numeric id of the repo that it belongs to. */
  readonly repoId: string;
  /** For the repo that holds its head; undefined once that was deleted. */
  readonly headRepoId: string | undefined;
  /** `<owner>/<name>` of that repo. */
  readonly headRepoName?: string | undefined;
  /** What it was started for; for a pull request its head, though the merge commit is what it checks out. */
  readonly headCommit: string;
  /** The host's own word for what started it. */
  readonly event: string;
  /** The login on whose behalf it runs, also when another person runs it again. */
  readonly actor: string | undefined;
  readonly ended: boolean;
}

/** The run that its host vouched for, together with a workflow's own token (rule 29). */
export interface VouchedRun extends Pick<WorkflowRun, 'id' | 'number' | 'headCommit'> {
  /** The host denied this server access: `headCommit` is what it signed, on a pull request the merge commit. */
  readonly unconfirmed?: true | undefined;
}

/** Why something is not believed, and what to do instead: two sentences. */
export interface TrustProblem {
  readonly found: string;
  readonly remedy: string;
}

/**
 * Rule 29: why a run does not vouch for an upload with its own token; undefined when it does. A fork's workflow has a
 * token that covers the base repo too, and could name any run of it: so a run has to be in progress.
 */
export function findTrustProblem(
  run: WorkflowRun,
  repoId: string,
  host: Pick<GitHost, 'runs' | 'tokens'>,
): TrustProblem | undefined {
  const remedy = sendRun(host);
  if (run.repoId !== repoId) return { found: `The run ${run.id} belongs to another repo.`, remedy };
  if (run.headRepoId !== repoId) {
    return {
      found: `The run ${run.id} builds a commit of a fork, which anybody may have written.`,
      remedy: RUN_WITHOUT_SECRETS,
    };
  }
  const bot = run.actor === undefined ? undefined : host.runs.botWithoutSecrets(run.actor);
  if (bot !== undefined) {
    return {
      found: runOfBot(run.id, bot),
      remedy: RUN_WITHOUT_SECRETS,
    };
  }
  if (!run.ended) return undefined;
  return { found: `The run ${run.id} has ended, so this does not come from it.`, remedy };
}

/** What to send if no run is known. */
export function sendRun({ tokens }: Pick<GitHost, 'tokens'>): string {
  return `Send ${tokens.words.runId} as service_number (on close as payload.build_num), or use the repo's own token.`;
}

/** Whether a run is for one of these commits, as far as the run says. */
export function isRunOf(run: WorkflowRun, commits: readonly string[]): boolean {
  return commits.some((commit) => commit.toLowerCase() === run.headCommit.toLowerCase());
}

/**
 * Whether the commit can be the merge commit that a pull request's run checks out: its head is one of several parents.
 */
export function isMergeOfRun(run: WorkflowRun, parents: readonly string[]): boolean {
  return parents.length > 1 && isRunOf(run, parents);
}

/**
 * Whether what a run checks out may be another commit than its head: a pull request's temporary merge commit (rule 21).
 */
export function mayTestMerge(run: WorkflowRun, runs: HostRuns): boolean {
  return ['pull-request', 'review'].includes(runs.triggerOf(run.event));
}

/** The runs that texts name. Our action puts the job's name behind the run's id. */
export function namedRuns(texts: readonly (string | undefined)[], runs: HostRuns): readonly string[] {
  const beginnings = texts.map((text) => /^(\d+)-/.exec(text ?? '')?.[1]);
  return readRunIds([...texts, ...beginnings], runs);
}

/** The texts that can be a run's id, each once, in the order given. A job's name or a UUID is none. */
export function readRunIds(texts: readonly (string | undefined)[], runs: HostRuns): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined && runs.isRunId(text)))] as readonly string[];
}
