import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildRuns, runChildren, withoutReferences } from './child-runs.ts';
import { type ReportShape, writeReport } from './generate-report.ts';
import type { BenchResult, Goal } from './goals.ts';

const BYTES = 100e6;
const ROUNDS = 3;
const MB = 1e6;

/** LCOV of 100 MB next to lcov-parse. */
export function benchLcovParse(): Promise<BenchResult[]> {
  return benchParse({ format: 'lcov', reference: 'lcov-parse', ratio: 12, memory: 170 });
}

/** Cobertura of 100 MB next to saxes. */
export function benchCoberturaParse(): Promise<BenchResult[]> {
  return benchParse({ format: 'cobertura', reference: 'saxes', ratio: 3, memory: 120 });
}

interface Row {
  readonly format: ReportShape['format'];
  readonly reference: string;
  /** How many times faster than the reference. */
  readonly ratio: number;
  /** MB at most. */
  readonly memory: number;
}

async function benchParse({ format, reference, ratio, memory }: Row): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-parse-'));
  const path = join(folder, 'report');
  try {
    const files = writeReport(path, { format, bytes: BYTES, files: Number.MAX_SAFE_INTEGER });
    const missing = withoutReferences();
    const own = { name: 'ours', script: 'children/parse.mjs', args: [format, path] };
    const other = { name: reference, script: `references/${reference}.mjs`, args: [path] };
    const [ours, theirs] = await runChildren(missing === undefined ? [own, other] : [own], ROUNDS);
    if (ours === undefined) throw new Error('no run');
    if (theirs !== undefined && JSON.stringify(ours.found) !== JSON.stringify(theirs.found))
      throw new Error(`${reference} finds ${JSON.stringify(theirs.found)}, we ${JSON.stringify(ours.found)}`);
    const goals: Goal[] = [
      { what: 'most memory of ours', measured: ours.memory / MB, wanted: 'below', goal: memory, unit: 'MB' },
    ];
    if (theirs !== undefined)
      goals.unshift({
        what: `${reference} / ours`,
        measured: theirs.timing.median / ours.timing.median,
        wanted: 'above',
        goal: ratio,
        unit: 'x',
      });
    const runs = [ours, theirs].filter((run) => run !== undefined);
    return [
      {
        title: `${format} of 100 MB, ${files} files (milliseconds of processors, ${ROUNDS} processes each)`,
        timings: runs.map(({ timing }) => timing),
        goals,
        notes: missing === undefined ? runs.map(describe) : [...runs.map(describe), missing],
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describe({ timing, fastestWall, memory }: ChildRuns): string {
  const speed = BYTES / MB / (fastestWall / 1_000);
  return `${timing.name}: ${speed.toFixed(0)} MB/s by the clock at best, ${(memory / MB).toFixed(0)} MB of memory`;
}
