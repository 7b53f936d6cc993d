import { describe, expect, test } from 'vitest';
import { aFlag, aResult, totals } from '../../../../test/support/records.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import { acceptFailures, markAccepted } from './acceptance.ts';
import type { BuildResult, FlagResult } from './build.ts';
import { withOverall } from './build-checks.ts';
import type { GroupResult } from './group-result.ts';

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

describe('an accepted failure of groups and of lines elsewhere', () => {
  const group = (id: string, covered: number, stated: Partial<GroupResult> = {}): GroupResult => ({
    ...{ id, name: id, digest: 'd', files: 1, touched: true, changes: undefined },
    ...{ totals: totals(covered, 100), baseTotals: totals(90, 100), verdict: FAILED, ...stated },
  });
  const elsewhere = (lines: number): FlagVerdict => ({
    ...{ state: 'failure', rule: 'elsewhere', reason: { kind: 'elsewhere', lines } },
  });
  const byGroup = (...groups: GroupResult[]): BuildResult =>
    failed(95, {
      totalVerdict: PASSED,
      groups,
      verdict: {
        ...{ state: 'failure', rule: 'group', provisional: false },
        reason: { kind: 'group', group: 'core', of: { kind: 'nothing-relevant' }, more: 0 },
      },
    });

  test('lets the overall state pass with the status that stood for them', () => {
    const now = after(byGroup(group('core', 70)), byGroup(group('core', 70)));
    expect([now.verdict.accepted, now.acceptance?.holds]).toEqual([true, true]);
    expect(withOverall(now).overall).toMatchObject({ state: 'success', failing: { ids: [] }, accepted: true });
    const lines = (count: number) =>
      failed(95, { totalVerdict: PASSED, elsewhere: elsewhere(count), verdict: { ...FAILED, rule: 'elsewhere' } });
    expect(withOverall(after(lines(3), lines(2))).overall?.state).toBe('success');
    expect(after(lines(3), lines(4))).toMatchObject({ verdict: lines(4).verdict, acceptance: { holds: false } });
  });

  test('is one of a group that has a status of its own', () => {
    const own = aResult({ verdict: PASSED, groups: [group('core', 70, { hasStatus: true })] });
    const now = withOverall(after(own, own));
    expect([now.groups?.[0]?.verdict?.accepted, now.overall?.state]).toEqual([true, 'success']);
    expect(markAccepted(now, undefined).groups).toEqual(own.groups);
  });

  test('leaves the status red while another group fails, or one has fallen further', () => {
    const then = byGroup(group('core', 70));
    for (const groups of [[group('core', 69)], [group('core', 70), group('ui', 70)]]) {
      const now = after(then, byGroup(...groups));
      expect([now.verdict.accepted, now.acceptance?.holds]).toEqual([undefined, false]);
    }
    const total = after(failed(80), failed(80, { groups: [group('ui', 70)] }));
    expect(total.verdict.accepted).toBeUndefined();
  });

  test('does not wait for the total, which passes', () => {
    const lower = { ...byGroup(group('core', 70)), totals: totals(91, 100) };
    expect(after(byGroup(group('core', 70)), lower).verdict.accepted).toBe(true);
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
