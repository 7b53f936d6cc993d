import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_BRANCHES, type Report } from '../coverage/file-coverage.ts';
import { sumFiles, treeRows } from '../coverage/file-tree.ts';
import { addTotals, fileTotals, NO_TOTALS, reportTotals } from '../coverage/totals.ts';
import type { Diff, FileDiff } from '../diff/file-diff.ts';
import { composeReport } from './build-report.ts';
import { composeParts, type GroupAsked, type PartsAsked } from './compose-groups.ts';

const report = (files: Readonly<Record<string, readonly number[]>>): Report => ({
  files: Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hits]) => ({
      name,
      digest: undefined,
      source: undefined,
      hits: Int32Array.from(hits),
      branches: NO_BRANCHES,
    })),
});
const group = (id: string, patterns: readonly string[], flags: readonly string[] = []): GroupAsked => ({
  ...{ id, name: id, flags, digest: 'd' },
  files: { kind: 'paths', patterns },
});
const asked = (groups: readonly GroupAsked[], owners?: string): PartsAsked => ({
  flagLines: [],
  groups,
  owners,
  allOwners: owners !== undefined,
});
const counted = (head: Report, base?: Report, patch?: Diff) => ({
  ...{ report: head, base, patch, baseDiff: patch },
  byFlags: new Map(),
});
const diffOf = (...files: readonly Partial<FileDiff>[]): Diff => ({
  complete: true,
  files: files.map((file) => ({
    ...{ name: '', previousName: undefined, kind: 'modified', hunks: [], complete: true },
    ...file,
  })),
});

/** Files in few folders, so that they share some. */
const names = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
  .map((parts) => `${parts.join('/')}.ts`);
const reports = fc
  .dictionary(names, fc.array(fc.integer({ min: -1, max: 2 }), { maxLength: 6 }), { maxKeys: 12 })
  .map(report);

describe('numbers', () => {
  test('a group of a folder has the number of that folder in the tree, in the build and in the base', () => {
    fc.assert(
      fc.property(reports, reports, (head, base) => {
        const before = new Map(base.files.map((file) => [file.name, fileTotals(file)]));
        const files = head.files.map((file) => ({
          name: file.name,
          totals: fileTotals(file),
          base: before.get(file.name),
        }));
        for (const row of treeRows(files, { folder: '', sort: 'path' })) {
          if (row.kind !== 'folder') continue;
          const [found] = composeParts(asked([group('g', [`${row.name}**`])]), counted(head, base)).groups;
          expect(found?.totals).toEqual(row.totals);
          expect(found?.totals).toEqual(sumFiles(files.filter(({ name }) => name.startsWith(row.name))).totals);
        }
      }),
    );
  });

  test('groups that part the files add up to the total, and so do owners', () => {
    fc.assert(
      fc.property(reports, reports, (head, base) => {
        const parts = [group('a', ['a/**']), group('b', ['b/**']), group('rest', ['**', '!a/**', '!b/**'])];
        const owners = '/a/ @a\n/b/ @b\n';
        const found = composeParts(asked(parts, owners), counted(head, base));
        const sum = (totals: readonly ReturnType<typeof reportTotals>[]) => totals.reduce(addTotals, NO_TOTALS);
        expect(sum(found.groups.map(({ totals }) => totals))).toEqual(reportTotals(head));
        expect(sum(found.groups.map(({ baseTotals = NO_TOTALS }) => baseTotals))).toEqual(reportTotals(base));
        expect(sum(found.owners.map(({ totals }) => totals))).toEqual(reportTotals(head));
      }),
    );
  });

  test('no definition of groups moves a number of the build', () => {
    fc.assert(
      fc.property(reports, fc.array(fc.array(names, { maxLength: 3 }), { maxLength: 3 }), (head, patterns) => {
        const compose = (parts?: PartsAsked) =>
          composeReport({ jobs: [{ flag: 'unit', report: head }], carried: [], base: undefined, parts });
        const { parts: _, ...plain } = compose();
        const { parts: __, ...grouped } = compose(asked(patterns.map((some, at) => group(`g${at}`, some))));
        expect(grouped).toEqual(plain);
      }),
    );
  });

  test('a file may be in several groups, or in none', () => {
    const head = report({ 'a/x.ts': [1, 0], 'b/y.ts': [1] });
    const { groups } = composeParts(
      asked([group('a', ['a/**']), group('all', ['**']), group('none', ['c/**'])]),
      counted(head),
    );
    expect(groups.map(({ totals, files }) => [totals.coveredLines, totals.relevantLines, files])).toEqual([
      [1, 2, 1],
      [2, 3, 2],
      [0, 0, 0],
    ]);
  });

  test('a renamed file is compared with what it was', () => {
    const patch = diffOf({ name: 'new/x.ts', previousName: 'old/x.ts', kind: 'renamed' });
    const { groups } = composeParts(
      asked([group('new', ['new/**'])]),
      counted(report({ 'new/x.ts': [1, 0] }), report({ 'old/x.ts': [1, 1] }), patch),
    );
    expect(groups[0]?.baseTotals?.coveredLines).toBe(2);
  });

  test('with flags only what their reports cover, merged', () => {
    const jobs = [
      { flag: 'unit', report: report({ 'a.ts': [1, 0, 0] }) },
      { flag: 'e2e', report: report({ 'a.ts': [0, 1, 0] }) },
      { flag: 'other', report: report({ 'a.ts': [0, 0, 1] }) },
    ];
    const parts = asked([group('some', ['**'], ['unit', 'e2e']), group('gone', ['**'], ['nothing'])]);
    const { parts: found } = composeReport({ jobs, carried: [], base: undefined, parts });
    expect(found?.groups.map(({ totals }) => totals.coveredLines)).toEqual([2, 0]);
  });
});

describe('whether the change touches a group', () => {
  const touched = (patterns: readonly string[], patch: Diff | undefined): boolean | undefined =>
    composeParts(asked([group('g', patterns)]), counted(report({ 'a/x.ts': [1] }), report({}), patch)).groups[0]
      ?.touched;

  test.each([
    ['a file of it', ['a/**'], diffOf({ name: 'a/x.ts' }), true],
    ['a file of elsewhere', ['a/**'], diffOf({ name: 'b/x.ts' }), false],
    [
      'a file that it takes out, such as a test',
      ['a/**', '!a/test/**'],
      diffOf({ name: 'a/test/x.ts', kind: 'removed' }),
      true,
    ],
    ['a file that came from it', ['a/**'], diffOf({ name: 'b/x.ts', previousName: 'a/x.ts', kind: 'renamed' }), true],
    ['nobody knows', ['a/**'], undefined, true],
    ['nobody knows all', ['a/**'], { files: [], complete: false }, true],
  ])('%s', (_, patterns, patch, expected) => expect(touched(patterns, patch)).toBe(expected));
});

test('what the change took out is gone, and what only stopped to report is not', () => {
  const base = report({ 'a/x.ts': [1], 'b/y.ts': [1] });
  const patch = diffOf({ name: 'a/x.ts', kind: 'removed' });
  const { groups } = composeParts(
    asked([group('a', ['a/**']), group('b', ['b/**'])]),
    counted(report({}), base, patch),
  );
  expect(groups.map(({ gone }) => gone)).toEqual([true, false]);
});

test.each([
  ['packages/*', ['packages/cli', 'packages/ui']],
  ['packages/*/src', ['packages/cli/src']],
  ['*', ['packages', 'tools']],
  ['packages/*-next', []],
])('each: %s finds %j', (pattern, expected) => {
  const head = report({
    'packages/cli/src/a.ts': [1],
    'packages/ui/a.ts': [0],
    'packages/README.ts': [1],
    'tools/a.ts': [1],
    'root.ts': [1],
  });
  const each: GroupAsked = { ...group('each', []), name: 'P {1}', files: { kind: 'each', pattern } };
  const { groups } = composeParts(asked([each]), counted(head));
  const folders = groups.map(({ name }) => pattern.replace('*', name.replace('P ', '')));
  expect(folders).toEqual(expected);
  for (const one of groups) expect(one.files).toBeGreaterThan(0);
});

test('a folder whose name is a pattern stands for itself', () => {
  const each: GroupAsked = { ...group('each', []), name: '{1}', files: { kind: 'each', pattern: 'app/*' } };
  const { groups } = composeParts(asked([each]), counted(report({ 'app/[id]/a.ts': [1], 'app/i/a.ts': [0] })));
  expect(groups.map(({ name, totals }) => [name, totals.coveredLines])).toEqual([
    ['[id]', 1],
    ['i', 0],
  ]);
});

test('folders whose names differ in signs alone have ids of their own', () => {
  const each: GroupAsked = { ...group('each', []), name: '{1}', files: { kind: 'each', pattern: '*' } };
  const { groups } = composeParts(asked([each]), counted(report({ 'a b/x.ts': [1], 'a-b/x.ts': [1] })));
  expect(groups.map(({ id }) => id)).toEqual(['a-b', 'a-b-2']);
});

test('changed lines of a group are those of its files', () => {
  const patch = diffOf(
    { name: 'a/x.ts', hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 2 }] },
    { name: 'b/y.ts', hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1 }] },
  );
  const head = report({ 'a/x.ts': [1, 0, 1], 'b/y.ts': [0] });
  const { groups } = composeParts(asked([group('a', ['a/**'])]), counted(head, undefined, patch));
  expect(groups[0]?.changes).toMatchObject({ coveredLines: 1, relevantLines: 2 });
});

test('an owner has all files that are theirs, and what nobody owns is one row', () => {
  const head = report({ 'a/x.ts': [1], 'a/b/y.ts': [0], 'c.ts': [1] });
  const owners = '/a/ @a @both\n/a/b/ @both\n';
  const byOwner: GroupAsked = { ...group('both', []), files: { kind: 'owner', owner: '@both' } };
  const found = composeParts(asked([byOwner], owners), counted(head, report({ 'a/x.ts': [0] })));
  expect(
    found.owners.map(({ owner, files, totals, baseTotals }) => [
      owner,
      files,
      totals.coveredLines,
      baseTotals?.relevantLines,
    ]),
  ).toEqual([
    ['@a', 1, 1, 1],
    ['@both', 2, 1, 1],
    [undefined, 1, 1, 0],
  ]);
  expect(found.groups[0]?.totals).toEqual(found.owners[1]?.totals);
});
