import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffLines } from '../server/src/core/diff/diff-lines.ts';
import type { FileDiff } from '../server/src/core/diff/file-diff.ts';
import { addedLines, removedLines } from '../server/src/core/diff/line-map.ts';
import { type ListedFile, parseFilePatch } from '../server/src/core/diff/parse-patch.ts';
import { countChanges } from '../server/src/core/diff/read-hunks.ts';
import { mapOldLine } from './support/diffs.ts';
import { numRuns } from './support/property-runs.ts';

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

/** The hunks of one file's part of what git prints; undefined if it has none. */
function hunksOf(part: string): string | undefined {
  const start = `\n${part}`.indexOf('\n@@ ');
  return start < 0 ? undefined : part.slice(start);
}

/** The diffs of files whose content differs: git prints them in the order of their names' bytes. */
function readPrinted(printed: string, old: Record<string, string>, now: Record<string, string>): readonly FileDiff[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => old[name] !== now[name]);
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const parts = printed === '' ? [] : `\n${printed}`.split('\ndiff --git ').slice(1);
  expect(parts).toHaveLength(names.length);
  return names.map((name, index): FileDiff => {
    const kind: ListedFile['kind'] =
      old[name] === undefined ? 'added' : now[name] === undefined ? 'removed' : 'modified';
    return parseFilePatch({ name, previousName: undefined, kind, patch: hunksOf(parts[index] as string) });
  });
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
    ['-c', 'core.quotePath=false'],
    ['-c', 'diff.mnemonicPrefix=true'],
  );

  test('any two trees, in any of its manners', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(files, files, options, (old, now, chosen) => {
        const settings = chosen[0] === '-c' ? chosen : [];
        const [before, after] = [put(old), put(now)];
        const printed = git(...settings, 'diff', '--no-renames', ...(settings.length > 0 ? [] : chosen), before, after);
        for (const file of readPrinted(printed, old, now)) {
          const [from, to] = [gitLines(old[file.name] ?? ''), gitLines(now[file.name] ?? '')];
          // Nothing is printed of an empty file but its heading.
          expect(file.complete).toBe(file.kind === 'modified' || from.length + to.length > 0);
          if (file.kind === 'modified') expectTrue(file, from, to);
          else expect(countChanges(file.hunks)).toEqual({ removed: from.length, added: to.length });
        }
      }),
      { numRuns: numRuns(60) },
    );
  });

  test('hunks alone, as an API gives them, and our own diff is no longer than git’s shortest', {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        fc.pre(old !== now);
        const [before, after] = [put({ 'a.ts': old }), put({ 'a.ts': now })];
        const printed = git('diff', '--minimal', before, after);
        const patch = hunksOf(printed)?.replace(/\n$/, '');
        const [, additions, deletions] =
          /^(\d+)\t(\d+)/.exec(git('diff', '--minimal', '--numstat', before, after)) ?? [];
        const stated = { additions: Number(additions), deletions: Number(deletions) };
        const diff = parseFilePatch({ name: 'a.ts', previousName: undefined, kind: 'modified', patch, ...stated });
        expect(diff.complete).toBe(true);
        const own = diffLines(gitLines(old), gitLines(now)) ?? [];
        expectTrue({ ...diff, hunks: own }, gitLines(old), gitLines(now));
        // Even --minimal leaves some common lines out.
        const { added, removed } = countChanges(own);
        expect(removed).toBeLessThanOrEqual(stated.deletions);
        expect(added - removed).toBe(stated.additions - stated.deletions);
      }),
      { numRuns: numRuns(40) },
    );
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
    const printed = git('diff');
    const patch = printed.slice(printed.indexOf('@@@'));
    const listed = { name: 'a.ts', previousName: undefined, kind: 'modified', patch } as const;
    expect(parseFilePatch(listed)).toMatchObject({ complete: false, hunks: [] });
  });
});
