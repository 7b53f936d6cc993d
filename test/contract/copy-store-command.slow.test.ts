import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_KINDS } from '../../server/src/storage/archive.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { inheritedEnvironment, startChild } from '../support/child-process.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { ask, copyFiles, putStore } from './copying.ts';
import { accept, putRepo, T0 } from './records.ts';

const SCRIPT = fileURLToPath(new URL('../../server/src/cli/copy-store.ts', import.meta.url));
const files = copyFiles();

const start = (...args: readonly string[]) =>
  startChild({ script: SCRIPT, args, cwd: '/tmp', env: inheritedEnvironment() });

async function run(...args: readonly string[]) {
  const child = start(...args);
  const { code } = await child.end;
  return { code, stdout: child.stdout.join('\n'), stderr: child.stderr.join('\n') };
}

describe('the command that copies a store', () => {
  it('shows a table of what was copied, and the way on', async () => {
    const [from, to] = [await putStore(files.next()), files.next()];
    const { code, stdout, stderr } = await run('--from', from, '--to', to);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('copied jobs: 1\n') });
    expect(stdout.split('\n')[0]).toMatch(/^ +FROM +TO +DIGEST FROM +DIGEST TO$/);
    expect(stdout.split('\n')).toHaveLength(ARCHIVE_KINDS.length + 1);
    expect(stdout).toMatch(/^jobs +1 +1 {2}([0-9a-f]{12}) {2}\1 +equal$/m);
    expect(stderr).toMatch(/Everything was copied\. Start the server on the target with the same SECRET_KEY/);
    const again = await run('--from', from, '--to', to);
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is not empty: it holds repos (1)'),
    });
  });

  it.each([
    [[], 2, 'Name the source: --from <url>.'],
    [['--from', 'sqlite:x.db'], 2, 'Name the target: --to <url>.'],
    [['--from', 'sqlite:x.db', 'mongodb://me:hush@db/x'], 2, 'Give each URL with --from or --to.'],
    [['--form', 'sqlite:x.db'], 2, "Unknown option '--form'"],
    [
      ['--from', 'sqlite:/nowhere/x.db', '--to', 'sqlite:y.db'],
      1,
      'There is no file /nowhere/x.db to copy: check the URL after --from.',
    ],
    [
      ['--from', 'mongodb://me:hush@127.0.0.1:1/x?serverSelectionTimeoutMS=300', '--to', 'sqlite:y.db'],
      1,
      'of --from: MongoDB does not',
    ],
  ] as const)('%j exits with %d and says why', async (args, code, sentence) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(sentence);
    expect(outcome.stderr).not.toContain('hush');
    expect(outcome.stderr.includes('npm run copy-store --')).toBe(code === 2);
  });

  it('explains itself', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--from sqlite:'),
      stderr: '',
    });
  });
});

describeWithMongodb('the command, killed in the middle', (server) => {
  it('continues where it was', async () => {
    const [from, there, back] = [files.next(), server.databaseUrl(), files.next()];
    await fillWithLargeJobs(from);
    for (const [source, target] of [
      [from, there],
      [there, back],
    ] as const) {
      await killAmongJobs(source, target);
      await expect(openStore({ url: target })).rejects.toThrow(/is not finished/);
      const { code, stdout } = await run('--from', source, '--to', target);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^jobs +60 +60 .* equal$/m) });
      await ask(target, T0, async ({ jobs }) => expect((await jobs.reports([60]))[0]).toHaveLength(1_500_000));
    }
  }, 60_000);
});

async function fillWithLargeJobs(url: string): Promise<void> {
  const store = await openStore({ url });
  const repo = await putRepo(store);
  for (let number = 1; number <= 60; number += 1) {
    const report = new Uint8Array(1_500_000).map((_, index) => (index * number) >> 3);
    await accept(store, repo.id, { serviceNumber: String(number % 7) }, { report });
  }
  await store.close();
}

/** The line of the builds comes right before the first job; six batches of jobs take a while. */
async function killAmongJobs(from: string, to: string): Promise<void> {
  const child = start('--from', from, '--to', to);
  while (!child.stderr.some((line) => line.startsWith('copied builds:')) && child.ended() === undefined) await sleep(1);
  child.signal('SIGKILL');
  expect(await child.end).toEqual({ code: null, signal: 'SIGKILL' });
}
