import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_REPO_SETTINGS } from '../server/src/core/repo/settings.ts';
import { openSqliteStore } from '../server/src/storage/sqlite/open-sqlite.ts';
import type { AcceptJob, Store } from '../server/src/storage/store.ts';
import type { BenchResult } from './goals.ts';
import { timingOf } from './measure.ts';
import { facts } from './service-deployments.ts';

const BYTES = 200_000;
/** Commits of each round; the first round only warms up. */
const COMMITS = 100;
const ROUNDS = 7;
/** Jobs of each build. */
const PER_BUILD = 20;

/**
 * Jobs accepted by the store, one after the other and each synced, against a file that the same bytes are added to; and
 * what SQLite itself takes, for the bytes and one row.
 */
export async function benchCommits(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-commits-'));
  const store = openSqliteStore({ path: join(folder, 'coverage.db'), busyTimeout: 5_000, checkpointsApart: true });
  const file = openSync(join(folder, 'appended'), 'a');
  const plain = openPlain(join(folder, 'plain.db'));
  try {
    const repoId = await putRepo(store);
    const [appended, inserted, accepted]: [number[], number[], number[]] = [[], [], []];
    let number = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const reports = Array.from({ length: COMMITS }, () => crypto.getRandomValues(new Uint8Array(BYTES / 4)));
      const whole = reports.map((part) => Buffer.concat([part, part, part, part]));
      const rounds = [
        await timeOf(whole, (report) => {
          writeSync(file, report);
          fdatasyncSync(file);
        }),
        await timeOf(whole, plain.insert),
        await timeOf(whole, async (report) => {
          await store.jobs.accept(uploadOf(repoId, number, report));
          number += 1;
        }),
      ] as const;
      if (round === 0) continue;
      for (const [index, times] of [appended, inserted, accepted].entries()) times.push(rounds[index] ?? 0);
    }
    const [reference, ours] = [timingOf('append + fdatasync', appended), timingOf('a job is accepted', accepted)];
    const ratio = reference.median / ours.median;
    return [
      {
        title: `commits: reports of ${BYTES / 1_000} KB, ${ROUNDS} rounds of ${COMMITS} in turn, on SQLite`,
        timings: [reference, timingOf('the bytes and a row, in SQLite alone', inserted), ours],
        goals: [{ what: 'durable commits / appends', measured: ratio, wanted: 'above', goal: 0.5, unit: 'x' }],
        notes: [],
      },
    ];
  } finally {
    closeSync(file);
    plain.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds of one report. */
async function timeOf(reports: readonly Buffer[], write: (report: Buffer) => void | Promise<void>): Promise<number> {
  const start = performance.now();
  for (const report of reports) await write(report);
  return (performance.now() - start) / reports.length;
}

function openPlain(path: string) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE reports (report BLOB); CREATE TABLE records (record TEXT)');
  const report = db.prepare('INSERT INTO reports VALUES (?)');
  const record = db.prepare('INSERT INTO records VALUES (?)');
  return {
    insert(bytes: Uint8Array): void {
      db.exec('BEGIN IMMEDIATE');
      report.run(bytes);
      record.run('x'.repeat(500));
      db.exec('COMMIT');
    },
    close: () => db.close(),
  };
}

async function putRepo(store: Store): Promise<number> {
  const token = { lookup: 'lookup', sealed: 'sealed', expiresAt: undefined };
  const settings = DEFAULT_REPO_SETTINGS;
  const name = 'acme/app';
  const repo = await store.repos.create({ service: 'manual', name, owner: 'acme', settings, token, at: Date.now() });
  if (repo === undefined) throw new Error('the repo is there already');
  return repo.id;
}

function uploadOf(repoId: number, number: number, report: Uint8Array): AcceptJob {
  const serviceNumber = String(Math.floor(number / PER_BUILD));
  // As in a CI, the jobs of a build share their commit, and builds do not.
  const commit = serviceNumber.padStart(40, '0');
  return {
    repoId,
    facts: facts({ serviceNumber, serviceJobId: String(number), commit }),
    totals: { coveredLines: 8, relevantLines: 10, coveredBranches: 1, branches: 2 },
    files: 1,
    contentDigest: String(number),
    warnings: [],
    report,
    sources: [],
    periods: { quiet: 1_800_000, late: 60_000 },
    bytes: report.length,
    limits: { bytesPerDay: 0, openBuilds: 0, refusal: undefined },
    at: Date.now(),
  };
}
