import { hash } from 'node:crypto';
import type { GitInfo, JobPayload } from '@coverage/shared';
import type { Commit } from './commit.ts';
import type { EventFacts, GithubEvent } from './event.ts';
import type { Git } from './git.ts';
import { completeSha, findTested, type Tested } from './tested.ts';

/** What the runner says about the run (the default variables of GitHub Actions). Empty if it says nothing. */
export interface Runner {
  readonly eventName: string;
  readonly sha: string;
  readonly ref: string;
  readonly refName: string;
  readonly headRef: string;
  readonly repository: string;
  readonly runId: string;
  readonly runAttempt: string;
  readonly job: string;
  readonly serverUrl: string;
  /** Absolute. */
  readonly workspace: string;
  readonly event: GithubEvent;
}

/** What the step's inputs say about the build. Empty if they say nothing. */
export interface BuildInputs {
  readonly buildNumber: string;
  readonly flagName: string;
  readonly basePath: string;
  /** `file` and `files` as written. */
  readonly files: readonly string[];
  /** The matrix values of this job as JSON, `null` without a matrix. */
  readonly matrix: string;
  readonly gitBranch: string;
  readonly gitCommit: string;
  readonly compareRef: string;
  readonly compareSha: string;
  /** The pull request, where the step states it; empty or absent: it is the event's. */
  readonly pullRequest?: string;
}

/** Who built what: a job's fields apart from its token, its report and `parallel`. */
export type BuildContext = Omit<JobPayload, 'repo_token' | 'source_files' | 'parallel' | 'run_at'>;

/**
 * Puts together what was tested, and what the runner, git and the inputs know of a build; an input wins over all else.
 */
export async function readBuildContext(
  runner: Runner,
  inputs: BuildInputs,
  git: Git,
  tested?: Tested,
): Promise<BuildContext> {
  const { facts, given, mergeSha: testedSha } = tested ?? (await findTested(runner, inputs, git));
  // The server may know a build of a commit that the checkout lacks.
  const commitSha = given || facts.headSha;
  const known = { workspace: runner.workspace, known: [facts.headSha, runner.sha, facts.baseSha] };
  const compareSha = (await completeSha(inputs.compareSha, known, git)) ?? inputs.compareSha;
  const branch = inputs.gitBranch || facts.branch;
  const baseSha = await findBaseSha(runner, { facts, testedSha }, git);
  const runUrl = runner.runId && `${runner.serverUrl}/${runner.repository}/actions/runs/${runner.runId}`;
  return {
    service_name: 'github',
    git: await readGitInfo(runner, { facts, commitSha, branch }, git),
    ...stated({
      repo_name: runner.repository,
      service_number: inputs.buildNumber || runner.runId,
      service_job_id: [runner.runId, runner.job].filter(Boolean).join('-'),
      service_pull_request: inputs.pullRequest || facts.pullRequest,
      service_branch: branch,
      service_build_url: runUrl,
      service_job_url: runUrl,
      service_event_type: runner.eventName,
      service_base_branch: facts.baseBranch,
      service_base_sha: baseSha,
      service_tested_sha: testedSha === commitSha ? '' : testedSha,
      commit_sha: commitSha,
      flag_name: inputs.flagName,
      compare_ref: inputs.compareRef,
      compare_sha: compareSha,
    }),
    service_job_number: jobNumber(inputs),
    ...(/^\d+$/.test(runner.runAttempt) ? { service_attempt: Number(runner.runAttempt) } : {}),
  };
}

/**
 * Tells the legs of a matrix, and the steps of a job, apart by what distinguishes them in the workflow file; a re-run
 * of the same leg gets the same number, so that it replaces the earlier upload (rules.md, rule 10). 16 hexadecimal
 * digits.
 */
function jobNumber({ matrix, files, flagName, basePath }: BuildInputs): string {
  return hash('sha256', JSON.stringify([matrix.trim(), files, flagName, basePath])).slice(0, 16);
}

/** For a merge commit its first parent: the event's `base.sha` is older wherever the base branch has moved on since. */
async function findBaseSha(
  runner: Runner,
  { facts, testedSha }: { facts: EventFacts; testedSha: string },
  git: Git,
): Promise<string> {
  const merge = testedSha === '' ? undefined : await git.readCommit(runner.workspace, testedSha);
  const isMergeOfHead = merge?.parents.length === 2 && merge.parents[1] === facts.headSha;
  return isMergeOfHead ? (merge.parents[0] as string) : facts.baseSha;
}

async function readGitInfo(
  runner: Runner,
  { facts, commitSha, branch }: { facts: EventFacts; commitSha: string; branch: string },
  git: Git,
): Promise<GitInfo> {
  const known = await git.readCommit(runner.workspace, commitSha);
  const commit: Omit<Commit, 'parents'> = known ?? (commitSha === facts.headSha ? facts.commit : { message: '' });
  const remotes = await git.remotes(runner.workspace);
  return {
    head: stated({
      id: commitSha,
      author_name: commit.authorName,
      author_email: commit.authorEmail,
      committer_name: commit.committerName,
      committer_email: commit.committerEmail,
      message: commit.message,
    }),
    ...stated({ branch }),
    ...(remotes.length === 0 ? {} : { remotes }),
  };
}

/** The entries that say something. */
function stated<T extends Record<string, string | undefined>>(values: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]?: string;
  };
}
