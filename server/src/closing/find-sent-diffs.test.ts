import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aDiff } from '../../../test/support/diffs.ts';
import { aBuild, aClosedBuild, providerFacts, sha } from '../../../test/support/records.ts';
import { toBasePick } from '../core/builds/base-build.ts';
import type { BaseRule, Build } from '../core/builds/build.ts';
import { toCarriedPick } from '../core/builds/carryforward.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import type { ChosenBase } from './choose-base.ts';
import { type DiffSources, diffSince, findDiffs } from './find-diffs.ts';

const [BASE, HEAD, MERGE, FORK] = [sha('b'), sha('a'), sha('e'), sha('f')];
const FACTS = providerFacts();
/** A base of commit b, found as that, unless stated otherwise. */
const baseOf = (rule: BaseRule, foundAs: string | undefined = BASE, stated: Partial<Build> = {}): ChosenBase => {
  const build = aClosedBuild({ commit: BASE, branch: 'main', ...stated });
  return { build, pick: toBasePick(build, { rule, commitsAway: undefined, foundAs }) };
};
const LANDED: Build['landed'] = { branch: 'main', commit: BASE, how: 'same-tree', at: 1 };

describe('the diff that an upload brought', () => {
  const sent: Diff = { files: [], complete: true };
  /** Nobody answers but the upload, whose diff is from `from` to the head. */
  const find = async (
    build: Partial<Build>,
    base: ChosenBase | undefined,
    from = BASE,
    to = HEAD,
    kind: 'unavailable' | 'answer' = 'answer',
  ) => {
    const diff = { base: from, head: to, digest: 'diff-1' };
    const compare: DiffSources['compare'] = async () => (kind === 'answer' ? { kind, value: undefined } : { kind });
    let reads = 0;
    const read = async () => {
      reads += 1;
      return sent;
    };
    const asked = {
      build: aBuild({ commit: HEAD, diff, ...build }),
      repo: aRepo(),
      base,
      deadline: createDeadline(systemTimers, 1_000),
    };
    const found = await findDiffs({ compare, readSent: read }, asked);
    const told = [found.base === sent ? 'base' : '', found.patch === sent ? 'patch' : ''].filter(Boolean).join(' ');
    return { told, reads, unavailable: found.unavailable, source: found.patchSource };
  };
  const PULL = { pullRequest: 7 };

  test.each<[string, Partial<Build>, ChosenBase | undefined, string]>([
    [
      'is a push’s against the base of that commit, however that was found',
      {},
      baseOf('previous-on-branch'),
      'base patch',
    ],
    ['is not against a base of another commit', {}, baseOf('previous-on-branch', undefined, { commit: FORK }), ''],
    [
      'is not against a base that was tested merged',
      {},
      baseOf('previous-on-branch', undefined, { testedCommit: MERGE }),
      '',
    ],
    [
      'is against a base that landed as that commit',
      {},
      baseOf('default-branch', undefined, { commit: FORK, landed: LANDED }),
      'base patch',
    ],
    ['is none of a push without a base', {}, undefined, ''],
    ['is a pull request’s where nobody knows what it was merged onto', PULL, undefined, 'patch'],
    ['is a pull request’s, and against the base of that commit', PULL, baseOf('merge-parent'), 'base patch'],
    [
      'is a pull request’s alone, where the base is of another commit',
      PULL,
      baseOf('base-branch', undefined, { commit: FORK }),
      'patch',
    ],
    [
      'is not a pull request’s that the provider says was merged onto another commit',
      { ...PULL, facts: { ...FACTS, mergeParent: FORK } },
      undefined,
      '',
    ],
    [
      'is a pull request’s that the provider says was merged onto that commit',
      { ...PULL, facts: { ...FACTS, mergeBase: BASE } },
      undefined,
      'patch',
    ],
    ['is not believed of an unverified run, like its service_base_sha', { ...PULL, trust: 'run' }, undefined, ''],
    [
      'is believed of one where the provider names that commit',
      { ...PULL, trust: 'run', facts: { ...FACTS, mergeBase: BASE } },
      undefined,
      'patch',
    ],
    ['is not used where the build tests another commit', { ...PULL, testedCommit: MERGE }, baseOf('merge-parent'), ''],
  ])('%s', async (_, build, base, told) => {
    const found = await find(build, base);
    expect(found).toEqual({
      told,
      reads: told === '' ? 0 : 1,
      unavailable: false,
      source: told.includes('patch') ? 'upload' : 'provider',
    });
  });

  test('nothing lacks where it decides everything', async () => {
    expect(await find(PULL, baseOf('merge-parent'), BASE, HEAD, 'unavailable')).toMatchObject({
      told: 'base patch',
      unavailable: false,
    });
    expect(await find(PULL, baseOf('merge-parent', FORK, { commit: FORK }), BASE, HEAD, 'unavailable')).toMatchObject({
      told: 'patch',
      unavailable: true,
    });
  });

  test('moves a carried flag from that commit', async () => {
    const sources: DiffSources = { compare: async () => ({ kind: 'unavailable' }), readSent: async () => sent };
    const build = aBuild({ commit: HEAD, diff: { base: BASE, head: HEAD, digest: 'diff-1' } });
    const ask = (commit: string, origin = aClosedBuild({ commit })) =>
      diffSince(sources, {
        build,
        repo: aRepo(),
        carried: { pick: toCarriedPick('unit', origin), origin },
        deadline: createDeadline(systemTimers, 1_000),
      });
    expect(await ask(BASE)).toEqual({ kind: 'answer', value: sent });
    expect(await ask(FORK)).toEqual({ kind: 'unavailable' });
  });

  test('moves a carried flag by both uploads’ diffs from one commit', async () => {
    const [toOrigin, toHead] = [aDiff('a.ts', ['add', 'keep']), aDiff('a.ts', ['keep', 'keep', 'add'])];
    const sources: DiffSources = {
      compare: async () => ({ kind: 'answer', value: undefined }),
      readSent: async ({ diff }) => ({ files: [diff?.head === HEAD ? toHead : toOrigin], complete: true }),
    };
    const ask = (base: string, origin = aClosedBuild({ commit: FORK, diff: { base, head: FORK, digest: 'diff-2' } })) =>
      diffSince(sources, {
        build: aBuild({ commit: HEAD, diff: { base: BASE, head: HEAD, digest: 'diff-1' } }),
        repo: aRepo(),
        carried: { pick: toCarriedPick('unit', origin), origin },
        deadline: createDeadline(systemTimers, 1_000),
      });
    const files = [aDiff('a.ts', ['remove', 'keep', 'keep', 'add'])];
    expect(await ask(BASE)).toEqual({ kind: 'answer', value: { files, complete: true } });
    expect(await ask(MERGE)).toEqual({ kind: 'answer', value: undefined });
  });
});
