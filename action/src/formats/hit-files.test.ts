import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileHits } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';

const shown = (files: readonly FileHits[]) =>
  files.map((file) => [file.name, file.coverage(), file.branches(), file.countLines(), file.countBranches()]);

/** More than is held open at once: each of these takes some 600 KB. */
const LONG = 150_000;

test('files that were packed in between hold what was written to them, in the order in which they were named', () => {
  const names = Array.from({ length: 30 }, (_, index) => `${index}.c`);
  const files = new HitFiles();
  for (const times of [1, 2])
    for (const name of names) {
      const file = files.file(name);
      file.addLine(LONG, times);
      file.addLine(7, 0);
      file.addBranch(LONG, 2 ** 31, 70, times);
      file.addBranch(3, 0, 0, times);
      file.addBranch(3, 0, 1, 0);
    }
  const packed = files.packed();
  expect(packed.map(({ name }) => name)).toEqual(names);
  for (const file of packed) {
    expect([file.lastLine, file.countLines()]).toEqual([LONG, { covered: 1, all: 2 }]);
    expect(file.branches()).toEqual([3, 0, 0, 3, 3, 0, 1, 0, LONG, 2 ** 31, 70, 3]);
    expect([file.coverage()[6], file.coverage()[LONG - 1]]).toEqual([0, 3]);
    expect(file.openBytes).toBe(0);
  }
});

test('what is written to packed files, or added, is the same as with plain ones', () => {
  const number = fc.oneof(fc.nat(9), fc.nat(2 ** 32), fc.maxSafeNat());
  const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__'), fc.integer({ min: 1, max: 300 }), number));
  fc.assert(
    fc.property(writes, writes, (first, second) => {
      const [files, plain] = [new HitFiles(), new Map<string, FileHits>()];
      const write = (file: FileHits, line: number, hits: number) => {
        file.addLine(line, hits);
        file.addBranch(line % 5, hits % 3, line % 2, hits);
      };
      for (const part of [first, second]) {
        for (const [name, line, hits] of part) {
          plain.set(name, plain.get(name) ?? new FileHits(name));
          write(plain.get(name) as FileHits, line, hits);
          const other = new FileHits(name);
          write(other, line, hits);
          if (line % 2 === 0) files.add(other);
          else write(files.file(name), line, hits);
        }
        files.packed();
      }
      expect(shown(files.packed())).toEqual(shown([...plain.values()]));
    }),
  );
});

test('a file under another name does not follow the first one', () => {
  const files = new HitFiles();
  files.file('a').addLine(1, 1);
  const open = files.file('a').renamed('b');
  const [a] = files.packed();
  const packed = a?.renamed('c');
  a?.addLine(2, 1);
  expect([open, packed].map((file) => [file?.name, file?.coverage()])).toEqual([
    ['b', [1]],
    ['c', [1]],
  ]);
});

test('packed files of which most lines count are merged to the sums of their hits, however large', () => {
  const hits = fc.oneof(fc.nat(3), fc.integer({ min: 252, max: 258 }), fc.integer({ min: 2 ** 30, max: 2 ** 32 }));
  const column = fc.array(fc.option(hits, { freq: 4 }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 4 }), (columns) => {
      const plain = new FileHits('a');
      const packed = columns.map((column) => {
        const files = new HitFiles();
        for (const file of [files.file('a'), plain])
          for (const [index, count] of column.entries()) {
            if (count === null) continue;
            file.addLine(index + 1, count);
            file.addBranch(index + 1, 0, index % 2, count);
          }
        return files.packed();
      });
      const [first, ...others] = packed.flat();
      for (const other of others) first?.merge(other);
      expect(shown(first === undefined ? [] : [first])).toEqual(shown([plain]));
    }),
  );
});
