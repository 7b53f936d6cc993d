import { describe, expect, test } from 'vitest';
import { aFlag, aResult, totals } from '../../../../test/support/records.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import { acceptFailures, markAccepted } from './acceptance.ts';
import type { BuildResult, FlagResult } from './build.ts';

const BY = { by: 'mona', at: 5, reason: 'it goes next week' };
const FAILED = { ...aResult().verdict, state: 'failure' } as const;
const PASSED = aResult().verdict;

const failed = (covered: number, stated: Partial<BuildResult> = {}): BuildResult =>
  aResult({ totals: totals(covered, 100), baseTotals: totals(90, 100), verdict: FAILED, ...stated });
const flag = (name: string, covered: number, verdict: FlagVerdict = FAILED): FlagResult =>
  aFlag(name, { totals: totals(covered, 100), baseTotals: totals(90, 100), verdict });
const patch = (covered: number): NonNullable<BuildResult['patch']> => ({
  totals: totals(covered, 10),
  files: [],
  fileCount: 0,
  unmeasured: [],
  unmeasuredCount: 0,
  complete: true,
  verdict: FAILED,
});

/** What a result is once what failed in an earlier one was accepted. */
const after = (accepted: BuildResult, now: BuildResult): BuildResult => markAccepted(now, acceptFailures(accepted, BY));
const isAccepted = (result: BuildResult): boolean => result.verdict.accepted === true;

describe('an accepted failure', () => {
  test('is marked, with who accepted it and why; its state stays', () => {
    const marked = after(failed(80), failed(80));
    expect(marked.verdict).toEqual({ ...FAILED, accepted: true });
    expect(marked.acceptance).toEqual({ ...BY, holds: true });
  });

  test.each<[string, BuildResult, boolean]>([
    ['the same numbers', failed(80), true],
    ['better ones', failed(81), true],
    ['a lower percentage', failed(79), false],
    ['the same percentage against a better base', failed(80, { baseTotals: totals(91, 100) }), false],
    ['the same percentage against a worse base', failed(80, { baseTotals: totals(85, 100) }), true],
    ['no base any more', failed(80, { baseTotals: undefined }), true],
    ['no percentage any more', failed(80, { totals: totals(0, 0) }), false],
    ['more lines, as many of a hundred', failed(80, { totals: totals(160, 200) }), true],
  ])('holds while nothing is worse: %s', (_, now, holds) => {
    expect(isAccepted(after(failed(80), now))).toBe(holds);
    expect(after(failed(80), now).acceptance?.holds).toBe(holds);
  });

  test('of a minimum without a base holds no drop that a base shows later', () => {
    const alone = failed(80, { baseTotals: undefined });
    expect(isAccepted(after(alone, alone))).toBe(true);
    expect(isAccepted(after(alone, failed(80)))).toBe(false);
  });

  test('holds again when the numbers are back', () => {
    const accepted = acceptFailures(failed(80), BY);
    const worse = markAccepted(failed(70), accepted);
    expect([isAccepted(worse), isAccepted(markAccepted({ ...worse, totals: totals(80, 100) }, accepted))]).toEqual([
      false,
      true,
    ]);
  });

  test('holds for what failed then: not for a flag, nor for changed lines, that fail since', () => {
    const then = failed(80, { flags: [flag('ui', 70), flag('api', 90, PASSED)] });
    const now = after(then, failed(80, { flags: [flag('ui', 70), flag('api', 80)], patch: patch(5) }));
    expect(now.verdict.accepted).toBe(true);
    expect(now.flags.map(({ verdict }) => verdict.accepted)).toEqual([true, undefined]);
    expect(now.patch?.verdict?.accepted).toBeUndefined();
    expect(now.acceptance?.holds).toBe(false);
    expect(after(now, now).acceptance?.holds).toBe(true);
    expect(after(failed(80, { patch: patch(5) }), failed(80, { patch: patch(4) })).acceptance?.holds).toBe(false);
  });

  test('leaves no trace once it is taken back, or nothing fails any more', () => {
    const marked = after(failed(80, { flags: [flag('ui', 70)] }), failed(80, { flags: [flag('ui', 70)] }));
    expect(markAccepted(marked, undefined)).toEqual(failed(80, { flags: [flag('ui', 70)] }));
    const passed = aResult({ verdict: PASSED });
    expect(markAccepted(passed, acceptFailures(failed(80), BY))).toEqual(passed);
  });
});

describe('what cannot be accepted', () => {
  test('a build in which nothing fails, that is incomplete, or that cannot be merged', () => {
    for (const state of ['success', 'incomplete', 'error'] as const)
      expect(acceptFailures(aResult({ verdict: { ...PASSED, state } }), BY)).toBeUndefined();
    const incomplete = failed(80, { verdict: { ...PASSED, state: 'incomplete' } });
    expect(after(failed(80), incomplete)).toEqual(incomplete);
  });

  test('more flags than have a status', () => {
    const flags = Array.from({ length: 101 }, (_, index) => flag(`f${index}`, 70));
    expect(after(failed(80, { flags }), failed(80, { flags })).flags.at(-1)?.verdict.accepted).toBeUndefined();
  });
});
