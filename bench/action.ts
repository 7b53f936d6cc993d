import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findReports } from '../action/src/report/find-reports.ts';
import type { BenchResult } from './goals.ts';
import { compare, medianOf } from './measure.ts';

const BUNDLE = fileURLToPath(new URL('../action/dist/main.js', import.meta.url));

/** What a step costs before it does anything: the bundle is loaded and the inputs are read, of which one is missing. */
export function benchActionStart(): BenchResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-action-'));
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  writeFileSync(join(folder, 'event.json'), '{}');
  const start = (script: string, code: number): void => {
    const env = { PATH: process.env.PATH, GITHUB_WORKSPACE: folder, GITHUB_EVENT_PATH: join(folder, 'event.json') };
    const { status } = spawnSync(process.execPath, [script], { cwd: folder, env });
    if (status !== code) throw new Error(`${script} ended with ${status}`);
  };
  try {
    const timings = compare([
      { name: 'an empty script', run: () => start(empty, 0) },
      { name: 'the action, until an input is missing', run: () => start(BUNDLE, 1) },
    ]);
    const over = medianOf(timings, 'the action, until an input is missing') - medianOf(timings, 'an empty script');
    const goal = { what: 'action-start over an empty script', measured: over, wanted: 'below', goal: 60, unit: 'ms' };
    return [{ title: 'action-start', timings, goals: [goal as BenchResult['goals'][number]], notes: [] }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tree of this many files, of which a part is other people's. */
const FILES = 68_000;
const PER_FOLDER = 50;
const IN_MODULES = 20_000;

/** Finding the reports of a large repo, against a walk that looks at nothing but names. */
export function benchFindReports(): BenchResult[] {
  const root = mkdtempSync(join(tmpdir(), 'bench-tree-'));
  try {
    growTree(root);
    const log = { info() {}, warning() {} };
    const search = { workspace: root, patterns: [], format: undefined, allowEmpty: false };
    const timings = compare(
      [
        { name: 'plain walk without node_modules', run: () => plainWalk(root) },
        { name: 'find-reports', run: () => findReports(search, log) },
      ],
      { rounds: 9, warmup: 2 },
    );
    const measured = medianOf(timings, 'find-reports') / medianOf(timings, 'plain walk without node_modules');
    const goal = { what: 'find-reports / plain walk', measured, wanted: 'below', goal: 1.3, unit: 'x' } as const;
    const found = findReports(search, log).length;
    const notes = [`${found} reports among ${plainWalk(root)} files, beside ${IN_MODULES} in node_modules`];
    return [{ title: `find-reports: ${FILES} files`, timings, goals: [goal], notes }];
  } finally {
    rmSync(root, { recursive: true });
  }
}

function growTree(root: string): void {
  for (let folder = 0; folder * PER_FOLDER < FILES; folder += 1) {
    const isOther = folder * PER_FOLDER < IN_MODULES;
    const path = join(
      root,
      ...(isOther ? ['node_modules', `m${folder}`] : [`part${folder % 40}`, `lib${folder}`, 'src']),
    );
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < PER_FOLDER; file += 1) writeFileSync(join(path, `file-${file}.ts`), '');
    if (folder % 100 === 0) writeFileSync(join(path, 'lcov.info'), 'SF:a.ts\nDA:1,1\nend_of_record\n');
  }
}

function plainWalk(root: string): number {
  let files = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) files += 1;
      else if (entry.name !== 'node_modules') folders.push(join(folder, entry.name));
    }
  }
  return files;
}
