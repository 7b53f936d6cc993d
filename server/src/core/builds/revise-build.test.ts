import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aResult, dueTasks, sha } from '../../../../test/support/records.ts';
import type { Build } from './build.ts';
import type { BuildFacts, Landing } from './build-facts.ts';
import { closeReason } from './close-due.ts';
import { concludeRefused } from './conclude-refused.ts';
import { dueAt } from './due-tasks.ts';
import { type BuildRevision, reviseBuild } from './revise-build.ts';

const AT = 5_000;
const ENDED = { closedBy: 'webhook', at: AT } as const;
const FACTS: BuildFacts = {
  askedAt: 1,
  complete: true,
  pull: undefined,
  tree: undefined,
  mergeParent: sha('a'),
  mergeBase: undefined,
  ancestorsOf: sha('a'),
};
const LANDING: Landing = { branch: 'main', commit: sha('d'), how: 'same-tree', at: AT };

describe('a revision of a build', () => {
  test.each<[string, Partial<Build>, BuildRevision, Partial<Build>]>([
    [
      'facts, with the target',
      {},
      { kind: 'facts', facts: FACTS, target: sha('b') },
      { facts: FACTS, target: sha('b') },
    ],
    [
      'rule 21: a target that was fixed stays',
      { target: sha('e') },
      { kind: 'facts', facts: FACTS, target: sha('b') },
      { facts: FACTS },
    ],
    ['a landing', {}, { kind: 'landed', landing: LANDING }, { landed: LANDING }],
    [
      'an exclusion',
      {},
      { kind: 'excluded-as-base', excluded: { by: 'a', at: AT } },
      { excludedAsBase: { by: 'a', at: AT } },
    ],
    [
      'the end of its run closes it',
      {},
      { kind: 'run-ended', conclusion: 'cancelled', attempt: 1, at: AT },
      { runConclusion: 'cancelled', due: dueTasks({ close: ['provider', AT], deadline: 1_801_000 }) },
    ],
    [
      'the end of its run leaves a close that is due',
      { due: dueTasks({ close: ['webhook', 1] }) },
      { kind: 'run-ended', conclusion: 'success', attempt: 1, at: AT },
      { runConclusion: 'success' },
    ],
  ])('%s', (_, before, revision, changed) => {
    const build = aBuild(before);
    expect(reviseBuild(build, revision)).toEqual({ ...build, ...changed, revision: build.revision + 1 });
  });

  test('of a closed build: it is evaluated again, closed by what closed it', () => {
    const revised = reviseBuild(aClosedBuild(), { kind: 'revisit', at: AT });
    expect(dueAt(revised)).toBe(AT);
    expect(closeReason(revised, AT - 1)).toBeUndefined();
    expect(closeReason(revised, AT)).toBe('webhook');
  });

  test('of a closed build that was given another base forgets the old one', () => {
    const build = aClosedBuild({ facts: FACTS });
    expect(reviseBuild(build, { kind: 'revisit', at: AT, forget: true })).toMatchObject({
      baseForgotten: true,
      due: dueTasks({ revisit: AT }),
    });
    expect(reviseBuild(build, { kind: 'revisit', at: AT, forget: true }).facts).toBeUndefined();
  });

  test('of a closed build whose run ended again: the attempt is remembered', () => {
    const revision = { kind: 'run-ended', conclusion: 'failure', attempt: 2, at: AT } as const;
    const again = reviseBuild(aClosedBuild({ runConclusion: 'failure' }), revision);
    expect(again).toMatchObject({ runConclusion: 'failure', runAttempt: 2 });
    expect(again.due).toEqual([]);
    expect(reviseBuild(again, revision)).toBe(again);
  });

  test('of a closed build whose run ended otherwise: it is evaluated again', () => {
    const cancelled = reviseBuild(aClosedBuild(), { kind: 'run-ended', conclusion: 'cancelled', attempt: 1, at: AT });
    expect(cancelled).toMatchObject({ state: 'closed', runConclusion: 'cancelled', due: dueTasks({ revisit: AT }) });
  });

  test('of a build that cannot be merged makes no other evaluation due: that would end as this one did', () => {
    const refused = aClosedBuild();
    const build = { ...refused, result: concludeRefused({ build: refused, obstacle: { kind: 'damaged' }, ...ENDED }) };
    expect(reviseBuild(build, { kind: 'revisit', at: AT })).toBe(build);
    const cancelled = reviseBuild(build, { kind: 'run-ended', conclusion: 'cancelled', attempt: 1, at: AT });
    expect([cancelled.runConclusion, cancelled.due]).toEqual(['cancelled', []]);
  });

  test.each<[string, Build, BuildRevision]>([
    ['looked at again, while it is open', aBuild(), { kind: 'revisit', at: AT }],
    [
      'looked at again, where that is due sooner',
      aClosedBuild({ due: dueTasks({ revisit: 1 }) }),
      { kind: 'revisit', at: AT },
    ],
    ['told of an older close', aClosedBuild({ due: dueTasks({ backfill: 1 }) }), { kind: 'backfilled', closeCount: 0 }],
    ['the same landing', aClosedBuild({ landed: LANDING }), { kind: 'landed', landing: { ...LANDING, at: 9 } }],
    [
      'the end of an earlier attempt of its run',
      aClosedBuild({ runConclusion: 'success', runAttempt: 2 }),
      { kind: 'run-ended', conclusion: 'failure', attempt: 1, at: AT },
    ],
    [
      'the same end of its run',
      aClosedBuild({ runConclusion: 'success' }),
      { kind: 'run-ended', conclusion: 'success', attempt: 1, at: AT },
    ],
  ])('that changes nothing leaves the build itself: %s', (_, build, revision) => {
    expect(reviseBuild(build, revision)).toBe(build);
  });
});

test('what waits for the provider may begin to wait again', () => {
  const waiting = aClosedBuild({
    result: { ...aResult(), provisionalSince: 1 },
    due: dueTasks({ revisit: 9_000_000 }),
  });
  const renewed = reviseBuild(waiting, { kind: 'revisit', at: AT, renew: true });
  expect([renewed.due, renewed.result?.provisionalSince]).toEqual([dueTasks({ revisit: AT }), AT]);
  const settled = aClosedBuild();
  expect(reviseBuild(settled, { kind: 'revisit', at: AT, renew: true }).result).toEqual(settled.result);
});
