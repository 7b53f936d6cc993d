import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../server/src/store/sqlite/open-sqlite.ts';
import { putRepo, upload } from '../test/contract/records.ts';
import type { BenchResult } from './goals.ts';
import { timingOf } from './measure.ts';

const BYTES = 200_000;
/** Commits of each round; the first round only warms up. */
const COMMITS = 100;
const ROUNDS = 7;
/** Jobs of each build. */
const PER_BUILD = 20;

/** Jobs accepted by the store, one after the other and each synced, against a file that the same bytes are added to. */
export async function benchCommits(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-commits-'));
  const store = openSqliteStore({ path: join(folder, 'coverage.db'), busyTimeout: 5_000, checkpointsApart: true });
  const file = openSync(join(folder, 'appended'), 'a');
  try {
    const repo = await putRepo(store);
    const [appended, accepted]: [number[], number[]] = [[], []];
    let number = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const reports = Array.from({ length: COMMITS }, () => crypto.getRandomValues(new Uint8Array(BYTES / 4)));
      const whole = reports.map((part) => Buffer.concat([part, part, part, part]));
      let start = performance.now();
      for (const report of whole) {
        writeSync(file, report);
        fdatasyncSync(file);
      }
      const before = performance.now() - start;
      start = performance.now();
      for (const report of whole) {
        const facts = { serviceNumber: String(Math.floor(number / PER_BUILD)), serviceJobId: String(number) };
        await store.jobs.accept(upload(repo.id, facts, { report, contentDigest: String(number) }));
        number += 1;
      }
      if (round === 0) continue;
      appended.push(before / COMMITS);
      accepted.push((performance.now() - start) / COMMITS);
    }
    const [reference, ours] = [timingOf('append + fdatasync', appended), timingOf('a job is accepted', accepted)];
    const ratio = reference.median / ours.median;
    return [
      {
        title: `commits: reports of ${BYTES / 1_000} KB, ${ROUNDS} rounds of ${COMMITS} in turn, on SQLite`,
        timings: [reference, ours],
        goals: [{ what: 'durable commits / appends', measured: ratio, wanted: 'above', goal: 0.5, unit: 'x' }],
        notes: [],
      },
    ];
  } finally {
    closeSync(file);
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
