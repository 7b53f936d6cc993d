import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { newAccount } from '../contract/account-contract.ts';

const COMMAND = fileURLToPath(new URL('../../server/src/cli/audit.ts', import.meta.url));
const T0 = Date.UTC(2026, 10, 22);
let folder: string;
let url: string;
/** Open all the time, as the server is. */
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-command-'));
  url = `sqlite:${folder}/coverage.db`;
  store = await openStore({ url, serverWait: 0 });
  const { id = 0 } = (await store.accounts.create(newAccount())) ?? {};
  for (let n = 0; n < 210; n += 1) {
    const repo = { id: n % 2, name: `manual/acme/${n % 2}` };
    const by = { kind: 'account', account: id } as const;
    await store.audit.record({ by, action: 'settings.changed', at: T0 + n * 60_000, repo, after: { minimum: n } });
  }
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

function run(args: readonly string[], databaseUrl = url) {
  const env = { DATABASE_URL: databaseUrl };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--conditions=source', COMMAND, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; after: { minimum: number }; by: object });

test('the whole log is exported, the oldest first, and the database is named beside it', async () => {
  const { code, stdout, stderr } = await run(['export']);
  expect([code, stderr]).toEqual([0, `The audit log of ${url}\n210 entries written.\n`]);
  const lines = linesOf(stdout);
  expect(lines.map(({ after }) => after.minimum)).toEqual(Array.from({ length: 210 }, (_, n) => n));
  expect(lines[0]?.by).toMatchObject({ kind: 'account', account: { issuer: 'local', subject: 'alice' } });
});

test('a part of it is exported', async () => {
  const part = ['--since', '2026-11-22T00:10:00Z', '--until', '2026-11-22T00:20:00Z', '--repo', 'manual/acme/1'];
  const { stdout } = await run(['export', ...part]);
  expect(linesOf(stdout).map(({ after }) => after.minimum)).toEqual([11, 13, 15, 17, 19]);
});

test('no database is made, and what is not understood is refused', async () => {
  const missing = `${folder}/missing.db`;
  expect(await run(['export'], `sqlite:${missing}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database ${missing}. Set DATABASE_URL to the one that the server uses.\n`,
  });
  expect(existsSync(missing)).toBe(false);
  const wrong = await run(['export', '--since', 'yesterday']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('since is "yesterday", which is not a time')]);
});
