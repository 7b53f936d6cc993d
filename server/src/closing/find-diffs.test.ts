import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aBuild, aClosedBuild, providerFacts, sha } from '../../../test/support/records.ts';
import { toBasePick } from '../core/builds/base-build.ts';
import type { BasePick, BaseRule, Build } from '../core/builds/build.ts';
import { toCarriedPick } from '../core/builds/carryforward.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import type { AskProvider } from '../hosts/facts/ask-provider.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import type { ChangedFiles } from '../ports/provider-facts.ts';
import type { ChosenBase } from './choose-base.ts';
import { compareCommits } from './compare-commits.ts';
import { type DiffSources, diffSince, findDiffs } from './find-diffs.ts';

const [BASE, HEAD, MERGE, FORK] = [sha('b'), sha('a'), sha('e'), sha('f')];
const FACTS = providerFacts();
/** A base of commit b, found as that, unless stated otherwise. */
const baseOf = (rule: BaseRule, foundAs: string | undefined = BASE, stated: Partial<Build> = {}): ChosenBase => {
  const build = aClosedBuild({ commit: BASE, branch: 'main', ...stated });
  return { build, pick: toBasePick(build, { rule, commitsAway: undefined, foundAs }) };
};
const NONE_SENT = async () => undefined;
const LANDED: Build['landed'] = { branch: 'main', commit: FORK, how: 'same-tree', at: 1 };

describe('which commits are compared', () => {
  /** The ranges asked for, of the base and of the patch, as `<from> <to>`. */
  const ranges = async (build: Partial<Build>, base: ChosenBase | undefined) => {
    const asked: string[] = [];
    const compare: DiffSources['compare'] = async (range) => {
      asked.push(`${range.base[0]} ${range.head[0]}`);
      const file = {
        name: `${range.base[0]}`,
        previousName: undefined,
        kind: 'modified',
        hunks: [],
        complete: false,
      } as const;
      return { kind: 'answer', value: { files: [file], complete: true } };
    };
    const found = await findDiffs(
      { compare, readSent: NONE_SENT },
      {
        build: aBuild({ commit: HEAD, ...build }),
        repo: aRepo(),
        base,
        deadline: createDeadline(systemTimers, 1_000),
      },
    );
    const from = (diff: Diff | undefined) => diff?.files[0]?.name;
    return { asked, base: from(found.base), patch: from(found.patch) };
  };

  test.each<[string, Partial<Build>, ChosenBase | undefined, Awaited<ReturnType<typeof ranges>>]>([
    ['a push and its ancestor: one question', {}, baseOf('ancestor'), { asked: ['b a'], base: 'b', patch: 'b' }],
    [
      'a push and a base that may be no ancestor: none',
      {},
      baseOf('previous-on-branch'),
      { asked: [], base: undefined, patch: undefined },
    ],
    ['a first build: none', {}, undefined, { asked: [], base: undefined, patch: undefined }],
    [
      'a pull request tested at its merge commit',
      { pullRequest: 7, testedCommit: MERGE, facts: { ...FACTS, mergeParent: BASE } },
      baseOf('merge-parent'),
      { asked: ['b e'], base: 'b', patch: 'b' },
    ],
    [
      'a pull request whose base is before the merge base: three, since the two tell no lines',
      { pullRequest: 7, facts: { ...FACTS, mergeBase: FORK } },
      baseOf('ancestor'),
      { asked: ['b a', 'f a', 'b f'], base: 'b', patch: 'f' },
    ],
    [
      'a pull request whose base was found by its branch: its own changes alone',
      { pullRequest: 7, facts: { ...FACTS, mergeBase: FORK } },
      baseOf('base-branch'),
      { asked: ['f a'], base: undefined, patch: 'f' },
    ],
    [
      'a base that landed as another commit: since that one',
      {},
      baseOf('ancestor', FORK, { landed: LANDED, testedCommit: MERGE }),
      { asked: ['f a'], base: 'f', patch: 'f' },
    ],
    [
      'a base that was found by its head, and tested merged: none',
      { pullRequest: 7, facts: { ...FACTS, mergeBase: BASE } },
      baseOf('merge-base', BASE, { testedCommit: MERGE }),
      { asked: ['b a'], base: undefined, patch: 'b' },
    ],
    [
      'a base that was found by the head of the merge commit that it was sent as: none',
      {},
      baseOf('ancestor', BASE, { commit: MERGE, target: BASE }),
      { asked: [], base: undefined, patch: undefined },
    ],
    [
      'a build without a commit: none',
      { commit: undefined },
      baseOf('ancestor'),
      { asked: [], base: undefined, patch: undefined },
    ],
  ])('%s', async (_, build, base, expected) => {
    expect(await ranges(build, base)).toEqual(expected);
  });
});

describe('what others did before a pull request', () => {
  const file = (name: string, stated: Partial<FileDiff> = {}): FileDiff => ({
    name,
    previousName: undefined,
    kind: 'modified',
    hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 }],
    complete: true,
    ...stated,
  });
  const other = [{ oldStart: 5, oldLines: 1, newStart: 5, newLines: 1 }];
  const find = async (diffs: Readonly<Record<string, readonly FileDiff[]>>, stated: Partial<BasePick> = {}) => {
    const asked: string[] = [];
    const compare: DiffSources['compare'] = async (range) => {
      const key = `${range.base[0]} ${range.head[0]}`;
      asked.push(key);
      return { kind: 'answer', value: diffs[key] && { files: diffs[key], complete: true } };
    };
    const { build, pick } = baseOf('ancestor');
    const found = await findDiffs(
      { compare, readSent: NONE_SENT },
      {
        build: aBuild({ commit: HEAD, pullRequest: 7, baseBranch: 'main', facts: { ...FACTS, mergeBase: FORK } }),
        repo: aRepo(),
        base: { build, pick: { ...pick, commitsAway: 2, ...stated } },
        deadline: createDeadline(systemTimers, 1_000),
      },
    );
    return { asked, before: found.before, unavailable: found.unavailable };
  };

  test('follows from the two diffs where no file was changed by both', async () => {
    const { asked, before } = await find({ 'b a': [file('a.ts'), file('b.ts')], 'f a': [file('b.ts')] });
    expect(asked).toEqual(['b a', 'f a']);
    expect(before).toEqual({ diff: { files: [file('a.ts')], complete: true }, commits: 2, branch: 'main' });
  });

  test('is asked for where one was', async () => {
    const both = { 'b a': [file('a.ts', { hunks: other })], 'f a': [file('a.ts')] };
    const { asked, before } = await find({ ...both, 'b f': [file('a.ts', { hunks: [] })] });
    expect(asked).toEqual(['b a', 'f a', 'b f']);
    expect(before?.diff).toEqual({ files: [file('a.ts', { hunks: [] })], complete: true });
    const open = await find(both);
    expect(open.before?.diff).toEqual({ files: [file('a.ts', { hunks: [], complete: false })], complete: true });
  });

  test('is not known where the pull request’s own diff is not', async () => {
    const { before } = await find({ 'b a': [file('a.ts')] });
    expect(before).toEqual({ diff: undefined, commits: 2, branch: 'main' });
  });
});

test('an answer that lacks is told apart from none', async () => {
  const sources: DiffSources = { compare: async () => ({ kind: 'unavailable' }), readSent: NONE_SENT };
  const asked = { build: aBuild({ commit: HEAD }), repo: aRepo(), deadline: createDeadline(systemTimers, 1_000) };
  expect(await findDiffs(sources, { ...asked, base: baseOf('ancestor') })).toMatchObject({
    base: undefined,
    patch: undefined,
    unavailable: true,
  });
  expect(await findDiffs(sources, { ...asked, base: undefined })).toMatchObject({
    base: undefined,
    patch: undefined,
    unavailable: false,
  });
});

test('a carried flag is compared with the text that its report speaks of', async () => {
  const asked: string[] = [];
  const compare: DiffSources['compare'] = async ({ base, head }) => {
    asked.push(`${base[0]} ${head[0]}`);
    return { kind: 'unavailable' };
  };
  const ask = (origin: Build) =>
    diffSince(
      { compare, readSent: NONE_SENT },
      {
        build: aBuild({ commit: HEAD }),
        repo: aRepo(),
        carried: { pick: toCarriedPick('unit', origin), origin },
        deadline: createDeadline(systemTimers, 1_000),
      },
    );
  const origin = aClosedBuild({ commit: BASE });
  for (const one of [origin, { ...origin, testedCommit: MERGE }, { ...origin, testedCommit: MERGE, landed: LANDED }]) {
    expect(await ask(one)).toEqual({ kind: 'unavailable' });
  }
  expect(asked).toEqual(['b a', 'e a', 'f a']);
  expect(await ask({ ...origin, commit: undefined })).toEqual({ kind: 'answer', value: undefined });
  expect(await ask({ ...origin, commit: HEAD })).toEqual({ kind: 'answer', value: { files: [], complete: true } });
});

describe('what a provider compares', () => {
  const patch = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
  const changed: ChangedFiles = {
    complete: false,
    mergeBase: BASE,
    files: [
      { name: 'a', previousName: undefined, status: 'modified', patch },
      { name: 'b', previousName: 'old', status: 'renamed', patch: '' },
      { name: 'c', previousName: 'a', status: 'copied', patch },
      { name: 'd', previousName: undefined, status: 'modified', patch: undefined },
    ],
  };
  /** The diff that comes of a provider's answer, and whether it is kept. */
  const compare = async (answer: ChangedFiles) => {
    let isKept: boolean | undefined;
    const ask: AskProvider = async (question) => {
      const value = await question.ask({ compareFiles: async () => answer } as never);
      isKept = value === undefined ? undefined : question.keeps?.(value);
      return { kind: 'answer', value };
    };
    const found = await compareCommits(
      { askProvider: ask },
      {
        repo: aRepo(),
        base: BASE,
        head: HEAD,
        deadline: createDeadline(systemTimers, 1_000),
      },
    );
    return { diff: found.kind === 'answer' ? found.value : undefined, isKept };
  };

  test('becomes a diff: copied files are new, mere renames known, what has no patch is not', async () => {
    const { diff } = await compare(changed);
    expect(diff?.complete).toBe(false);
    expect(diff?.files.map(({ name, kind, complete, hunks }) => [name, kind, complete, hunks.length])).toEqual([
      ['a', 'modified', true, 1],
      ['b', 'renamed', true, 0],
      ['c', 'added', false, 0],
      ['d', 'modified', false, 0],
    ]);
  });

  test('is no diff where it begins elsewhere, or nobody says where', async () => {
    expect((await compare({ ...changed, mergeBase: FORK })).diff).toBeUndefined();
    expect((await compare({ ...changed, mergeBase: undefined })).diff).toBeUndefined();
  });

  test('is kept where it is whole', async () => {
    expect((await compare(changed)).isKept).toBe(false);
    expect((await compare({ ...changed, complete: true })).isKept).toBe(true);
  });
});
