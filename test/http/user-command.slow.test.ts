import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { accept, putRepo } from '../contract/records.ts';

const COMMAND = fileURLToPath(new URL('../../server/src/cli/user.ts', import.meta.url));
const opened = (): string => `The database is sqlite:${folder}/coverage.db.\n`;
let folder: string;
let url: string;
/** Open all the time, as the server is. */
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'user-command-'));
  url = `sqlite:${folder}/coverage.db`;
  store = await openStore({ url, serverWait: 0 });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function run(args: readonly string[], input = '') {
  const env = { DATABASE_URL: url, BASE_URL: 'https://coverage.example' };
  const child = spawn(process.execPath, ['--conditions=source', COMMAND, ...args], { env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout, stderr };
}

test('accounts are made, listed, changed and signed in while the server runs', async () => {
  const made = await run(['create', '--user', 'Alice'], 'correct horse battery\n');
  expect(made).toEqual({ code: 0, stdout: 'Account 1: alice, an administrator.\n', stderr: opened() });
  const short = await run(['create', '--user', 'bob'], 'hush\n');
  expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('A password has 10 to 200 characters')]);
  expect(short.stderr).not.toContain('hush');
  await run(['create', '--user', 'bob'], 'another good password');
  const [alice, bob] = await store.accounts.list({ after: undefined, limit: 9 });
  expect(alice).toMatchObject({ issuer: 'local', subject: 'alice', administrator: true });
  expect(alice?.password).toMatch(/^scrypt\$15\$8\$3\$/);
  expect(bob).toMatchObject({ subject: 'bob', administrator: false });

  const link = await run(['sign-in-link', '1']);
  expect(link.stdout).toMatch(/^https:\/\/coverage\.example\/sign-in\/link\?code=1\.[\w-]{43}\n$/);
  await run(['disable', 'bob']);
  expect(await store.accounts.find(2)).toMatchObject({ disabledAt: expect.any(Number) });
  expect((await run(['list'])).stdout.split('\n')[2]).toMatch(/^2 {3}bob {4}user {11}local {5}- {5}\d{4}-/);
});

test('somebody is erased with their tokens; their repos are the administrators’', async () => {
  await run(['create', '--user', 'dora'], 'another good password');
  const dora = await store.accounts.findBySubject('local', 'dora');
  const repo = await putRepo(store, { service: 'manual', name: 'acme/of-dora', owner: 'dora' });
  await store.tokens.create({ user: 'dora', role: 'user', hash: 'h', ending: 'wxyz', createdAt: 1 });
  const { stdout } = await run(['erase', 'dora']);
  expect(stdout).toBe(`Account ${dora?.id} is erased. Nobody can tell any more who it belonged to.\n`);
  expect(await store.tokens.findByHash('h')).toBeUndefined();
  expect(await store.repos.find(repo.id)).toMatchObject({ owner: '(erased)' });
  const [entry] = await store.audit.list({ newestFirst: true, limit: 1 });
  expect(entry).toMatchObject({ action: 'account.erased', by: { kind: 'command-line' }, account: dora?.id });
  expect((await run(['erase', 'dora'])).code).toBe(1);
});

test('somebody is erased from builds, by account and by address, with a receipt that names nobody', async () => {
  await run(['create', '--user', 'erna'], 'another good password');
  const erna = await store.accounts.findBySubject('local', 'erna');
  const repo = await putRepo(store, { service: 'manual', name: 'acme/of-erna', owner: 'erna' });
  const nobody = { authorName: undefined, authorEmail: undefined, committerName: undefined, committerEmail: undefined };
  const authors = { ...nobody, authorName: 'Erna E.', authorEmail: 'Erna@x.example' };
  const { build, job } = await accept(store, repo.id, { authors, message: 'Fix it' });
  const lowered = { at: 1, by: 'erna', reason: 'The fixtures went' };
  await store.repos.update({ repoId: repo.id, settings: { ratchetReset: lowered }, at: 1 });
  const excluded = { by: 'erna', at: 1 };
  await store.builds.revise({ buildId: build.id, revision: { kind: 'excluded-as-base', excluded } });
  const receipt = join(folder, 'receipt.json');
  const erase = ['erase', 'erna', '--email', 'ERNA@x.example', '--receipt', receipt];
  const { stdout, stderr } = await run(erase);
  expect(stdout).toBe(`Account ${erna?.id} is erased. Nobody can tell any more who it belonged to.\n`);
  expect(stderr).toContain('Changed: 1 build and 1 upload.');
  const found = await store.builds.find(build.id);
  expect([found?.excludedAsBase?.by, found?.message]).toEqual(['(erased)', 'Fix it']);
  expect(JSON.stringify([found, await store.jobs.find(job.id)])).not.toMatch(/erna/i);
  const { settings } = (await store.repos.find(repo.id)) ?? {};
  expect(settings?.ratchetReset).toEqual({ ...lowered, by: '(erased)' });
  const text = await readFile(receipt, 'utf8');
  expect(text).not.toMatch(/erna/i);
  expect(JSON.parse(text)).toMatchObject({
    account: erna?.id,
    email_sha256: [createHash('sha256').update('erna@x.example').digest('hex')],
    removed: { accounts: 1, sessions: 0, personal_tokens: 0, memberships: 0 },
    replaced: {
      repo_owners: 1,
      names_on_members: 0,
      names_on_share_links: 0,
      builds: 1,
      uploads: 1,
      names_on_lowered_ratchets: 1,
    },
    left: expect.arrayContaining([expect.stringContaining('backups')]),
  });
  const [last, before] = await store.audit.list({ newestFirst: true, limit: 2 });
  expect([before?.action, last?.action]).toEqual(['person.erased', 'account.erased']);
  // Nothing is erased whose receipt could not be kept; without an account only commits are looked at.
  await run(['create', '--user', 'erna'], 'another good password');
  expect(await run(erase)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was erased.') });
  expect(await store.accounts.findBySubject('local', 'erna')).toBeDefined();
  const again = await run(['erase', '--email', 'erna@x.example']);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Changed: 0 builds and 0 uploads.')]);
});

test.each([
  [['erase'], 2, 'Say who to erase'],
  [['erase', '--email', 'erna'], 2, '"erna" is not an e-mail address.'],
  [['list', '--receipt', 'x'], 2, 'only for erase'],
  [['create'], 2, 'Name the user: --user <name>.'],
  [['disable', 'nobody-here'], 1, 'There is no account "nobody-here"'],
] as const)('%j is refused', async (args, code, sentence) => {
  const refused = await run(args, 'correct horse battery');
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(sentence)]);
});
