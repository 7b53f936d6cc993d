import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { type Candidate, compare, medianOf } from './measure.ts';

const COMMAND = fileURLToPath(new URL('../server/dist/cli.mjs', import.meta.url));
const REPORTS = 10;
const OURS = 'the command `merge`';

/** Ten LCOV files to one, each program as a whole process. */
export function benchLcovMerge(): BenchResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-merge-'));
  try {
    mkdirSync(join(folder, 'in'));
    const paths = Array.from({ length: REPORTS }, (_, index) => {
      const path = join('in', `${index}.info`);
      writeFileSync(join(folder, path), lcovOf(index + 1));
      return path;
    });
    const run = (program: string, args: readonly string[]): void => {
      const { status, stderr } = spawnSync(program, args, { cwd: folder });
      if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    };
    const grcov = process.env.GRCOV ?? 'grcov';
    const { status: found, stdout: version } = spawnSync(grcov, ['--version'], { encoding: 'utf8' });
    const hasGrcov = found === 0;
    const merge = ['merge', '--keep-names', '--output', 'ours.info', ...paths];
    const candidates: Candidate[] = [{ name: OURS, run: () => run(process.execPath, [COMMAND, ...merge]) }];
    const others = ['in', '-t', 'lcov', '--branch', '-o', 'grcov.info'];
    if (hasGrcov) candidates.push({ name: 'grcov', run: () => run(grcov, others) });
    const timings = compare(candidates, { rounds: 7, warmup: 1 });
    const goal = (): Goal => ({
      what: 'wall time / grcov',
      measured: medianOf(timings, OURS) / medianOf(timings, 'grcov'),
      wanted: 'below',
      goal: 1,
      unit: 'x',
    });
    const skipped = 'its reference is skipped; to have it: cargo install grcov, or set GRCOV to its path';
    const title = `lcov-merge: ${REPORTS} x M (${SHAPES.M.files} files), LCOV to LCOV`;
    return [{ title, timings, goals: hasGrcov ? [goal()] : [], notes: [hasGrcov ? version.trim() : skipped] }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lcovOf(seed: number): string {
  const records = generateJob(SHAPES.M, seed).source_files.map(({ name, coverage, branches }) => {
    const lines = coverage.flatMap((hits, index) => (hits === null ? [] : `DA:${index + 1},${hits}`));
    const arms: string[] = [];
    for (let at = 0; at < branches.length; at += 4) arms.push(`BRDA:${branches.slice(at, at + 4).join(',')}`);
    return ['TN:', `SF:${name}`, ...arms, ...lines, 'end_of_record', ''].join('\n');
  });
  return records.join('');
}
