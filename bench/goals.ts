import { availableParallelism } from 'node:os';
import { referenceVersions } from './child-runs.ts';
import type { Timing } from './measure.ts';

/** A measured ratio beside what was aimed at. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  /** `below`: good when at most `goal`; `above`: good when at least. */
  readonly wanted: 'below' | 'above';
  readonly goal: number;
  readonly unit: string;
}

export interface BenchResult {
  readonly title: string;
  readonly timings: readonly Timing[];
  readonly goals: readonly Goal[];
  readonly notes: readonly string[];
}

/** What was measured with, as a line. */
export function formatVersions(): string {
  const references = Object.entries(referenceVersions()).map(([name, version]) => `${name} ${version}`);
  return [`Node ${process.versions.node}`, ...references].join(', ');
}

/** Results for machines. */
export function toJson(results: readonly BenchResult[]): object {
  const { node, v8 } = process.versions;
  return {
    versions: {
      node,
      v8,
      platform: process.platform,
      processors: availableParallelism(),
      references: referenceVersions(),
    },
    results: results.map(({ title, timings, goals, notes }) => ({
      input: title,
      unit: 'ms',
      timings,
      goals: goals.map((goal) => ({ ...goal, met: isReached(goal) })),
      notes,
    })),
  };
}

/** A result as lines for a terminal. */
export function formatResult({ title, timings, goals, notes }: BenchResult): string {
  return [
    '',
    title,
    ...timings.map(
      ({ name, median, fastest, slowest, repetitions }) =>
        `  ${name.padEnd(46)} ${median.toFixed(2).padStart(9)} ms   ${fastest.toFixed(2)} to ${slowest.toFixed(2)}, ` +
        `${repetitions} times`,
    ),
    ...goals.map(formatGoal),
    ...notes.map((note) => `  ${note}`),
  ].join('\n');
}

/** All goals once more, as a table, and how many are reached; undefined if there is none. */
export function formatGoals(results: readonly BenchResult[]): string | undefined {
  const rows = results.flatMap(({ title, goals }) =>
    goals.map((goal) => ({ goal, of: title.split(/:| \(/)[0] ?? '' })),
  );
  if (rows.length === 0) return undefined;
  const reached = rows.filter(({ goal }) => isReached(goal)).length;
  const lines = rows.map(({ goal, of }) => `  ${of.padEnd(18)}${formatGoal(goal)}`);
  return ['', ...lines, '', `${reached} of ${rows.length} goals reached`].join('\n');
}

/** Whether a goal is reached. */
function isReached({ measured, wanted, goal }: Goal): boolean {
  return wanted === 'below' ? measured <= goal : measured >= goal;
}

function formatGoal(goal: Goal): string {
  const sign = goal.wanted === 'below' ? '<=' : '>=';
  const verdict = isReached(goal) ? 'reached' : 'MISSED';
  return (
    `  ${goal.what.padEnd(46)} ${goal.measured.toFixed(3).padStart(9)} ${goal.unit}   goal ${sign} ${goal.goal}: ` +
    `${verdict}`
  );
}
