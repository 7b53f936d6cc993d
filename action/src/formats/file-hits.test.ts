import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileHits } from './file-hits.ts';
import { MAX_HITS } from './hits-text.ts';
import { PackedWriter } from './packed-numbers.ts';

type Written = { lines: [number, number][]; branches: [number, number, number, number][] };

const hits = fc.oneof(fc.nat(9), fc.nat(2 ** 32), fc.maxSafeNat());
const written: fc.Arbitrary<Written> = fc.record({
  lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 700 }), hits), { maxLength: 20 }),
  branches: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(2), fc.nat(2), hits), { maxLength: 12 }),
});

function fileOf(...parts: Written[]): FileHits {
  const file = new FileHits('a');
  for (const { lines, branches } of parts) {
    for (const [line, count] of lines) file.addLine(line, count);
    for (const [line, block, branch, count] of branches) file.addBranch(line, block, branch, count);
  }
  return file;
}

const shown = (file: FileHits) => ({ coverage: file.coverage(), branches: file.branches(), lines: file.countLines() });

test('merging is the same as having written everything into one, in any order', () => {
  fc.assert(
    fc.property(written, written, written, (a, b, c) => {
      const left = fileOf(a);
      left.merge(fileOf(b));
      left.merge(fileOf(c));
      const right = fileOf(c);
      const inner = fileOf(b);
      inner.merge(fileOf(a));
      right.merge(inner);
      expect(shown(left)).toEqual(shown(fileOf(a, b, c)));
      expect(shown(right)).toEqual(shown(left));
    }),
  );
});

test('sums equal those of exact arithmetic, saturated', () => {
  fc.assert(
    fc.property(written, ({ lines, branches }) => {
      const sums = new Map<number, bigint>();
      for (const [line, count] of lines) sums.set(line, (sums.get(line) ?? 0n) + BigInt(count));
      const saturated = (sum: bigint): number => Number(sum > BigInt(MAX_HITS) ? BigInt(MAX_HITS) : sum);
      const file = fileOf({ lines, branches });
      const last = Math.max(0, ...sums.keys());
      const expected = Array.from({ length: last }, (_, index) => {
        const sum = sums.get(index + 1);
        return sum === undefined ? null : saturated(sum);
      });
      expect(file.coverage()).toEqual(expected);
      expect(file.lastLine).toBe(last);
      expect(file.countLines()).toEqual({
        all: sums.size,
        covered: [...sums.values()].filter((sum) => sum > 0n).length,
      });
      const arms = new Map<string, bigint>();
      for (const [line, block, branch, count] of branches) {
        const key = [line, block, branch].join();
        arms.set(key, (arms.get(key) ?? 0n) + BigInt(count));
      }
      expect(file.countBranches()).toEqual({
        all: arms.size,
        covered: [...arms.values()].filter((sum) => sum > 0n).length,
      });
      const groups = file.branches();
      expect(groups.length).toBe(arms.size * 4);
      for (let at = 0; at < groups.length; at += 4) {
        expect(groups[at + 3]).toBe(saturated(arms.get(groups.slice(at, at + 3).join()) as bigint));
      }
    }),
  );
});

test('raising takes the larger, and a first 0 makes the line relevant', () => {
  const file = new FileHits('a');
  file.raiseLine(2, 0);
  file.raiseLine(3, 4);
  file.raiseLine(3, 2);
  expect(file.coverage()).toEqual([null, 0, 4]);
});

test('asking for branches twice gives the same, and the caller may change what it got', () => {
  const file = fileOf({
    lines: [],
    branches: [
      [2, 0, 0, 1],
      [1, 0, 0, 1],
      [2, 0, 0, 1],
    ],
  });
  const first = file.branches();
  expect(first).toEqual([1, 0, 0, 1, 2, 0, 0, 2]);
  first.length = 0;
  expect(file.branches()).toEqual([1, 0, 0, 1, 2, 0, 0, 2]);
});

test('what was packed continues, with hits of any size', () => {
  const file = new FileHits('a.c');
  const pack = () => {
    const writer = new PackedWriter();
    file.pack(writer);
    writer.endBlock();
  };
  file.addLine(3, 1);
  file.addBranch(3, 0, 0, 1);
  pack();
  file.addLine(500, 2);
  file.addLine(3, 3_000_000_000);
  file.addBranch(3, 0, 1, 3_000_000_000);
  pack();
  pack();
  file.addBranch(1, 0, 0, 0);
  expect([file.coverage()[2], file.lastLine, file.countLines().all]).toEqual([3_000_000_001, 500, 2]);
  expect(file.branches()).toEqual([1, 0, 0, 0, 3, 0, 0, 1, 3, 0, 1, 3_000_000_000]);
});
