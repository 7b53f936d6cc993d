import { describe, expect, test } from 'vitest';
import { aClosedBuild, aFlag, aResult, totals } from '../../../../test/support/records.ts';
import {
  changesAsBase,
  isDecidedByChanges,
  markProvisional,
  planProvisional,
  planUnknownChanges,
} from './provisional.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const T0 = 1_800_000_000_000;

describe('a provisional verdict', () => {
  test('is marked, from the first close that lacked facts on', () => {
    const first = markProvisional(aResult(), undefined, T0);
    expect(first).toMatchObject({ provisionalSince: T0, verdict: { provisional: true } });
    expect(markProvisional(aResult(), first, T0 + 9).provisionalSince).toBe(T0);
    expect(markProvisional(aResult(), aResult(), T0 + 9).provisionalSince).toBe(T0 + 9);
  });

  test.each<[string, number, boolean, number | undefined]>([
    ['at once: held back', 0, true, 5 * SECOND],
    ['after 20 s: held back, twice as long', 20 * SECOND, true, 40 * SECOND],
    ['after 50 s: until the minute is over', 50 * SECOND, true, MINUTE],
    ['after a minute: posted, and looked at again', MINUTE, false, 2 * MINUTE],
    ['after ten hours: every half hour', 600 * MINUTE, false, 630 * MINUTE],
    ['after a day: it stays', 24 * 60 * MINUTE, false, undefined],
  ])('%s', (_, waited, holdBack, revisit) => {
    const revisitAt = revisit === undefined ? undefined : T0 + revisit;
    expect(planProvisional({ provisionalSince: T0 }, T0 + waited)).toEqual({ holdBack, revisitAt });
  });

  test.each<[string, number, number | undefined]>([
    ['at once: said at once', 0, 5 * SECOND],
    ['after an hour', 60 * MINUTE, 120 * MINUTE],
    ['after two days: every six hours', 48 * 60 * MINUTE, 54 * 60 * MINUTE],
    ['after a week: it stays', 7 * 24 * 60 * MINUTE, undefined],
  ])('of a provider that denies access, %s', (_, waited, revisit) => {
    const revisitAt = revisit === undefined ? undefined : T0 + revisit;
    expect(planProvisional({ provisionalSince: T0 }, T0 + waited, true)).toEqual({ holdBack: false, revisitAt });
  });

  test('a verdict that is not is neither held back nor looked at again', () => {
    expect(planProvisional({}, T0)).toEqual({ holdBack: false, revisitAt: undefined });
  });
});

describe('rule 20: a close that others are told of', () => {
  const closed = aClosedBuild();
  test.each([
    ['the first', { ...closed, result: undefined }, aResult(), true],
    ['the same again', closed, aResult({ closeCount: 9, closedAt: 9 }), false],
    ['other totals', closed, aResult({ totals: totals(1, 100) }), true],
    ['another flag', closed, aResult({ flags: [aFlag('new')] }), true],
    [
      'no longer incomplete',
      { ...closed, result: aResult({ verdict: { ...aResult().verdict, state: 'incomplete' } }) },
      aResult(),
      true,
    ],
    ['an unverified run’s', { ...closed, trust: 'run' as const, result: undefined }, aResult(), false],
  ])('%s', (_, build, result, expected) => {
    expect(changesAsBase(build, result)).toBe(expected);
  });
});

const NONE = {
  patchStatus: false,
  patchMinimum: null,
  ignoreRemovedCode: false,
  ignoreUntouchedFiles: false,
  ignoreUnstableLines: false,
};

describe('whether a verdict needs to know what changed', () => {
  test.each([
    ['nothing asks for it', NONE, 1, false],
    ['a status of the changed lines', { ...NONE, patchStatus: true }, 1, true],
    ['their minimum', { ...NONE, patchMinimum: 0 }, 1, true],
    ['removed code is forgiven', { ...NONE, ignoreRemovedCode: true }, 1, true],
    ['untouched files are forgiven', { ...NONE, ignoreUntouchedFiles: true }, 1, true],
    ['lines that flip are forgiven', { ...NONE, ignoreUnstableLines: true }, 1, true],
    ['no job came', NONE, 0, true],
  ])('%s', (_, settings, jobs, expected) => {
    expect(isDecidedByChanges(settings, jobs)).toBe(expected);
  });
});

test('what changed is asked for after growing delays, and not forever', () => {
  const tries: number[] = [];
  for (let at: number | undefined = 0; at !== undefined; at = planUnknownChanges(0, at)) tries.push(at / MINUTE);
  expect(tries).toEqual([0, 1, 2, 4, 8, 16]);
  expect(planUnknownChanges(undefined, 5)).toBeUndefined();
});
