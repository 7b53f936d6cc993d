import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { IngestLimits, UploadBody } from '../ingest/ingest.ts';
import { ingestJob } from '../ingest/ingest-job.ts';
import type { EncodedComposition } from '../ports/report-engine.ts';
import { composeEncoded } from './compose-encoded.ts';
import { answerWith } from './thread-answer.ts';

/** The entry of a worker thread: thread-pool.ts calls these by name. Whatever a .ts thread imports must be relative or a package. */

export interface IngestTask {
  readonly body: UploadBody;
  readonly limits: IngestLimits;
}

/** ingestJob, with a Failure as plain data. */
export async function ingest({ body, limits }: IngestTask): Promise<unknown> {
  const answer = await answerWith(() => ingestJob(body, limits));
  return 'value' in answer
    ? moveBytes(answer, [answer.value.report, ...answer.value.sources.map((source) => source.bytes)])
    : answer;
}

/** composeEncoded, with a Failure as plain data. */
export async function compose(input: EncodedComposition): Promise<unknown> {
  const answer = await answerWith(() => composeEncoded(input));
  return 'value' in answer ? moveBytes(answer, [answer.value.report]) : answer;
}

/** Hands the bytes over instead of copying them; those that are views of a larger buffer are copied by the message. */
function moveBytes<Answer extends object>(answer: Answer, bytes: readonly Uint8Array[]): unknown {
  const buffers = bytes.filter((part) => part.byteLength === part.buffer.byteLength).map((part) => part.buffer);
  return move({ [transferableSymbol]: [...new Set(buffers)], [valueSymbol]: answer } as unknown as Parameters<typeof move>[0]);
}
