import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChangeLimits, readChange } from '../action/src/change/read-change.ts';
import { describeEvent, type EventRunner } from '../action/src/context/event.ts';
import { createGit } from '../action/src/context/git.ts';
import type { JobDiff } from '../shared/src/job.ts';
import { createGitRepo, type GitRepo, runGit } from './support/git-repo.ts';

let repo: GitRepo;
let folder = '';
let lines: string[] = [];
beforeAll(() => {
  repo = createGitRepo();
  folder = mkdtempSync(join(tmpdir(), 'clones-'));
});
afterEach(() => {
  lines = [];
});
afterAll(() => {
  repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly root?: string;
  readonly head: string;
  readonly event: Partial<EventRunner>;
  readonly limits?: ChangeLimits;
  readonly command?: string;
}

/** What the action sends for an event; undefined with one line in the log. */
function read({ root = repo.directory, head, event, ...tools }: Asked): Promise<JobDiff | undefined> {
  const facts = describeEvent({ event: {}, sha: head, ref: 'refs/heads/main', refName: 'main', headRef: '', ...event });
  const log = { info: (line: string) => lines.push(line), warning: () => expect.unreachable() };
  return readChange({ root, head, facts }, { git: createGit(), log, ...tools });
}
const sincePush = (before: string, head: string, more: Partial<Asked> = {}) =>
  read({ head, event: { event: { before, forced: false } }, ...more });

/** As git counts lines: a final one without a line feed is another line than the same with one. */
const gitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Walks over both texts side by side: what no hunk names must be equal, and both must end together. Answers the numbers of the new lines. */
function newLines(
  hunks: NonNullable<JobDiff['files'][number]['hunks']>,
  old: readonly string[],
  now: readonly string[],
): number[] {
  const added: number[] = [];
  let [at, nowAt] = [1, 1];
  for (const [oldStart, oldLines, newStart, count] of hunks) {
    expect(oldStart - at).toBe(newStart - nowAt);
    expect(old.slice(at - 1, oldStart - 1)).toEqual(now.slice(nowAt - 1, newStart - 1));
    for (let line = newStart; line < newStart + count; line += 1) added.push(line);
    [at, nowAt] = [oldStart + oldLines, newStart + count];
  }
  expect(old.slice(at - 1)).toEqual(now.slice(nowAt - 1));
  return added;
}

const word = fc.constantFrom(
  'a',
  'b',
  '',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  '\\ No newline',
  'diff --git a/x b/x',
  'index 1..2',
  'é',
  'c\r',
);
const text = fc
  .tuple(fc.array(word, { maxLength: 25 }), fc.boolean())
  .map(([all, ended]) => all.join('\n') + (ended && all.length > 0 ? '\n' : ''));
const names = fc.constantFrom('a.ts', 'src/b b.ts', 'src/é.ts', 'q"uote\\.ts', 'new\nline.ts', 'tab\t.ts', ' -x', 'index 1..2');
const files = fc.dictionary(names, text, { maxKeys: 5, noNullPrototype: true });

describe('the lines of two commits', () => {
  const put = (all: Record<string, string>): string => {
    repo.git('rm', '-r', '-q', '--ignore-unmatch', '.');
    return repo.commit('x', all);
  };

  test('are those that are new, for any two trees with any names', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(files, files, async (old, now) => {
        const [before, after] = [put(old), put(now)];
        const diff = await sincePush(before, after);
        expect(diff).toMatchObject({ base_sha: before, head_sha: after, complete: true });
        const [left, right] = [new Set(Object.keys(old)), new Set(Object.keys(now))];
        for (const file of diff?.files ?? []) {
          const from = file.previous_name ?? file.name;
          expect([left.has(from), right.has(file.name)]).toEqual([file.kind !== 'added', file.kind !== 'removed']);
          const [oldText, newText] = [gitLines(old[from] ?? ''), gitLines(now[file.name] ?? '')];
          const added = newLines(file.hunks ?? [], file.kind === 'added' ? [] : oldText, file.kind === 'removed' ? [] : newText);
          if (file.kind === 'added') expect(added).toHaveLength(newText.length);
          left.delete(from);
          right.delete(file.name);
        }
        // What the diff does not name is equal.
        expect(left).toEqual(right);
        for (const name of left) expect(now[name]).toBe(old[name]);
        repo.git('clean', '-fdq');
      }),
      { numRuns: 60 },
    );
  });

  test('renames, modes, links, binary files and submodules', async () => {
    const long = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    put({ 'moved.ts': long.join(''), 'mode.ts': 'x\n', 'link.ts': 'x\n', 'gone.ts': 'x\n', 'bin.dat': '\0\u0001' });
    repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    const before = repo.git('commit-tree', '-m', 'x', repo.git('write-tree'));
    renameSync(join(repo.directory, 'moved.ts'), join(repo.directory, 'to here.ts'));
    writeFileSync(join(repo.directory, 'to here.ts'), ['new\n', ...long.slice(0, 20), ...long.slice(21)].join(''));
    chmodSync(join(repo.directory, 'mode.ts'), 0o755);
    rmSync(join(repo.directory, 'link.ts'));
    symlinkSync('mode.ts', join(repo.directory, 'link.ts'));
    rmSync(join(repo.directory, 'gone.ts'));
    writeFileSync(join(repo.directory, 'bin.dat'), '\0\u0002');
    const after = repo.commit('y', { 'empty.ts': '' });
    const diff = await sincePush(before, after);
    expect(diff?.files).toEqual([
      { name: 'bin.dat', kind: 'modified', hunks: null },
      { name: 'empty.ts', kind: 'added', hunks: [] },
      { name: 'gone.ts', kind: 'removed', hunks: [[1, 1, 1, 0]] },
      { name: 'link.ts', kind: 'modified', hunks: null },
      { name: 'mode.ts', kind: 'modified', hunks: [] },
      {
        name: 'to here.ts',
        previous_name: 'moved.ts',
        kind: 'renamed',
        hunks: [
          [1, 0, 1, 1],
          [21, 1, 22, 0],
        ],
      },
    ]);
  });

  test('beyond the bounds some are told, and that these are not all', async () => {
    const before = put({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
    const after = put({ 'a.ts': 'A\n', 'b.ts': 'B\n', 'c.ts': 'C\n' });
    const few = await sincePush(before, after, { limits: { files: 2, hunks: 9, timeMs: 9_000 } });
    expect(few).toMatchObject({ complete: false, files: [{ name: 'a.ts' }, { name: 'b.ts' }] });
    expect(few?.files).toHaveLength(2);
    const cut = await sincePush(before, after, { limits: { files: 9, hunks: 1, timeMs: 9_000 } });
    expect(cut?.complete).toBe(false);
    expect(cut?.files.map(({ hunks }) => hunks)).toEqual([[[1, 1, 1, 1]], null, null]);
  });

  test("the machine's own settings and the repo's helpers change nothing", async () => {
    const before = put({ 'a.ts': 'a\nb\nc\n' });
    const after = put({ 'a.ts': 'a\nB\nc\n', '.gitattributes': '*.ts diff=odd\n' });
    const [marker, helper] = [join(folder, 'helper-ran'), join(folder, 'helper.sh')];
    writeFileSync(helper, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
    const settings = {
      'diff.external': helper,
      'diff.odd.textconv': helper,
      'diff.odd.command': helper,
      'diff.noprefix': 'true',
      'color.ui': 'always',
      'diff.context': '9',
      'core.fsmonitor': helper,
    };
    for (const [name, value] of Object.entries(settings)) repo.git('config', name, value);
    const diff = await sincePush(before, after);
    for (const name of Object.keys(settings)) repo.git('config', '--unset', name);
    expect(diff?.files.find(({ name }) => name === 'a.ts')?.hunks).toEqual([[2, 1, 2, 1]]);
    expect(existsSync(marker)).toBe(false);
  });
});

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
    expect(await read({ head: right, event: { ...ref, sha: merge, event: pull(right, 'f'.repeat(40)) } })).toBeUndefined();
    expect(lines.at(-1)).toContain('because the clone does not tell where');
  });

  test('a push: since the branch as it was; where nobody tells, since the first parent', async () => {
    const { root, one, two, main } = makeHistory();
    repo.switchTo(main);
    const base = async (event: EventRunner['event']) => (await read({ head: two, event: { event } }))?.base_sha;
    expect(await base({ before: root, forced: false })).toBe(root);
    expect(await base({ before: root, forced: true })).toBe(one);
    expect(await base({ before: '0'.repeat(40), forced: false })).toBe(one);
    expect(await base({})).toBe(one);
    expect(
      await base({ merge_group: { head_sha: two, base_sha: root, head_ref: 'refs/heads/gh-readonly-queue/main/pr-7-x' } }),
    ).toBe(root);
  });

  test('nothing is sent where the first commit was tested, another one is checked out, or the one before is not there', async () => {
    const { root, one, two } = makeHistory();
    repo.git('switch', '-q', '--detach', root);
    expect(await read({ head: root, event: {} })).toBeUndefined();
    expect(await read({ head: two, event: {} })).toBeUndefined();
    expect(await sincePush('e'.repeat(40), root)).toBeUndefined();
    expect(await read({ head: one, event: {}, root: folder })).toBeUndefined();
    expect(lines).toEqual([
      `Changed lines are not sent with this upload, because ${root} has no parent.`,
      `Changed lines are not sent with this upload, because ${root} is checked out and ${two} was tested.`,
      `Changed lines are not sent with this upload, because the clone does not hold ${'e'.repeat(40)}, and could not get it.`,
      `Changed lines are not sent with this upload, because nothing is checked out and ${one} was tested.`,
    ]);
  });

  describe('in a shallow clone', () => {
    let history: ReturnType<typeof makeHistory>;
    let clones = 0;
    /** As actions/checkout makes it: one commit, fetched by its sha. */
    const cloneAt = (commit: string): { directory: string; git: (...args: string[]) => string } => {
      clones += 1;
      const directory = join(folder, `clone-${clones}`);
      runGit(folder, ['init', '-q', directory]);
      const git = (...args: string[]): string => runGit(directory, args).trim();
      git('remote', 'add', 'origin', `file://${repo.directory}`);
      git('fetch', '-q', '--no-tags', '--depth=1', 'origin', commit);
      git('checkout', '-q', '--detach', commit);
      return { directory, git };
    };
    beforeAll(() => {
      history = makeHistory();
      repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    });

    test('the one missing commit is fetched, and all that is added is that', async () => {
      const { merge, right, two, root } = history;
      const { directory, git } = cloneAt(merge);
      const seen = () => [
        git('for-each-ref'),
        git('status', '--porcelain'),
        git('rev-parse', 'HEAD'),
        readFileSync(join(directory, '.git/FETCH_HEAD'), 'utf8'),
        git('log', '--format=%H'),
        git('config', '--list', '--local'),
      ];
      const before = seen();
      const diff = await read({ root: directory, head: merge, event: { ref: 'refs/pull/7/merge', event: pull(right, root) } });
      expect(diff).toMatchObject({ base_sha: two, complete: true, files: [{ name: 'f.ts', kind: 'added' }] });
      expect(seen()).toEqual(before);
      expect(readFileSync(join(directory, '.git/shallow'), 'utf8').split('\n').filter(Boolean).sort()).toEqual(
        [merge, two].sort(),
      );
      // A later step can have the whole history all the same.
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
          () => `Changed lines are not sent with this upload, because the clone does not hold ${two}, and could not get it.`,
        ),
      );
      expect(await read({ root: cloneAt(right).directory, head: right, event: { event: pull(right, two) } })).toBeUndefined();
      expect(lines.at(-1)).toContain('give actions/checkout "fetch-depth: 0"');
    });

    test('a remote that never answers holds the step up no longer than its time, and leaves no lock', async () => {
      const { merge, right, two } = history;
      const { directory, git } = cloneAt(merge);
      // Git runs this in the place of ssh: it answers nothing, and has a child that holds the output open.
      const silent = join(folder, 'silent.sh');
      writeFileSync(silent, '#!/bin/sh\nsleep 60 &\nwait\n', { mode: 0o755 });
      git('config', 'core.sshCommand', silent);
      git('config', 'ssh.variant', 'simple');
      git('remote', 'set-url', 'origin', 'ssh://nobody.invalid/repo');
      const since = performance.now();
      const limits = { files: 9, hunks: 9, timeMs: 1_000 };
      expect(await read({ root: directory, head: merge, event: { event: pull(right, two) }, limits })).toBeUndefined();
      expect(performance.now() - since).toBeLessThan(8_000);
      expect(lines).toEqual(['Changed lines are not sent with this upload, because git took longer than 1 s.']);
      expect(existsSync(join(directory, '.git/shallow.lock'))).toBe(false);
    });
  });

  test('without the command', async () => {
    const { two, main } = makeHistory();
    repo.switchTo(main);
    expect(await sincePush('e'.repeat(40), two, { command: 'no-such-git-command' })).toBeUndefined();
    expect(lines).toHaveLength(1);
  });
});
