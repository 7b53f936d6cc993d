import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffLines } from '../server/src/domain/diff/diff-lines.ts';
import type { FileDiff } from '../server/src/domain/diff/file-diff.ts';
import { addedLines, mapOldLine, removedLines } from '../server/src/domain/diff/line-map.ts';
import { parseDiff, parseFilePatch } from '../server/src/domain/diff/parse-patch.ts';
import { countChanges } from '../server/src/domain/diff/read-hunks.ts';

const hasGit = (() => {
  try {
    return execFileSync('git', ['--version'], { encoding: 'utf8' }).startsWith('git version');
  } catch {
    return false;
  }
})();

let folder = '';

/** git with nobody's settings but those given here. */
function git(...args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'core.autocrlf=false', ...args],
    {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
}

function write(name: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, name), content, { mode });
}

function commit(): string {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  return git('rev-parse', 'HEAD').trim();
}

/** What the diff says must hold line by line: equal where mapped, and all others accounted for. */
function expectTrue(diff: FileDiff, old: readonly string[], now: readonly string[]): void {
  const isAdded = (line: number) => addedLines(diff)?.some(([first, last]) => line >= first && line <= last);
  const isRemoved = (line: number) => removedLines(diff)?.some(([first, last]) => line >= first && line <= last);
  const reached = new Set<number>();
  old.forEach((text, index) => {
    const line = mapOldLine(diff, index + 1);
    expect(isRemoved(index + 1)).toBe(line === undefined);
    if (line === undefined) return;
    expect(now[line - 1]).toBe(text);
    reached.add(line);
  });
  now.forEach((_, index) => void expect(isAdded(index + 1)).toBe(!reached.has(index + 1)));
}

/** As git counts lines: a final one without a line feed is another line than the same with one. */
const gitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const word = fc.constantFrom(
  'a',
  'b',
  '',
  '-- x',
  '++ y',
  '@@ -1 +1 @@',
  '\\ No newline',
  'diff --git a/x b/x',
  ' ',
  '\t',
  'é\u2028',
  'c\r',
  'd\re',
);
const text = fc
  .tuple(fc.array(word, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
const files = fc.dictionary(
  fc.constantFrom('a.ts', 'src/b b.ts', 'src/é.ts', 'q"uote\\.ts', 'a/a.ts', 'b/x b/y.ts', 'tab\t.ts'),
  text,
  { maxKeys: 5, noNullPrototype: true },
);

describe.skipIf(!hasGit)('what git prints is what we read', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coverage-diff-'));
    git('init', '-q');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const put = (all: Record<string, string>): string => {
    git('rm', '-r', '-q', '--ignore-unmatch', '.');
    for (const [name, content] of Object.entries(all)) write(name, content);
    return commit();
  };

  const options = fc.constantFrom(
    [],
    ['-U0'],
    ['-U1'],
    ['--minimal'],
    ['--histogram', '--function-context'],
    ['--inter-hunk-context=9'],
    ['--no-prefix'],
    ['--no-renames'],
    ['-c', 'core.quotePath=false'],
    ['-c', 'diff.mnemonicPrefix=true'],
  );

  test('any two trees, in any of its manners', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(files, files, options, (old, now, chosen) => {
        const settings = chosen[0] === '-c' ? chosen : [];
        const [before, after] = [put(old), put(now)];
        const printed = git(...settings, 'diff', '-M', ...(settings.length > 0 ? [] : chosen), before, after);
        const diff = parseDiff(printed);
        expect(diff.complete).toBe(true);
        const left = new Set(Object.keys(old));
        const right = new Set(Object.keys(now));
        for (const file of diff.files) {
          expect(file.complete).toBe(true);
          const from = file.previousName ?? file.name;
          expect([left.has(from), right.has(file.name)]).toEqual([file.kind !== 'added', file.kind !== 'removed']);
          if (file.kind === 'modified' || file.kind === 'renamed')
            expectTrue(file, gitLines(old[from] ?? ''), gitLines(now[file.name] ?? ''));
          else
            expect(countChanges(file.hunks)[file.kind]).toBe(
              gitLines((file.kind === 'added' ? now : old)[file.name] ?? '').length,
            );
          left.delete(from);
          right.delete(file.name);
        }
        // What the diff does not name is equal.
        expect(left).toEqual(right);
        for (const name of left) expect(now[name]).toBe(old[name]);
      }),
      { numRuns: 60 },
    );
  });

  test('hunks alone, as an API gives them, and our own diff is as short as git’s shortest', {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        fc.pre(old !== now);
        const [before, after] = [put({ 'a.ts': old }), put({ 'a.ts': now })];
        const printed = git('diff', '--minimal', before, after);
        const patch = printed.slice(printed.search(/^@@ /m)).replace(/\n$/, '');
        const [, additions, deletions] =
          /^(\d+)\t(\d+)/.exec(git('diff', '--minimal', '--numstat', before, after)) ?? [];
        const stated = { additions: Number(additions), deletions: Number(deletions) };
        const diff = parseFilePatch({ name: 'a.ts', previousName: undefined, kind: 'modified', patch, ...stated });
        expect(diff).toEqual(parseDiff(printed).files[0]);
        const own = diffLines(gitLines(old), gitLines(now)) ?? [];
        expectTrue({ ...diff, hunks: own }, gitLines(old), gitLines(now));
        expect(countChanges(own)).toEqual({ added: stated.additions, removed: stated.deletions });
      }),
      { numRuns: 40 },
    );
  });

  test('renames, modes, links, binaries', () => {
    const long = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    write('moved.ts', long.join(''));
    write('mode.ts', 'x\n');
    write('link.ts', 'x\n');
    write('gone.ts', '');
    write('bin.dat', Uint8Array.of(0, 1, 2));
    const before = commit();
    mkdirSync(join(folder, 'ü'), { recursive: true });
    renameSync(join(folder, 'moved.ts'), join(folder, 'ü/to here.ts'));
    write('ü/to here.ts', ['new\n', ...long.slice(0, 20), ...long.slice(21)].join(''));
    write('mode.ts', 'x\n', 0o755);
    rmSync(join(folder, 'link.ts'));
    execFileSync('ln', ['-s', 'mode.ts', join(folder, 'link.ts')]);
    rmSync(join(folder, 'gone.ts'));
    write('new.ts', '');
    write('bin.dat', Uint8Array.of(0, 9));
    const after = commit();
    const facts = (printed: string) =>
      parseDiff(printed).files.map((file) => [file.name, file.kind, file.complete, countChanges(file.hunks)]);
    const none = { removed: 0, added: 0 };
    const expected = [
      ['bin.dat', 'modified', false, none],
      ['link.ts', 'removed', true, { removed: 1, added: 0 }],
      ['link.ts', 'added', true, { removed: 0, added: 1 }],
      ['mode.ts', 'modified', true, none],
      ['ü/to here.ts', 'renamed', true, { removed: 1, added: 1 }],
    ];
    const some = git('diff', '-M', before, after, '--', '.', ':!gone.ts', ':!new.ts');
    expect(facts(some)).toEqual(expected);
    expect(facts(git('diff', '-M', '--binary', before, after, '--', '.', ':!gone.ts', ':!new.ts'))).toEqual(expected);
    const renamed = parseDiff(some).files.at(-1) as FileDiff;
    expect(renamed.previousName).toBe('moved.ts');
    expect([1, 20, 21, 22, 40].map((line) => mapOldLine(renamed, line))).toEqual([2, 21, undefined, 22, 40]);
    const empty = git('diff', '--no-renames', before, after, '--', 'gone.ts', 'new.ts');
    expect(facts(empty)).toEqual([
      ['gone.ts', 'removed', true, none],
      ['new.ts', 'added', true, none],
    ]);
  });

  test('a merge’s diff is never taken for one of two texts', () => {
    const start = put({ 'a.ts': 'a\nb\nc\n' });
    const left = put({ 'a.ts': 'x\nb\nc\n' });
    git('checkout', '-q', '-b', 'other', start);
    put({ 'a.ts': 'y\nb\nc\n' });
    execFileSync('sh', ['-c', `git -c user.name=t -c user.email=t@example.org merge -q ${left} || true`], {
      cwd: folder,
      stdio: 'ignore',
    });
    expect(parseDiff(git('diff'))).toMatchObject({ files: [{ name: 'a.ts', complete: false, hunks: [] }] });
  });
});
