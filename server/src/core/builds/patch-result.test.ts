import { describe, expect, test } from 'vitest';
import { aDiff, type Edit } from '../../../../test/support/diffs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import { MAX_FILE_CHANGES, MAX_RANGES } from './build.ts';
import { findPatch } from './patch-result.ts';

const added = (name: string): FileDiff => aDiff(name, [], { kind: 'added', complete: false });
const find = (files: readonly FileCoverage[], diffs: readonly FileDiff[], base: readonly FileCoverage[] = []) =>
  findPatch({ report: aReport(...files), base: aReport(...base), diff: { files: diffs, complete: true } });

describe('the coverage of changed lines as a build keeps it', () => {
  test('its sums and its files, those with the most missed first', () => {
    const edits: readonly Edit[] = ['keep', 'add', 'add'];
    const found = find(
      [aFile('a.ts', [0, 1, 0]), aFile('b.ts', [0, 0, 0], { branches: [2, 0, 0, 1] }), aFile('c.ts', [1, -1, -1])],
      [aDiff('a.ts', edits), aDiff('b.ts', edits), aDiff('c.ts', edits), aDiff('d.ts', [], { kind: 'removed' })],
    );
    expect(found).toEqual({
      totals: totals(1, 4, 1, 1),
      files: [
        { name: 'b.ts', totals: totals(0, 2, 1, 1), uncovered: [[2, 3]], uncoveredRanges: 1 },
        { name: 'a.ts', totals: totals(1, 2), uncovered: [[3, 3]], uncoveredRanges: 1 },
      ],
      fileCount: 2,
      unmeasured: [],
      unmeasuredCount: 0,
      complete: true,
    });
  });

  test('names the changed lines of which only a branch is missed, as many as a result keeps', () => {
    const lines = Array.from({ length: MAX_RANGES + 5 }, (_, index) => index + 1);
    const branches = lines.flatMap((line) => [line, 0, 0, 0]);
    const found = find([aFile('a.ts', lines, { branches })], [added('a.ts')]);
    expect(found.files).toMatchObject([{ uncovered: [], uncoveredRanges: 0, partlyCoveredLines: MAX_RANGES + 5 }]);
    expect(found.files[0]?.partlyCovered).toEqual(lines.slice(0, MAX_RANGES));
  });

  test('says who told what changed', () => {
    const diff = { files: [], complete: true };
    expect(findPatch({ report: aReport(), base: undefined, diff, source: 'upload' }).source).toBe('upload');
    const filled: FileDiff = { ...aDiff('./a.ts', ['add']), source: 'upload' };
    const told = { base: undefined, diff: { files: [filled], complete: true }, source: 'provider' } as const;
    expect(findPatch({ ...told, report: aReport(aFile('a.ts', [1])) }).source).toBe('upload');
    // What no report names has no share.
    expect(findPatch({ ...told, report: aReport(aFile('b.ts', [1])) }).source).toBe('provider');
  });

  test('is not complete where a file’s lines or the list of files are not known in full', () => {
    const a = aFile('a.ts', [1]);
    expect(find([a], [aDiff('a.ts', [], { complete: false })]).complete).toBe(false);
    expect(find([a], [aDiff('logo.png', [], { complete: false })]).complete).toBe(true);
    const diff = { files: [], complete: false };
    expect(findPatch({ report: aReport(a), base: undefined, diff }).complete).toBe(false);
  });

  test('is cut, and counts what it leaves out', () => {
    const lines = Array.from({ length: 4 * MAX_RANGES }, (_, line) => line % 2);
    const names = Array.from({ length: MAX_FILE_CHANGES + 3 }, (_, index) => `f${1_000 + index}.ts`);
    const others = names.map((name) => `x${name}`);
    const found = find(
      names.map((name) => aFile(name, lines)),
      [...names, ...others].map(added),
    );
    expect(found).toMatchObject({ fileCount: names.length, unmeasuredCount: names.length });
    expect([found.files.length, found.unmeasured.length]).toEqual([MAX_FILE_CHANGES, MAX_FILE_CHANGES]);
    expect(found.files[0]?.uncovered).toHaveLength(MAX_RANGES);
    expect(found.files[0]?.uncoveredRanges).toBe(2 * MAX_RANGES);
  });
});

describe('changed source files that no report names', () => {
  test.each<[string, FileDiff, boolean]>([
    ['a new one', added('src/new.ts'), true],
    ['a changed one', aDiff('src/new.ts', ['add']), true],
    ['a renamed one', aDiff('src/new.ts', ['add'], { kind: 'renamed', previousName: 'src/a.ts' }), true],
    ['one whose like only the base reports', added('tool.py'), true],
    ['a removed one', aDiff('src/new.ts', [], { kind: 'removed' }), false],
    ['a measured one', added('src/a.ts'), false],
    ['of another kind', added('README.md'), false],
    ['a test', added('src/a.test.ts'), false],
    ['a test of Go', added('src/a_test.go'), false],
    ['declarations', added('src/a.d.ts'), false],
    ['without an ending', added('src/ts'), false],
    ['in a folder that looks like a source file', added('src/a.ts/LICENSE'), false],
    ['hidden', added('.ts'), true],
  ])('%s', (_, diff, listed) => {
    const { unmeasured, unmeasuredCount } = find(
      [aFile('src/a.ts', [1]), aFile('bin/run', [1]), aFile('m.go', [1])],
      [diff],
      [aFile('x.py', [1])],
    );
    expect(unmeasured).toEqual(listed ? [diff.name] : []);
    expect(unmeasuredCount).toBe(unmeasured.length);
  });
});
