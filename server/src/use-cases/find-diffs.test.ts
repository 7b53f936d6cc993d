import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aBuild, sha } from '../../../test/support/records.ts';
import type { BasePick, BaseRule, Build } from '../domain/build/build.ts';
import type { BuildFacts } from '../domain/build/build-facts.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import type { ChangedFiles } from '../ports/provider-facts.ts';
import { type CompareCommits, createCompareCommits, createFindDiffs } from './find-diffs.ts';
import { createPatience } from './patience.ts';

const [BASE, HEAD, MERGE, FORK] = [sha('b'), sha('a'), sha('e'), sha('f')];
const FACTS: BuildFacts = {
  askedAt: 1,
  complete: true,
  pull: undefined,
  tree: undefined,
  mergeParent: undefined,
  mergeBase: undefined,
  ancestorsOf: undefined,
};
const pickOf = (rule: BaseRule, commit = BASE): BasePick => ({
  buildId: 1,
  number: '70',
  commit,
  branch: 'main',
  rule,
  commitsAway: undefined,
  closeCount: 1,
});

describe('which commits are compared', () => {
  /** The ranges asked for, of the base and of the patch, as `<from> <to>`. */
  const ranges = async (build: Partial<Build>, base: BasePick | undefined) => {
    const asked: string[] = [];
    const compare: CompareCommits = async (range) => {
      asked.push(`${range.base[0]} ${range.head[0]}`);
      return {
        files: [{ name: `${range.base[0]}`, previousName: undefined, kind: 'modified', hunks: [], complete: false }],
        complete: true,
      };
    };
    const found = await createFindDiffs(compare)({
      build: aBuild({ commit: HEAD, ...build }),
      repo: aRepo(),
      base,
      patience: createPatience(1_000),
    });
    const from = (diff: Diff | undefined) => diff?.files[0]?.name;
    return { asked, base: from(found.base), patch: from(found.patch) };
  };

  test.each<[string, Partial<Build>, BasePick | undefined, Awaited<ReturnType<typeof ranges>>]>([
    ['a push and its ancestor: one question', {}, pickOf('ancestor'), { asked: ['b a'], base: 'b', patch: 'b' }],
    [
      'a push and a base that may be no ancestor: none',
      {},
      pickOf('previous-on-branch'),
      { asked: [], base: undefined, patch: undefined },
    ],
    ['a first build: none', {}, undefined, { asked: [], base: undefined, patch: undefined }],
    [
      'a pull request tested at its merge commit',
      { pullRequest: 7, testedCommit: MERGE, facts: { ...FACTS, mergeParent: BASE } },
      pickOf('merge-parent'),
      { asked: ['b e'], base: 'b', patch: 'b' },
    ],
    [
      'a pull request whose base is before the merge base: two',
      { pullRequest: 7, facts: { ...FACTS, mergeBase: FORK } },
      pickOf('ancestor'),
      { asked: ['b a', 'f a'], base: 'b', patch: 'f' },
    ],
    [
      'a pull request whose base was found by its branch: its own changes alone',
      { pullRequest: 7, facts: { ...FACTS, mergeBase: FORK } },
      pickOf('base-branch'),
      { asked: ['f a'], base: undefined, patch: 'f' },
    ],
    [
      'a build without a commit: none',
      { commit: undefined },
      pickOf('ancestor'),
      { asked: [], base: undefined, patch: undefined },
    ],
  ])('%s', async (_, build, base, expected) => {
    expect(await ranges(build, base)).toEqual(expected);
  });
});

test('a provider’s list becomes a diff: copied files are new, mere renames known, what has no patch is not', async () => {
  const patch = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
  const changed: ChangedFiles = {
    complete: false,
    files: [
      { name: 'a', previousName: undefined, status: 'modified', patch },
      { name: 'b', previousName: 'old', status: 'renamed', patch: '' },
      { name: 'c', previousName: 'a', status: 'copied', patch },
      { name: 'd', previousName: undefined, status: 'modified', patch: undefined },
    ],
  };
  const compare = createCompareCommits(async <T>() => {
    const provider = { compareFiles: async () => changed };
    return { kind: 'answer', value: (await asked(provider as never)) as T };
  });
  let asked: (provider: never) => Promise<unknown> = async () => undefined;
  const capturing = createCompareCommits(async (question) => {
    asked = question.ask as typeof asked;
    return { kind: 'lacking' };
  });
  const range = { repo: aRepo(), base: BASE, head: HEAD, patience: createPatience(1_000) };
  expect(await capturing(range)).toBeUndefined();
  const diff = await compare(range);
  expect(diff?.complete).toBe(false);
  expect(diff?.files.map(({ name, kind, complete, hunks }) => [name, kind, complete, hunks.length])).toEqual([
    ['a', 'modified', true, 1],
    ['b', 'renamed', true, 0],
    ['c', 'added', false, 0],
    ['d', 'modified', false, 0],
  ]);
});
