import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeDiff } from '../codec/diff-codec.ts';
import { measureReport, measureSome } from '../codec/measure-report.ts';
import type { ReportBytes } from '../report-bytes.ts';
import { browseReport } from './browse-report.ts';
import { packDiffs } from './packed-diffs.ts';
import { type Asked, readOneFile, readSomeFiles, readSourceLines } from './read-stored.ts';

/*
 * The first thread takes more processor time to start than the page of a usual build needs for all that it reads. So
 * while there is none, what is small is read on the main thread. How long that takes is bounded before it is read,
 * whatever is in the bytes.
 */

/** Bytes of a text or a diff: as it is stored, and unpacked. */
const MAX_STORED = 2 ** 15;
const MAX_TEXT = 2 ** 18;
/** What a report may hold: a build of this project has 1,100 files and 100,000 lines. */
const MAX_TABLE = 2 ** 18;
const MAX_FILES = 3_000;
/** Bytes of all names: each may share most of them with the one before, so that the table says little of them. */
const MAX_NAMES = 2 ** 18;
const MAX_LINES = 200_000;
const MAX_BRANCHES = 50_000;
/** Lines and branches of the files of one question, which are decoded, and how many files these are. */
const MAX_DECODED = 20_000;
const MAX_ASKED = 20;

interface Read {
  readonly value: unknown;
}

interface Questions {
  browse(asked: Asked<'browse'>): Read | undefined;
  readFile(asked: Asked<'readFile'>): Read | undefined;
  readFiles(asked: Asked<'readFiles'>): Read | undefined;
  readLines(asked: Asked<'readLines'>): Read | undefined;
  readDiff(stored: Uint8Array): Read | undefined;
}

/** By the names of report-thread.ts, and with its answers; undefined: too much for this thread. */
const QUESTIONS: Questions = {
  browse(asked) {
    const { report, base, within, choice } = asked;
    // A repo has many groups, with many patterns.
    const isQuick = within === undefined && choice.group === undefined;
    return isQuick && isSmall(report) && (base === undefined || isSmall(base))
      ? { value: browseReport(asked) }
      : undefined;
  },
  readFile: (asked) => (isSmall(asked.report, [asked]) ? { value: readOneFile(asked) } : undefined),
  readFiles: (asked) => (isSmall(asked.report, asked.files) ? { value: readSomeFiles(asked) } : undefined),
  readLines: (asked) =>
    asked.source.byteLength <= MAX_STORED ? { value: readSourceLines(asked, MAX_TEXT) } : undefined,
  readDiff(stored) {
    const diff = stored.byteLength <= MAX_STORED ? decodeDiff(stored, MAX_TEXT) : undefined;
    return diff && { value: packDiffs([diff]) };
  },
};

export type QuickQuestion = keyof Questions;

/** In a turn of the event loop of its own. Undefined: a thread is to be asked, also for what could not be read. */
export async function readHere<Name extends QuickQuestion>(
  name: Name,
  asked: Parameters<Questions[Name]>[0],
): Promise<Read | undefined> {
  await nextTurn();
  try {
    return (QUESTIONS[name] as (asked: Parameters<Questions[Name]>[0]) => Read | undefined)(asked);
  } catch {
    return undefined;
  }
}

/** `decoded`: files whose lines are asked for. */
function isSmall(report: ReportBytes, decoded: readonly { readonly name: string }[] = []): boolean {
  if (decoded.length > MAX_ASKED) return false;
  const { files, lines, branches, nameBytes } = measureReport(report, { maxTable: MAX_TABLE });
  if (files > MAX_FILES || nameBytes > MAX_NAMES || lines > MAX_LINES || branches > MAX_BRANCHES) return false;
  const names = decoded.map(({ name }) => name);
  return decoded.length === 0 || measureSome(report, names) <= MAX_DECODED;
}
