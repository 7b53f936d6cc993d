import type { Random } from './random.ts';

/** One upload's content: sent once or several times, it is one job. */
export interface PlannedJob {
  /** For findings, and its own file's name. */
  readonly name: string;
  /**
   * Lines of its own file, all covered; different from those of every other job of the build, so that they tell who it
   * is.
   */
  readonly lines: number;
  readonly flag: string | undefined;
  readonly parallel: boolean;
  /** `service_job_number`, of legs that are run again (rule 10). */
  readonly leg: string | undefined;
  readonly attempt: number;
  /** Whether a second attempt of its leg takes its place. */
  readonly replaced: boolean;
  /** Whether it brings the texts of its files, which are stored apart. */
  readonly withSources: boolean;
}

/** Lines of the file that every job reports, none of them covered: each job that is added raises the percentage. */
export const SHARED_LINES = 1_000;

const OWN_LINES = { min: 20, max: 140 };
const FLAGGED = 0.8;
const WITH_SOURCES = 0.4;
/** Part of the builds in which a leg is run again. */
const RERUN_LEGS = 0.4;

export interface JobsWanted {
  /** The build's index. */
  readonly index: number;
  readonly kind: 'parallel' | 'nameless' | 'single';
  readonly flags: readonly string[];
  readonly count: number;
}

export function planJobs(random: Random, { index, kind, flags, count }: JobsWanted): readonly PlannedJob[] {
  const lines = random.distinct(count, OWN_LINES.min, OWN_LINES.max);
  const jobs = lines.map((own) => ({
    name: `b${index}-${own}`,
    lines: own,
    flag: random.chance(FLAGGED) ? random.pick(flags) : undefined,
    parallel: kind !== 'single',
    leg: undefined,
    attempt: 1,
    replaced: false,
    withSources: random.chance(WITH_SOURCES),
  }));
  return kind === 'parallel' && count >= 5 && random.chance(RERUN_LEGS) ? runLegAgain(jobs) : jobs;
}

/** The second attempt has more lines than the first: totals only ever grow, in whatever order they come. */
function runLegAgain(jobs: readonly PlannedJob[]): readonly PlannedJob[] {
  const [first, second] = jobs.slice(0, 2).sort((a, b) => a.lines - b.lines);
  if (first === undefined || second === undefined) return jobs;
  const leg = { leg: '1', flag: first.flag };
  return [{ ...first, ...leg, replaced: true }, { ...second, ...leg, attempt: 2 }, ...jobs.slice(2)];
}

/** Splits `total` at random; each part is at least `least`, and at most `most` as long as others can take more. */
export function shareOut(
  random: Random,
  bounds: readonly { readonly min: number; readonly max: number }[],
  total: number,
): readonly number[] {
  const parts = bounds.map(({ min }) => min);
  for (let left = total - parts.reduce((sum, part) => sum + part, 0); left > 0; left--) {
    const open = parts.flatMap((part, index) => (part < (bounds[index]?.max ?? 0) ? [index] : []));
    if (open.length === 0) break;
    const chosen = random.pick(open);
    parts[chosen] = (parts[chosen] ?? 0) + 1;
  }
  return parts;
}
