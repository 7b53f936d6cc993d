import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChangeLimits } from '../action/src/change/read-change.ts';
import type { JobDiff } from '../shared/src/job.ts';
import { readChangeOf } from './support/change-reader.ts';
import { createGitRepo, type GitRepo } from './support/git-repo.ts';
import { numRuns } from './support/property-runs.ts';

let repo: GitRepo;
let folder = '';
beforeAll(() => {
  repo = createGitRepo();
  folder = mkdtempSync(join(tmpdir(), 'helpers-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => {
  repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function sincePush(
  before: string,
  head: string,
  more: { limits?: ChangeLimits } = {},
): Promise<JobDiff | undefined> {
  const event = { event: { before, forced: false } };
  return (await readChangeOf({ root: repo.directory, head, event, ...more })).diff;
}

/** As git counts lines: a final one without a line feed is another line than the same with one. */
const gitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * Walks over both texts side by side: what no hunk names must be equal, and both must end together. Answers the numbers
 * of the new lines.
 */
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
const names = fc.constantFrom(
  'a.ts',
  'src/b b.ts',
  'src/é.ts',
  'q"uote\\.ts',
  'new\nline.ts',
  'tab\t.ts',
  ' -x',
  'index 1..2',
);
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
          const added = newLines(
            file.hunks ?? [],
            file.kind === 'added' ? [] : oldText,
            file.kind === 'removed' ? [] : newText,
          );
          if (file.kind === 'added') expect(added).toHaveLength(newText.length);
          left.delete(from);
          right.delete(file.name);
        }
        // What the diff does not name is equal.
        expect(left).toEqual(right);
        for (const name of left) expect(now[name]).toBe(old[name]);
        repo.git('clean', '-fdq');
      }),
      { numRuns: numRuns(60) },
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

  test('of two equal files of which the attributes call one binary', async () => {
    const before = put({ 'a.ts': 'a\n', 'z.ts': 'a\n', '.gitattributes': 'z.ts -diff\n' });
    const after = put({ 'a.ts': 'A\n', 'z.ts': 'A\n', '.gitattributes': 'z.ts -diff\n' });
    expect((await sincePush(before, after))?.files).toEqual(
      ['a.ts', 'z.ts'].map((name) => ({ name, kind: 'modified', hunks: [[1, 1, 1, 1]] })),
    );
  });

  test('beyond the bounds some are listed, and the diff says that these are not all', async () => {
    const before = put({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
    const after = put({ 'a.ts': 'A\n', 'b.ts': 'B\n', 'c.ts': 'C\n' });
    const few = await sincePush(before, after, { limits: { files: 2, hunks: 9, newLines: 99, timeMs: 9_000 } });
    expect(few).toMatchObject({ complete: false, files: [{ name: 'a.ts' }, { name: 'b.ts' }] });
    expect(few?.files).toHaveLength(2);
    const cut = await sincePush(before, after, { limits: { files: 9, hunks: 1, newLines: 99, timeMs: 9_000 } });
    expect(cut?.complete).toBe(false);
    expect(cut?.files.map(({ hunks }) => hunks)).toEqual([[[1, 1, 1, 1]], null, null]);
  });

  test('the lines of a file that would be too many are left out, and those of all others listed', async () => {
    const before = put({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
    const after = put({ 'a.ts': 'A\n', 'b.ts': '1\n2\n3\n', 'c.ts': 'C\n', 'new.ts': '1\n2\n3\n' });
    const diff = await sincePush(before, after, { limits: { files: 9, hunks: 9, newLines: 2, timeMs: 9_000 } });
    expect(diff).toMatchObject({ complete: true });
    expect(diff?.files.map(({ hunks }) => hunks)).toEqual([[[1, 1, 1, 1]], null, [[1, 1, 1, 1]], [[1, 0, 1, 3]]]);
  });

  test("the machine's own settings, those of its environment, and the repo's helpers change nothing", async () => {
    const long = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
    const before = put({ 'a.ts': 'a\nb\n\nc\nd\n', 'x.ts': `x\n${long}`, 'y.ts': `y\n${long}${long}` });
    const attributes = { '.gitattributes': '*.ts diff=odd\n' };
    const after = put({
      'a.ts': 'a\nB\n\nc\nD\n',
      'to/left.ts': `X\n${long}`,
      'to/right.ts': `Y\n${long}${long}`,
      ...attributes,
    });
    const [marker, helper] = [join(folder, 'helper-ran'), join(folder, 'helper.sh')];
    writeFileSync(helper, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
    const settings = {
      'diff.external': helper,
      'diff.odd.textconv': helper,
      'diff.odd.command': helper,
      'diff.noprefix': 'true',
      'color.ui': 'always',
      'diff.context': '9',
      'diff.interHunkContext': '9',
      'diff.renames': 'false',
      'diff.renameLimit': '1',
      'diff.suppressBlankEmpty': 'true',
      'core.fsmonitor': helper,
    };
    const expected = [
      { name: '.gitattributes', kind: 'added', hunks: [[1, 0, 1, 1]] },
      {
        name: 'a.ts',
        kind: 'modified',
        hunks: [
          [2, 1, 2, 1],
          [5, 1, 5, 1],
        ],
      },
      { name: 'to/left.ts', previous_name: 'x.ts', kind: 'renamed', hunks: [[1, 1, 1, 1]] },
      { name: 'to/right.ts', previous_name: 'y.ts', kind: 'renamed', hunks: [[1, 1, 1, 1]] },
    ];
    for (const [name, value] of Object.entries(settings)) repo.git('config', name, value);
    expect((await sincePush(before, after))?.files).toEqual(expected);
    for (const name of Object.keys(settings)) repo.git('config', '--unset', name);
    vi.stubEnv('GIT_DIFF_OPTS', '-u9');
    vi.stubEnv('GIT_EXTERNAL_DIFF', helper);
    for (const [index, [name, value]] of Object.entries(settings).entries()) {
      vi.stubEnv('GIT_CONFIG_COUNT', `${index + 1}`);
      vi.stubEnv(`GIT_CONFIG_KEY_${index}`, name);
      vi.stubEnv(`GIT_CONFIG_VALUE_${index}`, value);
    }
    expect((await sincePush(before, after))?.files).toEqual(expected);
    expect(existsSync(marker)).toBe(false);
  });
});
