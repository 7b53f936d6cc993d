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

/** Below this many bytes a copy costs less than a buffer that changes hands; a job may bring half a million sources. */
const LEAST_MOVED = 65_536;

/** Hands large buffers over instead of copying them; those that are views of a larger one are copied by the message. */
function moveBytes<Answer extends object>(answer: Answer, bytes: readonly Uint8Array[]): unknown {
  const moved = bytes.filter((part) => part.byteLength >= LEAST_MOVED && part.byteLength === part.buffer.byteLength);
  const buffers = [...new Set(moved.map((part) => part.buffer))];
  return move({ [transferableSymbol]: buffers, [valueSymbol]: answer } as unknown as Parameters<typeof move>[0]);
}
