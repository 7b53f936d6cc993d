import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import {
  createLineIds,
  diffTrees,
  firstLengths,
  firstTree,
  follow,
  steps,
  type Tree,
} from '../../../../test/support/rendered-output/generated-texts.ts';
import { fitCarried } from '../builds/fit-carried.ts';
import { composeDiffs, diffAcross } from './compose-diffs.ts';
import type { Diff, FileDiff } from './file-diff.ts';

const known = (...files: readonly FileDiff[]): Diff => ({ files, complete: true });
const cut = (...files: readonly FileDiff[]): Diff => ({ files, complete: false });
const renamed = (from: string, to: string, edits: Parameters<typeof aDiff>[1] = []) =>
  aDiff(to, edits, { kind: 'renamed', previousName: from });
const added = (name: string) => aDiff(name, [], { kind: 'added', complete: false });
const removed = (name: string) => aDiff(name, [], { kind: 'removed', complete: false });
const unknown = (name: string) => aDiff(name, [], { complete: false });
const GROWN = aDiff('a.ts', ['add', 'keep', 'keep']);
const SHRUNK = aDiff('a.ts', ['keep', 'remove', 'keep']);

describe('what two steps change together', () => {
  test.each<[string, Diff, Diff, Diff]>([
    ['different files', known(GROWN), known(added('b.ts')), known(GROWN, added('b.ts'))],
    ['one file twice', known(GROWN), known(SHRUNK), known(aDiff('a.ts', ['add', 'remove', 'keep']))],
    ['a change that is taken back', known(GROWN), known(aDiff('a.ts', ['remove'])), known(aDiff('a.ts', []))],
    ['a rename of what changed', known(GROWN), known(renamed('a.ts', 'b.ts')), known(renamed('a.ts', 'b.ts', ['add']))],
    ['two renames', known(renamed('a', 'b')), known(renamed('b', 'c')), known(renamed('a', 'c'))],
    ['a rename there and back', known(renamed('a', 'b')), known(renamed('b', 'a')), known(aDiff('a', []))],
    ['what is put in and renamed', known(added('a')), known(renamed('a', 'b')), known(added('b'))],
    ['what is put in and taken out', known(added('a')), known(removed('a')), known()],
    ['what is renamed and taken out', known(renamed('a', 'b')), known(removed('b')), known(removed('a'))],
    ['another file under the same name', known(removed('a')), known(added('a')), known(removed('a'), added('a'))],
    ['a file that one does not know', known(unknown('a.ts')), known(SHRUNK), known(unknown('a.ts'))],
    ['a list that was cut first', cut(), known(SHRUNK, added('b')), cut(unknown('a.ts'), added('b'))],
    ['a list that was cut then', known(GROWN, removed('b')), cut(), cut(unknown('a.ts'), removed('b'))],
  ])('%s', (_, first, second, expected) => {
    expect(composeDiffs(first, second)).toEqual(expected);
  });
});

/** Hits that tell lines apart. */
const idsOf = (tree: Tree) => aReport(...[...tree].map(([name, lines]) => aFile(name, [...lines])));

test('across a parting every line of a report stands where its own text has it, and none is lost that all have', () => {
  fc.assert(
    fc.property(firstLengths, fc.tuple(steps, steps, steps), (lengths, [before, ours, theirs]) => {
      const newLine = createLineIds();
      const parting = follow(firstTree(lengths, newLine), before, newLine);
      const [one, other] = [follow(parting, ours, newLine), follow(parting, theirs, newLine)];
      const diff = diffAcross({ toOne: diffTrees(parting, one), toOther: diffTrees(parting, other) });
      const { report, leftOut } = fitCarried(idsOf(one), aReport(), { diff });
      // What both sides put in under one name are two files of which no diff tells.
      const twice = [...one.keys()].filter((name) => other.has(name) && !parting.has(name));
      const laid = new Map(report.files.map(({ name, hits }) => [name, [...hits]]));
      expect(leftOut).toBe(twice.length);
      for (const [name, lines] of other) {
        const common = lines.map((id) => (one.get(name)?.includes(id) && parting.get(name)?.includes(id) ? id : -1));
        const found = lines.map((_, index) => laid.get(name)?.[index] ?? -1);
        expect([name, found]).toEqual([name, common]);
        expect(laid.get(name)?.length ?? 0).toBeLessThanOrEqual(lines.length);
      }
      expect([...laid.keys()].filter((name) => !other.has(name))).toEqual([]);
    }),
  );
});
