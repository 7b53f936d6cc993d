import { describe, expect, test } from 'vitest';
import { totals } from '../../../../test/support/records.ts';
import {
  type Check,
  type CheckKind,
  checkId,
  isRequired,
  MAX_LISTED,
  remedyOf,
  sizeOf,
  sortChecks,
  summarizeChecks,
} from './checks.ts';
import type { FlagVerdict, VerdictState } from './verdict.ts';

const MEASURED = { kind: 'measured', totals: totals(8, 10), findings: [] } as const;

const check = (kind: CheckKind, state: VerdictState, stated: Partial<FlagVerdict> & { name?: string } = {}): Check => {
  const { name, ...verdict } = stated;
  return {
    id: checkId(kind, name),
    kind,
    name,
    verdict: { state, rule: 'no-decrease', reason: MEASURED, ...verdict } as FlagVerdict,
    totals: totals(8, 10),
    baseTotals: totals(9, 10),
  };
};
const flag = (name: string, state: VerdictState, stated: Partial<FlagVerdict> = {}) =>
  check('flag', state, { name, ...stated });
const PASSING = check('total', 'success');

describe('what the checks of a build amount to', () => {
  test.each<[string, readonly Check[], VerdictState, readonly string[], readonly string[]]>([
    ['all pass', [PASSING, flag('api', 'success')], 'success', [], []],
    ['a flag fails', [PASSING, flag('api', 'success'), flag('ui', 'failure')], 'failure', ['flag:ui'], []],
    [
      'the total is named first, then the changed lines, then flags',
      [flag('a', 'failure'), check('changes', 'failure'), flag('b', 'failure'), check('total', 'failure')],
      'failure',
      ['total', 'changes', 'flag:a', 'flag:b'],
      [],
    ],
    [
      'a failure is worse than what is incomplete',
      [check('total', 'incomplete'), flag('a', 'failure')],
      'failure',
      ['flag:a', 'total'],
      [],
    ],
    [
      'an error is worse than a failure',
      [check('total', 'error'), flag('a', 'failure')],
      'error',
      ['total', 'flag:a'],
      [],
    ],
    [
      'incomplete is worse than passing',
      [check('total', 'incomplete'), flag('a', 'success')],
      'incomplete',
      ['total'],
      [],
    ],
    [
      'an informational failure is a mark',
      [PASSING, flag('a', 'failure', { informational: true })],
      'success',
      [],
      ['flag:a'],
    ],
    ['a carried flag decides nothing', [PASSING, flag('a', 'failure', { rule: 'carried' })], 'success', [], ['flag:a']],
    ['what is not due decides nothing', [PASSING, flag('a', 'success', { rule: 'not-reported' })], 'success', [], []],
  ])('%s', (_, checks, state, failing, wouldFail) => {
    const overall = summarizeChecks(checks);
    expect([overall.state, overall.failing.ids, overall.wouldFail.ids]).toEqual([state, failing, wouldFail]);
    expect(sizeOf(overall.passing)).toBe(checks.length - failing.length - wouldFail.length);
  });

  test('an accepted failure passes, and says so; one beside it that was not accepted fails', () => {
    const accepted = check('total', 'failure', { accepted: true });
    expect(summarizeChecks([accepted])).toMatchObject({ state: 'success', accepted: true, failing: { ids: [] } });
    expect(summarizeChecks([accepted, flag('ui', 'failure')])).toMatchObject({
      state: 'failure',
      accepted: true,
      failing: { ids: ['flag:ui'] },
    });
  });

  test('of many the first are named, and all are counted by kind', () => {
    const many = Array.from({ length: 50 }, (_, index) => flag(`f${index}`, 'failure'));
    const { failing } = summarizeChecks([check('total', 'failure'), ...many]);
    expect(failing.ids).toHaveLength(MAX_LISTED);
    expect(failing.ids.slice(0, 2)).toEqual(['total', 'flag:f0']);
    expect(failing.counts).toEqual({ total: 1, flag: 50 });
  });
});

test('rows: failing ones, those that would fail, the total, the changed lines, then the rest as they are given', () => {
  const checks = [
    flag('z', 'success'),
    flag('a', 'success'),
    check('changes', 'success'),
    PASSING,
    flag('info', 'failure', { informational: true }),
    flag('late', 'incomplete'),
    flag('bad', 'failure'),
  ];
  expect(sortChecks(checks).map(({ id }) => id)).toEqual([
    'flag:bad',
    'flag:late',
    'flag:info',
    'total',
    'changes',
    'flag:z',
    'flag:a',
  ]);
});

test('informational and carried checks are not required', () => {
  expect(
    [PASSING, flag('a', 'success', { informational: true }), flag('b', 'success', { rule: 'carried' })].map(isRequired),
  ).toEqual([true, false, false]);
});

test('what would make it pass is known only of what falls short', () => {
  const remedy = { count: 3, of: 'lines' } as const;
  const cause = { mainPart: undefined, split: undefined, remedy };
  const patch = {
    kind: 'patch',
    totals: totals(1, 5),
    complete: true,
    remedy: { count: 2, of: 'changed-lines' },
  } as const;
  expect(remedyOf({ ...check('total', 'failure'), cause })).toEqual(remedy);
  expect(remedyOf(check('changes', 'failure', { reason: patch }))).toEqual(patch.remedy);
  expect(remedyOf({ ...check('total', 'failure', { accepted: true }), cause })).toBeUndefined();
  expect(remedyOf({ ...PASSING, cause })).toBeUndefined();
});
