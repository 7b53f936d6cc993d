import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aFlag, aResult, sha, totals } from '../../../../test/support/records.ts';
import type { BasePick, BaseRule, CarriedPick } from '../build/build.ts';
import { judgeBuild, judgeFlag, type Thresholds } from '../verdict/judge-build.ts';
import { buildStatus, changeOf, contextName, endedStatus, flagStatus, MAX_DESCRIPTION, pendingStatus } from './commit-status.ts';

const PAGE = 'https://ci.example/builds/71';

const pick = (stated: Partial<BasePick> = {}): BasePick => ({
  buildId: 70,
  number: '70',
  commit: sha('b'),
  branch: 'main',
  rule: 'previous-on-branch',
  commitsAway: undefined,
  closeCount: 1,
  ...stated,
});
const carriedFrom = (number: string): CarriedPick => ({
  flag: 'ui',
  buildId: 60,
  number,
  commit: sha('a'),
  closedAt: 0,
  closeCount: 1,
});

/** The status of a build with 78 of 100 lines covered, after 80 of 100. */
function statusOf(base: BasePick | undefined, thresholds: Thresholds, lacking: readonly string[] = []) {
  const [now, before] = [totals(78, 100), totals(80, 100)];
  const verdict = judgeBuild({ totals: now, base: base && { number: base.number, totals: before }, thresholds, lacking });
  return buildStatus(aResult({ totals: now, baseTotals: base && before, base, verdict }), PAGE);
}

describe('rule 22: contexts', () => {
  test.each([
    ['coverage', undefined, 'coverage'],
    ['coverage', 'ui', 'coverage (ui)'],
    ['ci/coverage', 'UI tests', 'ci/coverage (UI tests)'],
    ['coverage', 'a\n\u202eb', 'coverage (a b)'],
    ['coverage', 'x'.repeat(200), `coverage (${'x'.repeat(99)}…)`],
  ])('%s and flag %s: %s', (word, flag, expected) => {
    expect(contextName(word, flag)).toBe(expected);
  });
});

describe('the build’s status', () => {
  test('a first build', () => {
    expect(buildStatus(aResult(), PAGE)).toEqual({
      kind: 'status',
      state: 'success',
      description: '80.00%, with no earlier build to compare with',
      targetUrl: PAGE,
    });
  });

  test('rule 19: after the verdict in few words, how the base was chosen', () => {
    const { state, description } = statusOf(pick(), { minimum: null, allowedDrop: null });
    expect(state).toBe('failure');
    expect(description).toMatch(/^78\.00%, down 2\.00% from 80\.00%.*no decrease is allowed.*previous on main/);
    expect(description).toMatch(/\bbuild 70\b/);
  });

  test('rule 19: how many commits away', () => {
    const { description } = statusOf(pick({ rule: 'ancestor', commitsAway: 3 }), { minimum: null, allowedDrop: null });
    expect(description).toMatch(/ancestor, 3 commits away/);
  });

  test('rule 19: which base was taken, also where the minimum alone decides', () => {
    expect(statusOf(pick(), { minimum: 60, allowedDrop: null }).description).toMatch(/\bbuild 70\b.*previous on main/);
  });

  // Run ids of GitHub have eleven digits; both thresholds together are the longest ordinary verdict.
  const rules: readonly BaseRule[] = [
    'compare-sha',
    'compare-ref',
    'merge-parent',
    'base-branch',
    'previous-on-branch',
    'default-branch',
  ];
  test.each(rules)('rule 19: %s is said in full within the limit, beside the longest ordinary verdict', (rule) => {
    const { description } = statusOf(pick({ rule, number: '12345678901' }), { minimum: 66.67, allowedDrop: 2.5 });
    expect(description).not.toMatch(/…/);
  });

  test('rule 13: incomplete is an error with the names of what did not report', () => {
    expect(statusOf(undefined, { minimum: null, allowedDrop: null }, ['api', 'ui'])).toMatchObject({
      state: 'error',
      description: 'incomplete: api, ui did not report before the build was closed',
    });
  });
});

describe('a flag’s status', () => {
  test('is the flag’s verdict', () => {
    expect(flagStatus(aFlag('ui'), PAGE)).toEqual({
      kind: 'status',
      state: 'success',
      description: '80.00%, with no earlier report of this flag to compare with',
      targetUrl: PAGE,
    });
  });

  test('rule 17: a flag that the build is incomplete for ends in error', () => {
    const verdict = { ...aFlag('ui').verdict, state: 'incomplete', rule: 'incomplete' } as const;
    expect(flagStatus(aFlag('ui', { kind: 'missing', verdict }), PAGE).state).toBe('error');
  });

  test.each(['60', '12345678901', '7d4f5a0c-1d2e-3f40-5162-738495a6b7c8'])(
    'rule 16: shown as carried from build %s',
    (number) => {
      const base = { number, totals: totals(80, 100) };
      const verdict = judgeFlag({ totals: totals(78, 100), base, thresholds: { minimum: null, allowedDrop: 2.5 } });
      const { description } = flagStatus(aFlag('ui', { kind: 'carried', carried: carriedFrom(number), verdict }), PAGE);
      expect(description).toMatch(/carried from build/);
      expect(description).toMatch(/^78\.00%, down 2\.00% from 80\.00%/);
    },
  );
});

test('pending says what it waits for, ended says that nothing came', () => {
  expect(pendingStatus(undefined, PAGE)).toMatchObject({
    state: 'pending',
    description: 'Waiting for the jobs of this build',
    targetUrl: PAGE,
  });
  expect(pendingStatus('ui', PAGE)).toMatchObject({ state: 'pending', description: 'Waiting for this flag to report' });
  expect(endedStatus(PAGE)).toMatchObject({ state: 'success', description: 'not reported in this build', targetUrl: PAGE });
});

test('rule 24: no description is longer than 140 characters, whatever comes', () => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
  const text = fc.oneof(
    fc.string({ maxLength: 180 }),
    fc.string({ unit: anyUnit, maxLength: 180 }),
    fc.constant('🚀'.repeat(200)),
  );
  const limits = fc.record({
    minimum: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    allowedDrop: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
  });
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 9 }), limits, (number, branch, lacking, thresholds) => {
      const base = pick({ number, branch, rule: 'default-branch' });
      const carried = aFlag('ui', {
        kind: 'carried',
        carried: carriedFrom(number),
        verdict: { ...aFlag('ui').verdict, summary: branch },
      });
      const all = [statusOf(base, thresholds), statusOf(base, thresholds, lacking), flagStatus(carried, PAGE)];
      for (const { description } of all) {
        expect([...description].length).toBeLessThanOrEqual(MAX_DESCRIPTION);
        expect(description).not.toMatch(/[\r\n]/);
      }
    }),
    { numRuns: 100 },
  );
});

test('changeOf: exact, undefined where either has no percentage', () => {
  expect(changeOf(totals(2, 3), totals(1, 3))).toEqual({ numerator: 300n, denominator: 9n });
  expect(changeOf(totals(0, 0), totals(1, 3))).toBeUndefined();
  expect(changeOf(totals(1, 3), totals(0, 0))).toBeUndefined();
  expect(changeOf(totals(1, 3), undefined)).toBeUndefined();
  expect(changeOf(undefined, totals(1, 3))).toBeUndefined();
});
