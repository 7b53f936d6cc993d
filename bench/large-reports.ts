import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runChildren } from './child-runs.ts';
import { fileName, REPORT_FORMATS, type ReportShape, writeReport } from './generate-report.ts';
import type { BenchResult } from './goals.ts';

const BYTES = 500e6;
const MB = 1e6;
const GOAL = 250;
/** What a very large repo has; the rest of a report are the same files again, as of several tests or modules. */
const FILES = 20_000;

/** 500 MB of each format from its first byte to the encoded upload: how much memory that takes. */
export async function benchLargeReports(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-reports-'));
  try {
    const root = join(folder, 'checkout');
    writeCheckout(root);
    const results: BenchResult[] = [];
    for (const format of REPORT_FORMATS) results.push(await benchFormat(format, { folder, root }));
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeCheckout(root: string): void {
  const names = Array.from({ length: FILES }, (_, file) => fileName(file));
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `// ${name}\n`);
  }
  writeFileSync(join(root, 'tracked.txt'), names.join('\n'));
}

async function benchFormat(
  format: ReportShape['format'],
  { folder, root }: { readonly folder: string; readonly root: string },
): Promise<BenchResult> {
  const path = join(folder, 'report');
  const records = writeReport(path, { format, bytes: BYTES, files: FILES });
  const child = (name: string, script: string, args: string[]) => ({ name, script: `children/${script}.mjs`, args });
  const runs = await runChildren(
    [child('parsed', 'parse', [format, path]), child('parsed and encoded', 'upload', [format, path, root])],
    1,
  );
  return {
    title: `${format} of 500 MB: ${records} records of ${Math.min(records, FILES)} files (milliseconds of processors)`,
    timings: runs.map(({ timing }) => timing),
    goals: runs.map(({ timing, memory }) => ({
      what: `${format}: most memory, ${timing.name}`,
      measured: memory / MB,
      wanted: 'below',
      goal: GOAL,
      unit: 'MB',
    })),
    notes: [],
  };
}
