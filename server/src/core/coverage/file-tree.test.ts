import { describe, expect, test } from 'vitest';
import { sumFiles, type TreeSort, treeRows } from './file-tree.ts';

const lines = (covered: number, relevant: number) => ({
  coveredLines: covered,
  relevantLines: relevant,
  coveredBranches: 0,
  branches: 0,
});
const file = (name: string, covered = 1, relevant = 1, before?: readonly [number, number]) => ({
  name,
  totals: lines(covered, relevant),
  base: before && lines(...before),
});
const rows = (files: readonly ReturnType<typeof file>[], folder = '', sort: TreeSort = 'path') =>
  treeRows(files, { folder, sort }).map(({ depth, label, totals }) => `${depth} ${label} ${totals.coveredLines}`);

describe('treeRows', () => {
  const files = [
    file('/abs.ts'),
    file('a.ts'),
    file('src/a/x.ts'),
    file('src/a/y.ts'),
    file('src/b.ts'),
    file('web/src/z.ts'),
  ];

  test('folders come first with the sums of their files, and those with one folder alone are joined', () => {
    expect(rows(files)).toEqual([
      '0 src/ 3',
      '1 a/ 2',
      '2 x.ts 1',
      '2 y.ts 1',
      '1 b.ts 1',
      '0 web/src/ 1',
      '1 z.ts 1',
      '0 /abs.ts 1',
      '0 a.ts 1',
    ]);
    expect(rows(files.slice(2, 5), 'src/')).toEqual(['0 a/ 2', '1 x.ts 1', '1 y.ts 1', '0 b.ts 1']);
  });

  test('of many files the folders stay closed', () => {
    const many = Array.from({ length: 201 }, (_, n) => file(`f${n % 3}/${n}.ts`));
    expect(rows(many)).toEqual(['0 f0/ 67', '0 f1/ 67', '0 f2/ 67']);
    const inOne = many.map((one) => ({ ...one, name: `src/${one.name}` }));
    expect(rows(inOne)).toEqual(['0 src/ 201', '1 f0/ 67', '1 f1/ 67', '1 f2/ 67']);
  });

  test('in another order all files come without folders, those without a number last', () => {
    const some = [file('a/x', 1, 4, [2, 4]), file('b', 0, 1, [0, 1]), file('c', 0, 0), file('d', 9, 9)];
    expect(rows(some, '', 'missed')).toEqual(['0 a/x 1', '0 b 0', '0 c 0', '0 d 9']);
    expect(rows(some, '', 'lowest')).toEqual(['0 b 0', '0 a/x 1', '0 d 9', '0 c 0']);
    expect(rows(some, '', 'drop')).toEqual(['0 a/x 1', '0 b 0', '0 c 0', '0 d 9']);
  });
});

test('a sum has a base where any file has one', () => {
  expect(sumFiles([file('a', 1, 2), file('b', 1, 1, [0, 3])])).toEqual({ totals: lines(2, 3), base: lines(0, 3) });
  expect(sumFiles([file('a')]).base).toBeUndefined();
});
