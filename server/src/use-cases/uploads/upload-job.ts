import type { JobFacts } from '../../domain/builds/job.ts';
import { Failure, quoteValue } from '../../domain/failure.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AcceptedJob, AcceptJob, Store } from '../../ports/store.ts';
import type { CheckRepoName } from './check-repo-name.ts';
import type { IdentifyUploader, UploaderClaim } from './identify-uploader.ts';

/** What is to be accepted once its repo is known. */
export interface UploadedJob extends Omit<AcceptJob, 'repoId' | 'periods' | 'at'> {
  readonly token: string | undefined;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
  readonly filesWithoutSource: number;
  /** Milliseconds since the upload was all here. */
  readonly spent?: number;
}

export interface UploadJobDeps {
  readonly store: Pick<Store, 'jobs'>;
  readonly clock: Clock;
  readonly identifyUploader: IdentifyUploader;
  readonly checkRepoName: CheckRepoName;
  readonly periods: { readonly quiet: number; readonly late: number };
  /** Called when the accepted job makes something due. */
  readonly onDue: () => void;
}

/** Accepts a job: stored and synced, with the close that it makes due, before this answers (rule 11). */
export type UploadJob = (upload: UploadedJob) => Promise<AcceptedUpload>;

export interface AcceptedUpload extends AcceptedJob {
  /** Those of its warnings that whoever set up the client should see. */
  readonly told: readonly string[];
}

export function createUploadJob(deps: UploadJobDeps): UploadJob {
  const { store, clock, identifyUploader, checkRepoName, periods, onDue } = deps;
  return async (upload) => {
    const { repo, trust, run } = await identifyUploader(claimOf(upload));
    const otherRepo = trust === 'secret' ? await checkRepoName({ repo, repoName: upload.repoName }) : undefined;
    const told = otherRepo === undefined ? [] : [otherRepo];
    const accepted = await store.jobs.accept({
      repoId: repo.id,
      facts: { ...dropSecrets(upload), trust, ...(run !== undefined && { vouchedRun: run }) },
      totals: upload.totals,
      files: upload.files,
      contentDigest: upload.contentDigest,
      warnings: [...told, ...upload.warnings, ...sourceWarnings(repo, upload)],
      report: upload.report,
      sources: upload.sources,
      periods: { late: periods.late, quiet: repo.settings.quietPeriod ?? periods.quiet },
      at: clock.now(),
    });
    if (accepted === undefined) {
      throw new Failure(
        'repo-token-unknown',
        `The repo ${quoteValue(repo.name)} was removed while this job was uploaded. Create it again and use its ` +
          'new repo token.',
      );
    }
    onDue();
    return { ...accepted, told };
  };
}

/**
 * One client sends the run's number as service_number and its id as service_job_id, the others the id as
 * service_number.
 */
function claimOf({ token, repoName, facts, spent }: UploadedJob): UploaderClaim {
  const commits = [facts.commit, facts.testedCommit].filter((commit) => commit !== undefined);
  return { token, repoName, runs: [facts.serviceJobId, facts.serviceNumber], commits, spent };
}

/** One client may send the repo token as its job id: then it is none (wire.md). */
function dropSecrets(upload: UploadedJob): JobFacts {
  const { facts, token } = upload;
  return facts.serviceJobId === token ? { ...facts, serviceJobId: undefined } : facts;
}

function sourceWarnings(repo: Repo, upload: UploadedJob): readonly string[] {
  const { filesWithoutSource } = upload;
  if (repo.service !== 'manual' || filesWithoutSource === 0) return [];
  const files = filesWithoutSource === 1 ? '1 file' : `${filesWithoutSource} files`;
  return [
    `${files} came without source; a manual repo has no provider to show it from, so send "source" with each ` +
      'source file.',
  ];
}
