import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { hashDigests } from '../../core/digest-filter.ts';
import { listTexts as textsIn, readTotals as totalsIn } from '../codec/decode-report.ts';
import { decodeDiff } from '../codec/diff-codec.ts';
import type { IngestedJob, IngestLimits, UploadBody } from '../ingest/ingest.ts';
import { ingestJob } from '../ingest/ingest-job.ts';
import { ingestPreview as readPreview } from '../ingest/ingest-preview.ts';
import type { ReportBytes } from '../report-bytes.ts';
import type { EncodedComposition, EncodedFlags, SourcePair } from '../report-engine.ts';
import { writeReportPart } from '../writing/write-part.ts';
import { browseReport } from './browse-report.ts';
import { composeEncoded, findChangedEncoded, mergeEncoded, splitEncoded } from './compose-encoded.ts';
import { diffSources as diffTexts } from './diff-sources.ts';
import { lowerThreadPriority } from './lower-thread-priority.ts';
import { packDiffs, unpackComposition, unpackFlags, type WithDiffs } from './packed-diffs.ts';
import { type Asked, listFilePage, readOneFile, readSomeFiles, readSourceLines } from './read-stored.ts';
import { answerWith, type ThreadAnswer } from './thread-answer.ts';
import { noteBeginning, type TaskBeginning } from './thread-time.ts';
import { wholeBuffers } from './whole-buffers.ts';

/**
 * The entry of a worker thread: thread-pool.ts calls these by name. Whatever a .ts thread imports must be relative or a
 * package.
 */

lowerThreadPriority();

export interface IngestTask {
  readonly body: UploadBody;
  readonly limits: IngestLimits;
  /** The body's buffer comes back with the answer. */
  readonly keepsBody: boolean;
  readonly beginning: TaskBeginning;
}

/** ingestJob, with a Failure as plain data. */
export async function ingest(task: IngestTask): Promise<unknown> {
  noteBeginning(task.beginning);
  const answer = await answerWith(() => ingestJob(task.body, task.limits));
  return answerTask(task, answer, 'value' in answer ? bytesOf(answer.value) : []);
}

/** ingestPreview, with a Failure as plain data. */
export async function ingestPreview(task: IngestTask): Promise<unknown> {
  noteBeginning(task.beginning);
  const answer = await answerWith(() => readPreview(task.body, task.limits));
  return answerTask(task, answer, 'value' in answer ? answer.value.jobs.flatMap(bytesOf) : []);
}

/** Hands over the parts of an answer, and gives the body's buffer back or frees it: no part is a view of it. */
function answerTask(task: IngestTask, answer: ThreadAnswer<unknown>, parts: readonly Uint8Array[]): unknown {
  const buffer = task.body.bytes.buffer as ArrayBuffer;
  if (task.keepsBody) return moveBytes({ ...answer, kept: buffer }, [...parts, new Uint8Array(buffer)]);
  buffer.transfer(0);
  return moveBytes(answer, parts);
}

function bytesOf({ report, sources }: IngestedJob): readonly Uint8Array[] {
  return [report, ...sources.map((source) => source.bytes)];
}

/** A question of a merge, and the bytes of memory that it may take; undefined: any. */
export interface MergeTask<Asked> {
  readonly asked: Asked;
  readonly budget: number | undefined;
}

/** composeEncoded, with a Failure as plain data. */
export async function compose({ asked, budget }: MergeTask<WithDiffs<EncodedComposition>>): Promise<unknown> {
  const answer = await answerWith(() => composeEncoded(unpackComposition(asked), budget));
  collectGarbage();
  if (!('value' in answer)) return answer;
  const { report, mergedJobs } = answer.value;
  return moveBytes(answer, [report, ...mergedJobs.map((merged) => merged.report)]);
}

/** mergeEncoded, with a Failure as plain data. */
export async function mergeReports({ asked, budget }: MergeTask<readonly ReportBytes[]>): Promise<unknown> {
  const answer = await answerWith(() => mergeEncoded(asked, budget));
  freeBuffers(asked);
  collectGarbage();
  return 'value' in answer ? moveBytes(answer, [answer.value]) : answer;
}

/** splitEncoded, with a Failure as plain data. */
export async function splitFlags(task: MergeTask<WithDiffs<EncodedFlags>>): Promise<unknown> {
  const answer = await answerWith(() => splitEncoded(unpackFlags(task.asked), task.budget));
  collectGarbage();
  return answer;
}

/** What a close asks before it composes (rule 16), with a Failure as plain data. */
export const findChangedCarried = (task: MergeTask<Parameters<typeof findChangedEncoded>[0]>): Promise<unknown> =>
  answerWith(() => findChangedEncoded(task.asked, task.budget));
export const diffSources = ({ asked }: MergeTask<SourcePair>): Promise<unknown> => answerWith(() => diffTexts(asked));
export const readDiff = (stored: Uint8Array): Promise<unknown> => answerWith(() => packDiffs([decodeDiff(stored)]));

/** The questions of a ReportReader, with a Failure as plain data. */
export const listFiles = (asked: Asked<'listFiles'>): Promise<unknown> => answerWith(() => listFilePage(asked));
export async function listTexts({ report }: Asked<'listTexts'>): Promise<unknown> {
  const answer = await answerWith(() => hashDigests(textsIn(report)));
  return 'value' in answer ? moveBytes(answer, [answer.value]) : answer;
}
export const browse = (asked: Asked<'browse'>): Promise<unknown> => answerWith(() => browseReport(asked));
export const readTotals = ({ report, name }: Asked<'readTotals'>): Promise<unknown> =>
  answerWith(() => totalsIn(report, name));
export async function readFile(asked: Asked<'readFile'>): Promise<unknown> {
  const answer = await answerWith(() => readOneFile(asked));
  return 'value' in answer && answer.value ? moveBytes(answer, [answer.value.hits]) : answer;
}
export const readFiles = (asked: Asked<'readFiles'>): Promise<unknown> => answerWith(() => readSomeFiles(asked));
export async function writePart(asked: Asked<'writePart'>): Promise<unknown> {
  const answer = await answerWith(() => writeReportPart(asked));
  return 'value' in answer ? moveBytes(answer, [answer.value.text]) : answer;
}
export const readLines = (asked: Asked<'readLines'>): Promise<unknown> => answerWith(() => readSourceLines(asked));

/** Now, not when the collector finds them: what comes next may be as large. */
function freeBuffers(bytes: readonly Uint8Array[]): void {
  for (const buffer of new Set(bytes.map((part) => part.buffer as ArrayBuffer))) buffer.transfer(0);
}

/** Hands large buffers over instead of copying them. */
function moveBytes<Answer extends object>(answer: Answer, bytes: readonly ArrayBufferView[]): unknown {
  const moved = { [transferableSymbol]: wholeBuffers(bytes), [valueSymbol]: answer };
  return move(moved as unknown as Parameters<typeof move>[0]);
}

/**
 * Bytes; less is left to the collector's own time. A full collection also drops what V8 compiled for objects of which
 * there is none just then: one after each merge made it compile 4,000 functions while 200 jobs came.
 */
const WORTHWHILE = 64 * 2 ** 20;

let collect: (() => void) | undefined;

/**
 * Frees the columns of a large merge now: an idle thread collects nothing, and the next merge may run in another one.
 */
function collectGarbage(): void {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  if (arrayBuffers + heapUsed < WORTHWHILE) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
