import { type Composition, composeReport } from '../../core/builds/build-report.ts';
import { createFileChooser } from '../../core/builds/file-choice.ts';
import type { Report } from '../../core/coverage/file-coverage.ts';
import { createRunningMerge } from '../../core/coverage/merge.ts';
import { Failure } from '../../core/failure.ts';
import { sumOwnChange } from '../../core/verdict/split-change.ts';
import { decodeReport } from '../codec/decode-report.ts';
import { encodeReport, ReportTooLarge } from '../codec/encode-report.ts';
import { measureReport } from '../codec/measure-report.ts';
import { encodeMerged, mergeIntoMemory, mergeIntoStored, namesOfConflicts } from '../codec/merge-stored.ts';
import type { ReportBytes } from '../report-bytes.ts';
import {
  CannotMerge,
  type EncodedComposed,
  type EncodedComposition,
  type EncodedFlags,
  type FlagSplit,
  type MergedJobs,
} from '../report-engine.ts';
import { findChangedCarried } from './changed-carried.ts';
import { checkMerged, estimateMerge } from './merge-estimate.ts';

/** From this many reports on, the merged one is kept: encoding it costs as much as merging two or three. */
const WORTH_KEEPING = 4;

/**
 * Decodes what a close merges, one flag after another, composes it and encodes the outcome. Throws CannotMerge for a
 * damaged report, and for what is more than a report or `budget` (bytes of memory) can hold.
 */
export function composeEncoded(input: EncodedComposition, budget?: number): EncodedComposed {
  return orCannotMerge(() => {
    estimateMerge(input, budget);
    const mergedJobs: MergedJobs[] = [];
    const composed = composeReport(decodedLater(input, budget, (merged) => void mergedJobs.push(merged)));
    return { ...composed, report: encodeReport(composed.report), mergedJobs };
  });
}

/** ReportEngine.mergeReports, on this thread. */
export function mergeEncoded(reports: readonly ReportBytes[], budget?: number): ReportBytes {
  return orCannotMerge(() => {
    const jobs = reports.map((report) => ({ flag: undefined, report }));
    estimateMerge({ jobs, carried: [], base: undefined }, budget);
    return mergeIntoStored(reports);
  });
}

/** Encoded a report is a hundredth of its columns: each is decoded when it is read, and let go after it. */
function decodedLater(
  { jobs, carried, base, diffs, parts, choice, baseChoice, flips }: EncodedComposition,
  budget: number | undefined,
  keep: (merged: MergedJobs) => void,
): Composition {
  const check = checkMerged(budget);
  const ofFlags = Map.groupBy(jobs.keys(), (place) => jobs[place]?.flag);
  const batches = [...ofFlags].flatMap(([flag, places]) =>
    batchesOf(places, (place) => jobs[place]?.report as ReportBytes).map((batch) => ({ flag, ...batch })),
  );
  return {
    jobs: batches.map(({ flag, places, reports }) => {
      let digestConflicts: readonly string[] = [];
      return {
        flag,
        get report() {
          const merged = mergeIntoMemory(reports);
          check(merged.report);
          if (places.length >= WORTH_KEEPING) keep({ places, report: encodeMerged(merged) });
          digestConflicts = namesOfConflicts(merged);
          return merged.report;
        },
        /** Once `report` was read. */
        get digestConflicts() {
          return digestConflicts;
        },
      };
    }),
    carried: carried.map(({ reports, ...one }) => ({
      ...one,
      get report() {
        return mergeDecoded(reports, budget);
      },
    })),
    get base() {
      return base === undefined ? undefined : decodeReport(base);
    },
    diffs,
    parts,
    choice,
    baseChoice,
    flips,
    check,
  };
}

/** ReportEngine.splitFlags, on this thread. A flag that is more than `budget` can hold is left out. */
export function splitEncoded({ flags, diffs, choice }: EncodedFlags, budget?: number): readonly FlagSplit[] {
  const choose = createFileChooser(choice);
  return orCannotMerge(() =>
    flags
      .filter((flag) => fits(flag, budget))
      .flatMap(({ flag, reports, baseReports }) => {
        const merge = (some: readonly ReportBytes[]): Report => choose(mergeDecoded(some, budget), flag);
        const compared = { base: merge(baseReports), head: merge(reports) };
        const split = sumOwnChange(compared, diffs);
        return split === undefined ? [] : [{ flag, split }];
      }),
  );
}

/** ReportEngine.findChangedCarried, on this thread. */
export function findChangedEncoded(asked: Pick<EncodedComposition, 'jobs' | 'carried'>, budget?: number) {
  return orCannotMerge(() => {
    estimateMerge({ ...asked, base: undefined }, budget);
    return findChangedCarried(asked);
  });
}

/** What the codec refuses and what it cannot read: no further try can fix that. */
function orCannotMerge<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReportTooLarge) throw new CannotMerge({ kind: 'limit', ...error.excess }, error.message);
    if (!(error instanceof Failure) || error instanceof CannotMerge || error.code !== 'internal') throw error;
    throw new CannotMerge({ kind: 'damaged' }, error.message, { cause: error.cause });
  }
}

function fits({ reports, baseReports }: EncodedFlags['flags'][number], budget: number | undefined): boolean {
  const jobs = [...reports, ...baseReports].map((report) => ({ flag: undefined, report }));
  try {
    estimateMerge({ jobs, carried: [], base: undefined }, budget);
    return true;
  } catch (error) {
    if (error instanceof CannotMerge) return false;
    throw error;
  }
}

/** The reports of a flag, which may have come in several jobs, as one. Decoded one after the other too. */
function mergeDecoded(reports: readonly ReportBytes[], budget: number | undefined): Report {
  const check = checkMerged(budget);
  const merge = createRunningMerge(check);
  for (const batch of batchesOf(reports.keys(), (place) => reports[place] as ReportBytes)) {
    const { report } = mergeIntoMemory(batch.reports);
    check(report);
    merge.add(report);
  }
  return merge.finish();
}

/** Reports that are open at a time. */
const MAX_OPEN = 8;
/** Bytes that their open parts may take together: a report of few, very long files is open as a whole. */
const OPEN_BYTES = 32 * 2 ** 20;

/** Reports that are merged in one go, and their places. */
interface MergeBatch {
  readonly places: readonly number[];
  readonly reports: readonly ReportBytes[];
}

/** Reports in groups that can be open at a time, whatever they hold; in the order given. */
function batchesOf(places: Iterable<number>, reportAt: (place: number) => ReportBytes): readonly MergeBatch[] {
  const batches: { readonly places: number[]; readonly reports: ReportBytes[] }[] = [];
  let open = 0;
  for (const place of places) {
    const report = reportAt(place);
    const { openBytes } = measureReport(report);
    open += openBytes;
    const batch = batches.at(-1);
    if (batch === undefined || batch.places.length === MAX_OPEN || open > OPEN_BYTES) {
      batches.push({ places: [place], reports: [report] });
      open = openBytes;
    } else {
      batch.places.push(place);
      batch.reports.push(report);
    }
  }
  return batches;
}
