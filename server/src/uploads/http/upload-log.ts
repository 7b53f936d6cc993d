import type { Context } from 'koa';
import { Failure } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import type { Services } from '../../services/services.ts';
import type { AcceptedUpload } from '../upload-job.ts';

const MAX_CLIENT = 100;
const MAX_SENTENCE = 600;

/** What is known of an upload's repo when it is refused. */
export interface RefusedOf {
  readonly repoId: number | undefined;
  /** As the upload itself says: any text. */
  readonly repoName: string | undefined;
}

/** The one line that the log has of each upload: what became of it, in how many milliseconds, and why. */
export interface UploadLog {
  accepted(upload: AcceptedUpload): void;
  refused(error: unknown, of: RefusedOf): void;
}

export function openUploadLog(
  context: Context,
  { logger, secretTexts }: Pick<Services, 'logger' | 'secretTexts'>,
): UploadLog {
  const begun = performance.now();
  const clean = (text: string, max: number): string => printable(secretTexts.hide(text), max);
  const facts = () => ({
    request: context.state.requestId,
    client: clean(context.get('User-Agent'), MAX_CLIENT),
    bytes: context.request.length,
    ms: Math.round(performance.now() - begun),
  });
  return {
    accepted({ build, job, repeated }) {
      const { id, number, repoId } = build;
      const upload = { repoId, build: id, number, job: job.id, flag: job.facts.flag, files: job.files };
      logger.info({ ...upload, ...(repeated && { repeated }), ...facts() }, 'upload accepted');
    },
    refused(error, { repoId, repoName }) {
      const failure = error instanceof Failure ? error : undefined;
      const of = { repoId, repo: repoName === undefined ? undefined : clean(repoName, MAX_CLIENT) };
      const reason = failure && clean(failure.message, MAX_SENTENCE);
      logger.info({ ...of, code: failure?.code ?? 'internal', reason, ...facts() }, 'upload refused');
    },
  };
}
