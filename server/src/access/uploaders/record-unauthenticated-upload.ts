import { Failure } from '../../core/failure.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { createWriteLimit } from '../../platform/limiter.ts';
import type { Services } from '../../services/services.ts';

/** Notes that an upload named a repo and brought no token of it, for those who maintain that repo. Never fails. */
export type RecordUnauthenticatedUpload = (upload: {
  /** As the upload says; undefined: it names none. */
  readonly repoName: string | undefined;
  readonly error: unknown;
}) => Promise<void>;

/** One repo's entries, and those of all, in a minute. */
const WRITES = { window: 60_000, ofKey: 2, ofAll: 20 };

/** For each repo one entry, which holds nothing that the sender wrote: the sender may want to mislead. */
export function createRecordUnauthenticatedUpload({
  refusals,
  repos,
  clock,
  logger,
}: Pick<Services, 'refusals' | 'repos' | 'clock' | 'logger'>): RecordUnauthenticatedUpload {
  const mayNote = createWriteLimit(clock, WRITES);
  return async ({ repoName, error }) => {
    if (repoName === undefined || !(error instanceof Failure) || error.code !== 'repo-token-unknown') return;
    const services = REPO_SERVICES.filter((service) => findNameProblem(service, repoName) === undefined);
    if (services.length === 0 || !mayNote(repoName.toLowerCase())) return;
    const at = clock.now();
    const refused = {
      key: 'unproven',
      code: error.code,
      sentence: 'An upload named this repo, but had no token for it.',
      field: undefined,
      client: undefined,
      firstAt: at,
      lastAt: at,
      count: 1,
      unproven: true,
    } as const;
    try {
      const found = await Promise.all(services.map((service) => repos.findByName(service, repoName)));
      for (const repo of found) if (repo !== undefined) await refusals.note({ ...refused, repoId: repo.id });
    } catch (cause) {
      logger.warn({ err: cause }, 'could not record a rejected upload');
    }
  };
}
