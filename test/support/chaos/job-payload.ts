import type { JobPayload, SourceFile } from '@coverage/shared';
import { job, sourceFile } from '../coverage-api.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { type PlannedJob, SHARED_LINES } from './plan-jobs.ts';
import { BASE_BRANCH } from './plan-stories.ts';

const SHARED_FILE = 'src/all.ts';
const OWN_FILE = /^src\/(b\d+-\d+)\.ts$/;

/**
 * The upload that a planned job is: a file that all jobs report and that nothing covers, and one of its own, all
 * covered.
 */
export function jobPayload(
  build: PlannedBuild,
  planned: PlannedJob,
  { repoToken, statesHeads }: { readonly repoToken: string; readonly statesHeads: boolean },
): JobPayload {
  const { number, commit, branch, pullRequest, message, index } = build;
  const stated = statesHeads ? build.target : commit;
  const ci = number === undefined ? 'jenkins' : 'github-actions';
  return {
    ...job({ repo_token: repoToken }),
    service_name: ci,
    // What finds the build of a CI without numbers, however late a job comes (rule 9).
    service_job_id:
      number === undefined
        ? `run-${index}`
        : `id-${planned.leg === undefined ? planned.name : `${index}-${planned.leg}`}`,
    ...(planned.leg === undefined ? {} : { service_job_number: planned.leg }),
    service_attempt: planned.attempt,
    ...(pullRequest === undefined
      ? {}
      : { service_pull_request: String(pullRequest), service_base_branch: BASE_BRANCH }),
    ...(planned.flag === undefined ? {} : { flag_name: planned.flag }),
    ...numbered(number),
    parallel: planned.parallel,
    commit_sha: stated,
    ...(stated === commit ? {} : { service_tested_sha: commit }),
    git: { head: { id: stated, message, author_name: 'Mona Lisa' }, branch },
    source_files: [
      reported(planned, SHARED_FILE, Array(SHARED_LINES).fill(0)),
      reported(planned, `src/${planned.name}.ts`, Array(planned.lines).fill(1)),
    ],
  };
}

function reported({ withSources }: PlannedJob, name: string, coverage: number[]): SourceFile {
  return sourceFile(
    name,
    coverage,
    withSources ? { source: coverage.map((_, line) => `${name}, ${line}`).join('\n') } : {},
  );
}

/** `job()` has a number unless told otherwise. */
function numbered(number: string | undefined): Pick<JobPayload, 'service_number'> {
  return { service_number: number ?? '' };
}

export function isSharedFile(file: string): boolean {
  return file === SHARED_FILE;
}

/** The name of the planned job whose own file this is. */
export function ownerOfFile(file: string): string | undefined {
  return OWN_FILE.exec(file)?.[1];
}

/** The lines of its own file by which a job's percentage tells it from the others of its build. */
export function linesOfPercent(percent: number): number {
  return Math.round((SHARED_LINES * percent) / (100 - percent));
}
