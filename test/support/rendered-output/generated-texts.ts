import fc from 'fast-check';
import type { FileCoverage, Report } from '../../../server/src/core/coverage/file-coverage.ts';
import type { Diff, FileDiff } from '../../../server/src/core/diff/file-diff.ts';
import { aDiff, type Edit } from '../diffs.ts';
import { aFile, aReport } from '../records.ts';

/** Small repos whose lines have identities: what a commit changed is known exactly. */

/** The lines of a file, each by its identity. */
type Text = readonly number[];
/** The files of a commit. */
export type Tree = ReadonlyMap<string, Text>;

export const FILES = ['a.ts', 'b.ts', 'c.ts'] as const;

/** What somebody does to one file. */
export type FileStep = 'nothing' | 'remove' | { readonly edits: readonly Edit[] };

const step: fc.Arbitrary<FileStep> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('nothing' as const) },
  { weight: 1, arbitrary: fc.constant('remove' as const) },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom<Edit>('keep', 'keep', 'add', 'add', 'remove'), { minLength: 1, maxLength: 8 })
      .map((edits) => ({ edits })),
  },
);

/** What somebody does to each file; adding lines to one that is not there makes it. */
export const steps: fc.Arbitrary<readonly FileStep[]> = fc.tuple(step, step, step);

/** How many lines each file has at first; undefined: it is not there. */
export const firstLengths = fc.tuple(
  ...FILES.map(() => fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 4 })),
);

/** Gives each new line an identity. */
export function createLineIds(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

export function firstTree(lengths: readonly (number | undefined)[], newLine: () => number): Tree {
  return new Map(
    FILES.flatMap((name, index) => {
      const length = lengths[index];
      return length === undefined ? [] : [[name, Array.from({ length }, newLine)] as const];
    }),
  );
}

/** What the files hold; undefined: one is not there. */
export function textsOf(tree: Tree): Readonly<Record<string, string | undefined>> {
  const textOf = (name: string) => tree.get(name)?.map((line) => `line ${line}\n`);
  return Object.fromEntries(FILES.map((name) => [name, textOf(name)?.join('')]));
}

export function follow(tree: Tree, all: readonly FileStep[], newLine: () => number): Tree {
  const after = new Map(tree);
  for (const [index, name] of FILES.entries()) {
    const one = all[index] ?? 'nothing';
    if (one === 'nothing') continue;
    const text = one === 'remove' ? [] : editText(after.get(name) ?? [], one.edits, newLine);
    if (text.length === 0) after.delete(name);
    else after.set(name, text);
  }
  return after;
}

function editText(text: Text, all: readonly Edit[], newLine: () => number): Text {
  let at = 0;
  const edited = all.flatMap((edit): Text => {
    if (edit === 'add') return [newLine()];
    at += 1;
    const line = text[at - 1];
    return edit === 'remove' || line === undefined ? [] : [line];
  });
  return [...edited, ...text.slice(at)];
}

/** What changed between two commits. */
export function diffTrees(before: Tree, after: Tree): Diff {
  return { files: FILES.flatMap((name) => diffFile(name, before.get(name), after.get(name)) ?? []), complete: true };
}

function diffFile(name: string, before: Text | undefined, after: Text | undefined): FileDiff | undefined {
  if (textOf(before) === textOf(after)) return undefined;
  if (before === undefined)
    return aDiff(
      name,
      (after ?? []).map(() => 'add'),
      { kind: 'added' },
    );
  if (after === undefined)
    return aDiff(
      name,
      before.map(() => 'remove'),
      { kind: 'removed' },
    );
  const edits: Edit[] = [];
  let at = 0;
  for (const line of after) {
    const place = before.indexOf(line, at);
    if (place < 0) {
      edits.push('add');
      continue;
    }
    for (; at < place; at += 1) edits.push('remove');
    edits.push('keep');
    at += 1;
  }
  for (; at < before.length; at += 1) edits.push('remove');
  return aDiff(name, edits);
}

const textOf = (text: Text | undefined): string => text?.join(' ') ?? 'none';

/** What a test run says of lines: drawn numbers, by the identity of a line. */
export interface Run {
  readonly files: readonly string[];
  /** From -1 (not relevant) on. */
  readonly hits: readonly number[];
  readonly digests: Digests;
}

/** What files come with. One of the name alone says of another text that it is the same. */
export type Digests = 'none' | 'of texts' | 'of names';

export const hitNumbers = fc.array(fc.constantFrom(0, 1, 1), { minLength: 23, maxLength: 23 });

/** Every fifth line is not relevant, every seventh has two branches, anybody who runs it. */
export function reportOf(tree: Tree, { files, hits, digests }: Run): Report {
  return aReport(
    ...files.flatMap((name): FileCoverage[] => {
      const text = tree.get(name);
      if (text === undefined) return [];
      const hitsOf = (line: number): number => (line % 5 === 0 ? -1 : (hits[line % hits.length] ?? 0));
      const branches = text.flatMap((line, index) =>
        line % 7 === 0 ? [index + 1, 0, 0, hits[(line + 1) % hits.length] ?? 0, index + 1, 0, 1, 1] : [],
      );
      const digestOf = { none: undefined, 'of texts': textOf(text), 'of names': name };
      return [aFile(name, text.map(hitsOf), { branches, digest: digestOf[digests] })];
    }),
  );
}
