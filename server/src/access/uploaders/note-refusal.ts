import { keyOfRefusal, type RefusedUpload } from '../../core/builds/refused-upload.ts';
import { Failure, type FailureCode } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import { createWriteLimit } from '../../platform/limiter.ts';
import type { Services } from '../../services/services.ts';

export interface UploadTrouble {
  /** Undefined: nobody knows whose it is, and nothing is noted. */
  readonly repoId: number | undefined;
  readonly error: unknown;
  /** As its User-Agent says; may be empty. */
  readonly client: string;
}

/** Notes why an upload was refused, for those who see its repo's page. Never fails. */
export type NoteRefusal = (trouble: UploadTrouble) => Promise<void>;

/** What the person who set the client up can fix; a server in trouble says so in its own log. */
const MENDED_BY_CLIENTS: ReadonlySet<FailureCode> = new Set([
  'payload-invalid',
  'payload-too-large',
  'repo-token-unknown',
  'over-limit',
  'forbidden',
  'conflict',
]);

const MAX_SENTENCE = 600;
const MAX_CLIENT = 100;
const MINUTE = 60_000;

/** Writes in a minute: a refusal must stay cheap, whatever is sent. */
export const NOTED_A_MINUTE = { ofRepo: 10, ofAll: 100 };

export function createNoteRefusal({
  refusals,
  secretTexts,
  clock,
  logger,
}: Pick<Services, 'refusals' | 'secretTexts' | 'clock' | 'logger'>): NoteRefusal {
  const mayWrite = createWriteLimit(clock, {
    window: MINUTE,
    ofKey: NOTED_A_MINUTE.ofRepo,
    ofAll: NOTED_A_MINUTE.ofAll,
  });
  return async ({ repoId, error, client }) => {
    if (repoId === undefined || !(error instanceof Failure) || !MENDED_BY_CLIENTS.has(error.code)) return;
    if (!mayWrite(repoId)) return;
    const at = clock.now();
    const refused: Omit<RefusedUpload, 'key'> = {
      repoId,
      code: error.code,
      sentence: printable(secretTexts.hide(error.message), MAX_SENTENCE),
      field: error.field && printable(secretTexts.hide(error.field), MAX_CLIENT),
      client: printable(secretTexts.hide(client), MAX_CLIENT) || undefined,
      firstAt: at,
      lastAt: at,
      count: 1,
    };
    try {
      await refusals.note({ ...refused, key: keyOfRefusal(refused) });
    } catch (cause) {
      logger.warn({ err: cause, repo: repoId }, 'could not record a rejected upload');
    }
  };
}
