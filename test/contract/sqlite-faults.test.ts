import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { connect } from '../../server/src/storage/sqlite/connection.ts';
import { createSqliteStore } from '../../server/src/storage/sqlite/open-sqlite.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { aLedger } from './flip-ledger-contract.ts';
import { accept, bytes, close, hex, putRepo, SHA, say, status, T0, upload } from './records.ts';

let directory = '';
let files = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coverage-faults-'));
});
afterAll(() => rm(directory, { recursive: true }));

function newPath(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

const unavailable = (message: RegExp) =>
  expect.objectContaining({
    name: 'Failure',
    code: 'unavailable',
    message: expect.stringMatching(message),
    cause: expect.any(Error),
  });

describe('a transaction that fails', () => {
  it('leaves nothing, and the next one works', async () => {
    const store = await openStore({ url: 'sqlite::memory:' });
    const repo = await putRepo(store);
    const { build } = await accept(store, repo.id);
    const sources = [
      { digest: hex(1, 64), bytes: bytes('kept?') },
      { digest: hex(2, 64), bytes: 'no bytes' as never },
    ];
    await expect(store.jobs.accept(upload(repo.id, {}, { sources }))).rejects.toThrow();
    expect(await store.builds.find(build.id)).toEqual(build);
    expect(await store.jobs.ofBuild(build.id)).toHaveLength(1);
    expect(await store.jobs.source(repo.id, hex(1, 64))).toBeUndefined();
    const next = await accept(store, repo.id, { serviceNumber: '72', commit: hex(2) });
    expect(next.build).toMatchObject({ id: build.id + 1, sequence: 2 });
    await store.close();
  });

  it('leaves no entry of the audit log behind, and an entry that fails no change', async () => {
    const connection = connect({ path: newPath(), busyTimeout: 100 });
    const store = createSqliteStore(connection);
    const repo = await putRepo(store);
    const entry = { by: { kind: 'admin-token' }, action: 'token.made', at: T0 } as const;
    const token = { user: 'a', role: 'user', hash: 'same', ending: 'wxyz', createdAt: T0 } as const;
    await store.tokens.create(token, entry);
    await expect(store.tokens.create(token, entry)).rejects.toThrow(/UNIQUE/);
    expect(await store.audit.list({ newestFirst: true, limit: 9 })).toHaveLength(1);
    const broken = { ...entry, action: null as never };
    const change = { repoId: repo.id, settings: { minimum: 80 }, at: T0 };
    await expect(store.repos.update(change, broken)).rejects.toThrow(/NOT NULL/);
    expect(await store.repos.find(repo.id)).toEqual(repo);
    expect(() => connection.prepare("UPDATE audit SET record = '{}'").run()).toThrow(/never changed/);
    await store.close();
  });

  it('is a bug, not a Failure, when an operator cannot fix it', async () => {
    const store = await openStore({ url: 'sqlite::memory:' });
    await store.tokens.create({ user: 'a', role: 'user', hash: 'same', ending: 'wxyz', createdAt: T0 });
    const twice = store.tokens.create({ user: 'b', role: 'user', hash: 'same', ending: 'wxyz', createdAt: T0 });
    await expect(twice).rejects.toMatchObject({ name: 'Error', message: expect.stringMatching(/UNIQUE/) });
    await store.close();
  });
});

describe('a full disk', () => {
  it('makes the store unavailable; what was accepted stays, and with room it continues', async () => {
    const connection = connect({ path: newPath(), busyTimeout: 100 });
    const store = createSqliteStore(connection);
    const repo = await putRepo(store);
    const { build, job } = await accept(store, repo.id, {}, { report: bytes('kept') });
    const { page_count: pages } = connection.prepare('PRAGMA page_count').get() as { page_count: number };
    connection.prepare(`PRAGMA max_page_count = ${pages + 2}`).get();
    const large = new Uint8Array(1_000_000).fill(7);
    await expect(store.jobs.accept(upload(repo.id, {}, { report: large }))).rejects.toEqual(
      unavailable(/disk .* is full/),
    );
    const messages = [say(status('success'))];
    await expect(close(store, build, { report: large, messages, target: SHA })).rejects.toEqual(unavailable(/full/));
    expect(await store.builds.find(build.id)).toEqual(build);
    expect(await store.jobs.reports([job.id])).toEqual([bytes('kept')]);
    expect(await store.outbox.nextDueAt()).toBeUndefined();
    connection.prepare('PRAGMA max_page_count = 1000000').get();
    expect((await accept(store, repo.id, {}, { report: large })).build.jobs).toBe(2);
    await store.close();
  });

  it('is noticed where the system refuses to write', async () => {
    const path = newPath();
    // In blocks of 512 bytes: no file of this process may grow beyond 4 MB.
    const run = runChild('fill', path, 'ulimit -f 8192; ');
    expect(run).toMatchObject({
      signal: null,
      stdout: expect.stringMatching(/^[1-9]\d* accepted, then unavailable\n$/),
    });
    const store = await openStore({ url: `sqlite:${path}` });
    const [build] = await store.builds.findByCommit(SHA);
    const jobs = await store.jobs.ofBuild(build?.id ?? 0);
    expect(jobs).toHaveLength(Number.parseInt(run.stdout, 10));
    expect(build?.jobs).toBe(jobs.length);
    const reports = await store.jobs.reports(jobs.map(({ id }) => id));
    expect(reports.every((report) => report.length === 100_000)).toBe(true);
    await store.close();
  });
});

describe('a database that another program locks', () => {
  it('makes the store unavailable within the time limit, still readable, and comes back', async () => {
    const path = newPath();
    const connection = connect({ path, busyTimeout: 60 });
    expect(connection.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 60 });
    const store = createSqliteStore(connection);
    const repo = await putRepo(store);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.jobs.accept(upload(repo.id))).rejects.toEqual(unavailable(/locked by another program/));
    expect(other.isTransaction).toBe(true);
    await expect(store.check()).rejects.toEqual(unavailable(/locked/));
    expect(await store.repos.find(repo.id)).toEqual(repo);
    other.exec('ROLLBACK');
    other.close();
    await store.check();
    expect((await accept(store, repo.id)).build.jobs).toBe(1);
    await store.close();
  });

  it('says so when it cannot even be opened', async () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec('BEGIN EXCLUSIVE');
    await expect(openStore({ url: `sqlite:${path}`, busyTimeout: 20 })).rejects.toEqual(
      unavailable(/Cannot open .*locked/),
    );
    other.close();
  });
});

describe('a database that may not be written', () => {
  it('is unavailable to writes and to the check, and still readable', async () => {
    const connection = connect({ path: ':memory:', busyTimeout: 0 });
    const store = createSqliteStore(connection);
    const repo = await putRepo(store);
    connection.prepare('PRAGMA query_only = ON').get();
    await expect(store.jobs.accept(upload(repo.id))).rejects.toEqual(unavailable(/cannot be written/));
    await expect(store.check()).rejects.toEqual(unavailable(/cannot be written/));
    expect(await store.repos.find(repo.id)).toEqual(repo);
    await store.close();
  });
});

/** Locks a database until it is told to let go, and says (in the second flag) that it is about to. */
const HOLD_LOCK = `
  const { parentPort, workerData: { path, flags } } = require('node:worker_threads');
  const database = new (require('node:sqlite').DatabaseSync)(path);
  database.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('locked');
  Atomics.wait(flags, 0, 0);
  Atomics.wait(flags, 1, 0, 100);
  Atomics.store(flags, 1, 1);
  database.exec('ROLLBACK');
`;

describe('a lock that is released within the time limit', () => {
  it('delays what waits for it, which then succeeds', async () => {
    const path = newPath();
    const store = await openStore({ url: `sqlite:${path}`, busyTimeout: 3_600_000 });
    const repo = await putRepo(store);
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const other = new Worker(HOLD_LOCK, { eval: true, workerData: { path, flags } });
    await new Promise((locked) => other.once('message', locked));
    // SQLite blocks this thread while it waits, so another one holds the lock.
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
    expect((await accept(store, repo.id)).build.jobs).toBe(1);
    expect(Atomics.load(flags, 1)).toBe(1);
    await other.terminate();
    await store.close();
  });
});

describe('a process that is killed', () => {
  const afterward = async (path: string, look: (store: Store) => Promise<void>) => {
    const store = await openStore({ url: `sqlite:${path}` });
    await look(store);
    await store.close();
  };

  it('in the middle of an accept leaves nothing of it', async () => {
    const path = newPath();
    expect(runChild('die-in-accept', path)).toMatchObject({ signal: 'SIGKILL', stdout: 'accepted\n' });
    await afterward(path, async (store) => {
      const [build, ...others] = await store.builds.findByCommit(SHA);
      expect(others).toEqual([]);
      expect(build?.jobs).toBe(1);
      expect(build && findTask(build.due, 'close')).toBeUndefined();
      expect(await store.jobs.ofBuild(build?.id ?? 0)).toHaveLength(1);
    });
  });

  it('in the middle of a close leaves nothing of it, nor of its ledger', async () => {
    const path = newPath();
    expect(runChild('die-in-close', path)).toMatchObject({ signal: 'SIGKILL', stdout: 'accepted\n' });
    await afterward(path, async (store) => {
      const [build] = await store.builds.findByCommit(SHA);
      expect(build).toMatchObject({ state: 'open', jobs: 1 });
      expect(await store.flipLedgers.find(build?.repoId ?? 0, 'main')).toEqual(aLedger(2));
    });
  });

  it('right after an accept and a close has lost neither', async () => {
    const path = newPath();
    expect(runChild('die-after', path)).toMatchObject({ signal: 'SIGKILL', stdout: 'closed\n' });
    await afterward(path, async (store) => {
      const [build] = await store.builds.findByCommit(SHA);
      expect(build).toMatchObject({ state: 'closed', jobs: 1 });
      expect(await store.builds.report(build?.id ?? 0)).toEqual(bytes(`merged ${build?.id}`));
      expect(await store.outbox.nextDueAt()).toBe(T0);
    });
  });
});

/** Runs the story of that name in a process of its own, below a shell that first does `before`. */
function runChild(story: string, path: string, before = '') {
  const script = fileURLToPath(new URL('./crash-stories.ts', import.meta.url));
  const command = `${before}exec "$0" --disable-warning=ExperimentalWarning "$@"`;
  const { signal, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script, story, path], {
    encoding: 'utf8',
  });
  return { signal, stdout, stderr };
}
