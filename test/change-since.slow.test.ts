import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EventRunner } from '../action/src/context/event.ts';
import { createGit } from '../action/src/context/git.ts';
import { createGitFolders } from '../action/src/git/git-folder.ts';
import type { JobDiff } from '../shared/src/job.ts';
import { type AskedChange, readChangeOf } from './support/change-reader.ts';
import {
  GIT_HOST_CERTIFICATE,
  type GitHost,
  type GitHostOptions,
  startGitHost,
} from './support/git-host-stand-in/git-host.ts';
import { createGitRepo, type GitRepo, runGit } from './support/git-repo.ts';
import { waitFor } from './support/wait-for.ts';

let repo: GitRepo;
let folder = '';
let lines: string[] = [];
beforeAll(() => {
  repo = createGitRepo();
  repo.commit('nothing');
  folder = mkdtempSync(join(tmpdir(), 'clones-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  lines = [];
});
afterAll(() => {
  repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Asked = Omit<AskedChange, 'root'> & { readonly root?: string };
async function read({ root = repo.directory, ...asked }: Asked): Promise<JobDiff | undefined> {
  const found = await readChangeOf({ root, ...asked });
  lines.push(...found.lines);
  return found.diff;
}
/** Whether a process of this id runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const sincePush = (before: string, head: string, more: Partial<Asked> = {}) =>
  read({ head, event: { event: { before, forced: false } }, ...more });

describe('since which commit', () => {
  /** main: root, one, two; feat: one, left, right. The merge of feat into two is checked out. */
  const makeHistory = () => {
    repo.git('switch', '-q', '--orphan', `main-${repo.sha('HEAD').slice(0, 8)}`);
    const main = repo.git('branch', '--show-current');
    const root = repo.commit('root', { 'a.ts': 'a\n' });
    const one = repo.commit('one', { 'a.ts': 'a\n1\n' });
    repo.switchTo(`feat-${main}`);
    const left = repo.commit('left', { 'f.ts': 'f\n' });
    const right = repo.commit('right', { 'f.ts': 'f\ng\n' });
    repo.switchTo(main);
    const two = repo.commit('two', { 'm.ts': 'm\n' });
    repo.git('switch', '-q', '--detach');
    const merge = repo.merge(`feat-${main}`);
    return { root, one, left, right, two, merge, main };
  };
  const pull = (head: string, base: string) => ({
    pull_request: { number: 7, head: { sha: head }, base: { sha: base, ref: 'main' } },
  });

  test('a pull request: its merge since the first parent, its head since the merge base', async () => {
    const { root, one, right, two, merge } = makeHistory();
    const ref = { ref: 'refs/pull/7/merge', refName: '7/merge' };
    // The event's own base is older where the base branch has moved on.
    expect(await read({ head: merge, event: { ...ref, event: pull(right, root) } })).toMatchObject({
      base_sha: two,
      head_sha: merge,
      files: [{ name: 'f.ts' }],
    });
    repo.git('switch', '-q', '--detach', right);
    expect(await read({ head: right, event: { ...ref, sha: merge, event: pull(right, two) } })).toMatchObject({
      base_sha: one,
      head_sha: right,
    });
    expect(
      await read({ head: right, event: { ...ref, sha: merge, event: pull(right, 'f'.repeat(40)) } }),
    ).toBeUndefined();
    expect(lines.at(-1)).toContain('because the clone does not tell where');
  });

  test('a push: since the branch as it was; where nothing says so, since the first parent', async () => {
    const { root, one, two, main } = makeHistory();
    repo.switchTo(main);
    const base = async (event: EventRunner['event']) => (await read({ head: two, event: { event } }))?.base_sha;
    expect(await base({ before: root, forced: false })).toBe(root);
    expect(await base({ before: root, forced: true })).toBe(one);
    expect(await base({ before: '0'.repeat(40), forced: false })).toBe(one);
    expect(await base({})).toBe(one);
    expect(
      await base({
        merge_group: { head_sha: two, base_sha: root, head_ref: 'refs/heads/gh-readonly-queue/main/pr-7-x' },
      }),
    ).toBe(root);
  });

  test(
    'nothing is sent where the first commit was tested, another one is checked out, or the one before is not ' +
      'there',
    async () => {
      const { root, one, two } = makeHistory();
      repo.git('switch', '-q', '--detach', root);
      expect(await read({ head: root, event: {} })).toBeUndefined();
      expect(await read({ head: two, event: {} })).toBeUndefined();
      expect(await sincePush('e'.repeat(40), root)).toBeUndefined();
      expect(await read({ head: one, event: {}, root: folder })).toBeUndefined();
      expect(lines).toEqual([
        `Changed lines are not sent with this upload, because ${root} has no parent.`,
        `Changed lines are not sent with this upload, because ${root} is checked out and ${two} was tested.`,
        `Changed lines are not sent with this upload, because the clone does not hold ${'e'.repeat(40)}, and ` +
          'could not get it.',
        `Changed lines are not sent with this upload, because nothing is checked out and ${one} was tested.`,
      ]);
    },
  );

  describe('in a shallow clone', () => {
    let history: ReturnType<typeof makeHistory>;
    let clones = 0;
    /** As actions/checkout makes it: one commit, fetched by its sha. */
    const cloneAt = (commit: string, filter?: string): { directory: string; git: (...args: string[]) => string } => {
      clones += 1;
      const directory = join(folder, `clone-${clones}`);
      runGit(folder, ['init', '-q', directory]);
      const git = (...args: string[]): string => runGit(directory, args).trim();
      git('remote', 'add', 'origin', `file://${repo.directory}`);
      if (filter !== undefined) git('sparse-checkout', 'set', 'src');
      git(
        'fetch',
        '-q',
        '--no-tags',
        '--depth=1',
        ...(filter === undefined ? [] : [`--filter=${filter}`]),
        'origin',
        commit,
      );
      git('checkout', '-q', '--detach', commit);
      return { directory, git };
    };
    /** What lies there, nothing fetched for the answer. */
    const objectsIn = (directory: string, type?: string): string[] =>
      runGit(directory, ['cat-file', '--batch-all-objects', '--batch-check'])
        .split('\n')
        .flatMap((line) =>
          line !== '' && line.split(' ')[1] === (type ?? line.split(' ')[1]) ? [line.slice(0, 40)] : [],
        )
        .sort();
    beforeAll(() => {
      history = makeHistory();
      repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
      repo.git('config', 'uploadpack.allowFilter', 'true');
    });

    /** Everything in the checkout that a fetch might change. */
    const filesOf = (directory: string) => [
      readFileSync(join(directory, '.git/shallow'), 'utf8'),
      readFileSync(join(directory, '.git/config'), 'utf8'),
      objectsIn(directory),
      existsSync(join(directory, '.git/shallow.lock')),
    ];

    test('the one missing commit is fetched, and nothing of the checkout changes', async () => {
      const { merge, right, two, root } = history;
      const { directory, git } = cloneAt(merge);
      const seen = () => [
        git('for-each-ref'),
        git('status', '--porcelain'),
        git('rev-parse', 'HEAD'),
        readFileSync(join(directory, '.git/FETCH_HEAD'), 'utf8'),
        git('log', '--format=%H'),
        git('config', '--list', '--local'),
        ...filesOf(directory),
      ];
      const before = seen();
      let [commits, edge, path]: [string[], string, string] = [[], '', ''];
      const diff = await read({
        root: directory,
        head: merge,
        event: { ref: 'refs/pull/7/merge', event: pull(right, root) },
        look: (own) => {
          [commits, edge, path] = [objectsIn(own, 'commit'), readFileSync(join(own, 'shallow'), 'utf8'), own];
        },
      });
      expect(diff).toMatchObject({ base_sha: two, complete: true, files: [{ name: 'f.ts', kind: 'added' }] });
      expect(seen()).toEqual(before);
      expect(commits).toEqual([merge, two].sort());
      expect(edge.split('\n').filter(Boolean).sort()).toEqual([merge, two].sort());
      expect(existsSync(path)).toBe(false);
      // A later step can have the whole history anyway.
      git('fetch', '-q', '--unshallow', 'origin', merge);
      expect(git('rev-list', '--count', 'HEAD')).toBe('6');
      expect(git('rev-parse', '--is-shallow-repository')).toBe('false');
    });

    test('the upload goes without where the remote gives nothing, and for the head of a pull request', async () => {
      const { merge, right, two } = history;
      const { directory, git } = cloneAt(merge);
      git('remote', 'set-url', 'origin', `file://${folder}/nowhere`);
      expect(await read({ root: directory, head: merge, event: { event: pull(right, two) } })).toBeUndefined();
      git('remote', 'remove', 'origin');
      expect(await read({ root: directory, head: merge, event: {} })).toBeUndefined();
      expect(lines).toEqual(
        Array.from(
          { length: 2 },
          () =>
            `Changed lines are not sent with this upload, because the clone does not hold ${two}, and could not ` +
            'get it.',
        ),
      );
      expect(
        await read({ root: cloneAt(right).directory, head: right, event: { event: pull(right, two) } }),
      ).toBeUndefined();
      expect(lines.at(-1)).toContain('give actions/checkout "fetch-depth: 0"');
    });

    describe.each(['blob:none', 'tree:0'])('that is partial too (%s)', (filter) => {
      /** A pull request that changes files in and out of the sparse checkout, one of them renamed. */
      const makePull = () => {
        const text = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
        const { root, main } = makeHistory();
        repo.switchTo(main);
        repo.commit('older', { 'src/old.ts': 'old\n' });
        const base = repo.commit('base', {
          'src/a.ts': 'a\n',
          'lib/b.ts': `b\n${text}`,
          'lib/c.ts': 'c\n',
          'lib/d.ts': 'd\n',
        });
        repo.switchTo(`pull-${main}`);
        repo.commit('first', { 'src/a.ts': 'A\n' });
        const tip = repo.commit('last', { 'lib/b.ts': undefined, 'lib/to.ts': `B\n${text}`, 'lib/c.ts': 'C\n' });
        repo.git('switch', '-q', '--detach', base);
        const merge = repo.git('commit-tree', '-p', base, '-p', tip, '-m', 'Merge', `${tip}^{tree}`);
        return { root, base, tip, merge, event: { ref: 'refs/pull/7/merge', event: pull(tip, base) } };
      };

      test('the one missing commit is fetched, and the texts that the change needs', async () => {
        const { base, merge, event } = makePull();
        const { directory } = cloneAt(merge, filter);
        expect(objectsIn(directory, 'commit')).toEqual([merge]);
        const before = filesOf(directory);
        let held: Record<string, string[]> = {};
        const look = (own: string): void => {
          held = { commit: objectsIn(own, 'commit'), blob: objectsIn(own, 'blob') };
        };
        expect((await read({ root: directory, head: merge, event, look }))?.files).toEqual([
          { name: 'lib/c.ts', kind: 'modified', hunks: [[1, 1, 1, 1]] },
          { name: 'lib/to.ts', previous_name: 'lib/b.ts', kind: 'renamed', hunks: [[1, 1, 1, 1]] },
          { name: 'src/a.ts', kind: 'modified', hunks: [[1, 1, 1, 1]] },
        ]);
        expect(held.commit).toEqual([merge, base].sort());
        const [untouched, touched] = ['d', 'c'].map((name) => repo.git('rev-parse', `${base}:lib/${name}.ts`));
        expect(held.blob).toContain(touched);
        expect(held.blob).not.toContain(untouched);
        expect(filesOf(directory)).toEqual(before);
      });

      test('asking for a commit that is not there gets none', async () => {
        const { base, tip, merge } = makePull();
        const { directory } = cloneAt(merge, filter);
        const folders = createGitFolders(directory, {
          server: { url: 'https://git.invalid', token: '' },
          transports: ['file'],
        });
        const git = createGit(folders);
        expect(await git.readCommit(directory, merge)).toMatchObject({ parents: [base, tip] });
        expect(await git.readCommit(directory, tip)).toBeUndefined();
        expect([await git.hasCommit(directory, merge), await git.hasCommit(directory, base)]).toEqual([true, false]);
        const own = (await folders.at(directory))?.reading.folder ?? '';
        expect(objectsIn(own, 'commit')).toEqual([merge]);
        await folders.remove();
      });

      test('the upload goes without where too many files changed, or their texts cannot be had', async () => {
        const { base, merge, event } = makePull();
        const { directory, git } = cloneAt(merge, filter);
        const limits = { files: 2, hunks: 9, newLines: 99, timeMs: 9_000 };
        let blobs: string[] = [];
        const look = (own: string): void => {
          blobs = objectsIn(own, 'blob');
        };
        expect(await read({ root: directory, head: merge, event, limits, look })).toBeUndefined();
        expect(blobs).not.toContain(repo.git('rev-parse', `${base}:lib/c.ts`));
        git('fetch', '-q', '--no-tags', '--depth=1', 'origin', base);
        git('remote', 'set-url', 'origin', `file://${folder}/nowhere`);
        expect(await read({ root: directory, head: merge, event })).toBeUndefined();
        expect(lines).toEqual([
          'Changed lines are not sent with this upload, because the clone is partial and would have to get more ' +
            'than 2 changed files.',
          `Changed lines are not sent with this upload, because git could not compare ${base} with ${merge}.`,
        ]);
      });
    });

    test('a fetch of the missing commit that was cut off earlier is repeated', async () => {
      const { merge, right, two } = history;
      const { directory, git } = cloneAt(merge);
      const event = { event: pull(right, two) };
      const edge = readFileSync(join(directory, '.git/shallow'));
      const known = objectsIn(directory);
      const whole = await read({ root: directory, head: merge, event });
      git('fetch', '-q', '--no-tags', '--depth=1', 'origin', two);
      // A small transfer is written object by object, the commit first, and the edge of the clone moves at its end.
      const got = objectsIn(directory).filter((object) => !known.includes(object));
      expect(got.length).toBeGreaterThan(1);
      for (const object of got.filter((one) => one !== two))
        rmSync(join(directory, '.git/objects', object.slice(0, 2), object.slice(2)));
      writeFileSync(join(directory, '.git/shallow'), edge);
      let held: string[] = [];
      const look = (own: string): void => {
        held = objectsIn(own);
      };
      expect(await read({ root: directory, head: merge, event, look })).toEqual(whole);
      expect(held).toEqual([...known, ...got].sort());
      expect(objectsIn(directory)).toEqual([...known, two].sort());
    });

    test('in a partial clone of the whole history, a missing base of a pull request is not fetched', async () => {
      const { main, right, two } = makeHistory();
      const directory = join(folder, `partial-${main}`);
      const url = `file://${repo.directory}`;
      runGit(folder, [
        'clone',
        '-q',
        '--filter=blob:none',
        '--single-branch',
        '--branch',
        `feat-${main}`,
        url,
        directory,
      ]);
      const before = objectsIn(directory, 'commit');
      expect(await read({ root: directory, head: right, event: { event: pull(right, two) } })).toBeUndefined();
      expect(lines.at(-1)).toContain('because the clone does not tell where');
      expect(objectsIn(directory, 'commit')).toEqual(before);
    });

    const soon = { files: 9, hunks: 9, newLines: 99, timeMs: 1_500 };
    const TOO_LATE = 'Changed lines are not sent with this upload, because git took longer than 1.5 s.';

    test('a remote that never answers holds the step up no longer than its time', async () => {
      const { merge, right, two } = history;
      const { directory, git } = cloneAt(merge);
      const callers: Socket[] = [];
      let gone = 0;
      const silent = createServer((socket) => {
        callers.push(socket.resume());
        socket.on('error', () => undefined).on('close', () => (gone += 1));
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      git('remote', 'set-url', 'origin', `https://127.0.0.1:${(silent.address() as AddressInfo).port}/repo`);
      expect(
        await read({ root: directory, head: merge, event: { event: pull(right, two) }, limits: soon }),
      ).toBeUndefined();
      expect(lines).toEqual([TOO_LATE]);
      expect(callers.length).toBeGreaterThan(0);
      // Only git's end closes these connections: the remote neither answers nor hangs up.
      await waitFor(() => gone === callers.length || undefined, { what: 'git to end' });
      await new Promise((resolve) => silent.close(resolve));
    });

    describe('of a host', () => {
      let host: GitHost;
      const start = async (options: GitHostOptions = {}): Promise<void> => {
        host = await startGitHost(repo.directory, options);
        vi.stubEnv('GIT_SSL_CAINFO', GIT_HOST_CERTIFICATE);
      };
      afterEach(() => host.close());

      test('one that stops in the middle leaves nothing behind', async () => {
        const { merge, right, two } = history;
        const { directory, git } = cloneAt(merge);
        await start({ stall: true });
        git('remote', 'set-url', 'origin', `${host.url}/acme/shop`);
        const before = filesOf(directory);
        let path = '';
        const look = (own: string): void => {
          path = own;
        };
        const event = { event: pull(right, two) };
        expect(await read({ root: directory, head: merge, event, limits: soon, look })).toBeUndefined();
        expect(lines).toEqual([TOO_LATE]);
        await waitFor(() => host.abandoned() > 0 || undefined, { what: 'git to end' });
        await waitFor(() => !existsSync(path) || undefined, { what: 'the git directory to be removed' });
        expect(path).not.toBe('');
        expect(filesOf(directory)).toEqual(before);
      });

      const basic = `Basic ${Buffer.from('x-access-token:ghs_secret').toString('base64')}`;

      test.each([
        ['by https', (url: string) => `${url}/acme/shop`],
        ['by https, with a token of its own', (url: string) => `${url.replace('//', '//x:other@')}/acme/shop`],
        ['by ssh, short', () => 'git@localhost:acme/shop.git'],
        ['by ssh', () => 'ssh://git@localhost:22/acme/shop.git'],
      ])("the run's own is asked with the step's token (%s)", async (_, remote) => {
        const { merge, right, two } = history;
        const { directory, git } = cloneAt(merge);
        await start({ authorization: basic });
        git('remote', 'set-url', 'origin', remote(host.url));
        const asked = { root: directory, head: merge, event: { event: pull(right, two) } };
        expect(await read({ ...asked, server: { url: host.url, token: 'wrong' } })).toBeUndefined();
        expect(await read({ ...asked, server: { url: host.url, token: 'ghs_secret' } })).toMatchObject({
          base_sha: two,
        });
        expect(host.requests.at(-1)?.path).toMatch(/^\/acme\/shop(?:\.git)?\//);
      });

      test('any other gets no token', async () => {
        const { merge, right, two } = history;
        const { directory, git } = cloneAt(merge);
        await start();
        git('remote', 'set-url', 'origin', `${host.url}/acme/shop`);
        const server = { url: `https://127.0.0.1:${host.port}`, token: 'ghs_secret' };
        const event = { event: pull(right, two) };
        expect(await read({ root: directory, head: merge, event, server })).toMatchObject({ base_sha: two });
        expect(host.requests.length).toBeGreaterThan(0);
        expect(host.requests.map(({ authorization }) => authorization)).toEqual(host.requests.map(() => undefined));
      });
    });
  });

  test('a git that never answers, whatever it is asked first, holds the step up no longer than its time', async () => {
    const { two } = makeHistory();
    const command = join(folder, 'silent-git');
    const pids = join(folder, 'pids');
    writeFileSync(command, `#!/bin/sh\necho $$ >> '${pids}'\nexec sleep 3600\n`, { mode: 0o755 });
    const limits = { files: 9, hunks: 9, newLines: 99, timeMs: 500 };
    expect(await read({ head: two, event: {}, command, limits })).toBeUndefined();
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(started.length).toBeGreaterThan(0);
    await waitFor(() => !started.some(isRunning), { what: 'git to be ended' });
    expect(lines).toEqual(['Changed lines are not sent with this upload, because git took longer than 0.5 s.']);
  });

  test('without the command', async () => {
    const { two, main } = makeHistory();
    repo.switchTo(main);
    expect(await sincePush('e'.repeat(40), two, { command: 'no-such-git-command' })).toBeUndefined();
    expect(lines).toHaveLength(1);
  });
});
