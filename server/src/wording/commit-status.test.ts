import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aFlag, aResult, sha, totals } from '../../../test/support/records.ts';
import type { BasePick, BaseRule, BuildResult, CarriedPick, FlagResult } from '../core/builds/build.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import type { Thresholds } from '../core/verdict/findings.ts';
import { judgeBuild, judgeCarriedFlag, judgeFlag } from '../core/verdict/judge-build.ts';
import {
  buildStatus,
  endedStatus,
  flagStatus as flagStatusOf,
  frameOf,
  heldBackStatus,
  patchStatus,
  pendingStatus,
  signedStatus,
} from './commit-status.ts';

const PAGE = 'https://ci.example/builds/71';
const FRAME = { url: PAGE, room: 140 };
const flagStatus = (flag: FlagResult, page: string) => flagStatusOf(flag, aResult(), { url: page, room: 140 });

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
function statusOf(base: BasePick | undefined, thresholds: Thresholds, unreported: readonly string[] = []) {
  const [now, before] = [totals(78, 100), totals(80, 100)];
  const verdict = judgeBuild({
    totals: now,
    base: base && { number: base.number, totals: before },
    thresholds,
    unreported,
  });
  return buildStatus(aResult({ totals: now, baseTotals: base && before, base, verdict }), FRAME);
}

describe('the build’s status', () => {
  test('a first build', () => {
    expect(buildStatus(aResult(), FRAME)).toEqual({
      kind: 'status',
      state: 'success',
      description: '80.00%: no earlier build to compare with',
      targetUrl: PAGE,
    });
  });

  test('rule 19: after the verdict in few words, how the base was chosen', () => {
    const { state, description } = statusOf(pick(), { minimum: null, allowedDrop: null });
    expect(state).toBe('failure');
    expect(description).toMatch(/^78\.00%, −2\.00 points from 80\.00%.*no decrease allowed.*previous on main/);
    expect(description).toContain(`base ${sha('b').slice(0, 7)}, previous on main`);
  });

  test('rule 19: how many commits away', () => {
    const { description } = statusOf(pick({ rule: 'ancestor', commitsAway: 3 }), { minimum: null, allowedDrop: null });
    expect(description).toMatch(/ancestor, 3 commits away/);
  });

  test('rule 19: which base was taken, also where the minimum alone decides', () => {
    expect(statusOf(pick(), { minimum: 60, allowedDrop: null }).description).toMatch(
      /^78\.00%, −2\.00 points from 80\.00%: at least the minimum of 60% \(base bbbbbbb, previous on main\)$/,
    );
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

test('flags that did not report are counted where their names do not fit', () => {
  const [now, before] = [totals(78, 100), totals(80, 100)];
  const verdict = judgeBuild({
    totals: now,
    base: { number: '70', totals: before },
    thresholds: { minimum: null, allowedDrop: null },
    unreported: [],
  });
  const causedBy = (flags: readonly string[]) => ({
    ...{ mainPart: undefined, split: undefined, remedy: { count: 2, of: 'lines' } as const },
    missing: { flags, more: 0, vanished: undefined },
  });
  const statusBy = (flags: readonly string[]) =>
    buildStatus(aResult({ totals: now, baseTotals: before, base: pick(), verdict, cause: causedBy(flags) }), FRAME);
  expect(statusBy(['v', 'w']).description).toMatch(/\. Flags v, w did not report; cover 2 more to pass$/);
  expect(statusBy(['nightly-unit', 'nightly-e2e']).description).toMatch(
    /\. 2 flags did not report; cover 2 more (?:lines )?to pass$/,
  );
});

describe('a flag’s status', () => {
  test('is the flag’s verdict', () => {
    expect(flagStatus(aFlag('ui'), PAGE)).toEqual({
      kind: 'status',
      state: 'success',
      description: '80.00%: no earlier report of this flag to compare with',
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
      const verdict = judgeCarriedFlag({ number, totals: totals(78, 100) });
      const flag = aFlag('ui', { kind: 'carried', carried: carriedFrom(number), verdict });
      const { description } = flagStatusOf(flag, aResult({ base: pick({ number }) }), FRAME);
      expect(description).toBe(`78.00%, carried from build ${number}`);
    },
  );
});

test('pending says what it waits for, ended says that nothing came', () => {
  expect(pendingStatus({ flag: undefined }, PAGE)).toMatchObject({
    state: 'pending',
    description: 'Waiting for jobs',
    targetUrl: PAGE,
  });
  expect(pendingStatus({ flag: 'ui' }, PAGE)).toMatchObject({
    state: 'pending',
    description: 'Waiting for flag `ui`',
  });
  expect(endedStatus(PAGE)).toMatchObject({
    state: 'success',
    description: 'Not part of this build',
    targetUrl: PAGE,
  });
});

describe('what a status says besides', () => {
  const failing = (more: Partial<BuildResult> = {}) => {
    const [now, before] = [totals(78, 100), totals(80, 100)];
    const verdict = judgeBuild({
      totals: now,
      base: { number: '70', totals: before },
      thresholds: { minimum: null, allowedDrop: null },
      unreported: [],
    });
    return aResult({ totals: now, baseTotals: before, base: pick(), verdict, ...more });
  };
  const SAID = '78.00%, −2.00 points from 80.00%: no decrease allowed';
  const describeStatus = (result: BuildResult): string => buildStatus(result, FRAME).description;

  test('the cause and what would pass, each only where it fits whole', () => {
    const cause = { sentence: '', clause: '2 changed lines are not covered', parts: [] };
    const withBase = `${SAID} (base bbbbbbb, previous on main)`;
    expect(describeStatus(failing({ cause }))).toBe(`${withBase}. 2 changed lines are not covered`);
    expect(describeStatus(failing({ cause: { ...cause, clause: 'x'.repeat(60) } }))).toBe(withBase);
    expect(describeStatus(failing({ cause: { ...cause, clause: 'x'.repeat(60), remedy: 'cover 2 lines' } }))).toBe(
      `${withBase}. Cover 2 lines`,
    );
  });

  test('of a flag as well', () => {
    const cause = {
      sentence: '',
      clause: '2 covered lines removed',
      parts: [],
    };
    const thresholds = { minimum: null, allowedDrop: null };
    const say = (number: string, remedy: string): string => {
      const verdict = judgeFlag({ totals: totals(78, 100), base: { number, totals: totals(80, 100) }, thresholds });
      const flag = aFlag('ui', { verdict, baseTotals: totals(80, 100), cause: { ...cause, remedy } });
      return flagStatusOf(flag, aResult({ base: pick({ number }) }), FRAME).description;
    };
    expect(say('7', 'cover 1 more line or branch to pass')).toBe(
      '78.00%, −2.00 points from 80.00%: no decrease allowed (base bbbbbbb, previous on main). Cover 1 more line or ' +
        'branch to pass',
    );
    expect(say('7', 'cover 1')).toBe(
      '78.00%, −2.00 points from 80.00%: no decrease allowed (base bbbbbbb, previous on main). 2 covered lines ' +
        'removed; cover 1',
    );
  });

  test('informational: a failure or an incomplete build fails nothing and says so; a success stays as it is', () => {
    const { verdict } = failing();
    expect(buildStatus(failing({ verdict: { ...verdict, informational: true } }), FRAME)).toMatchObject({
      state: 'success',
      description: `${SAID} (informational; base bbbbbbb, previous on main)`,
    });
    const incomplete = { ...verdict, informational: true, state: 'incomplete' } as const;
    expect(buildStatus(failing({ verdict: incomplete }), FRAME).state).toBe('success');
    const passing = aResult();
    expect(buildStatus({ ...passing, verdict: { ...passing.verdict, informational: true } }, FRAME)).toEqual(
      buildStatus(passing, FRAME),
    );
    const flag = aFlag('ui', { verdict: { ...aFlag('ui').verdict, state: 'failure', informational: true } });
    expect(flagStatus(flag, PAGE)).toMatchObject({
      state: 'success',
      description: expect.stringContaining('(informational)'),
    });
  });

  test('of an unverified build, which its first word says, in as many characters as any', () => {
    const unverified = { trust: 'run' } as const;
    const status = buildStatus(failing({ provisionalSince: 5 }), frameOf(unverified, PAGE, USUAL_TERMS));
    const { description } = signedStatus(unverified, status, USUAL_TERMS);
    expect(description).toBe(`Unverified: ${SAID} (provisional; base bbbbbbb, previous on main)`);
    const long = { ...status, description: 'x'.repeat(300) };
    expect(signedStatus(unverified, long, USUAL_TERMS).description).toHaveLength(USUAL_TERMS.maxDescription);
    expect(signedStatus({ trust: 'secret' }, status, USUAL_TERMS)).toBe(status);
  });

  test('provisional, on the build and on its flags; not on the changed lines, which no base decides', () => {
    const result = failing({ provisionalSince: 5 });
    expect(describeStatus(result)).toBe(`${SAID} (provisional; base bbbbbbb, previous on main)`);
    expect(flagStatusOf(aFlag('ui'), result, FRAME).description).toMatch(/ \(provisional\)$/);
    expect(patchStatus(result, FRAME).description).not.toContain('provisional');
    expect(heldBackStatus(PAGE)).toMatchObject({ state: 'pending', targetUrl: PAGE });
  });

  test('marks are never cut, whatever the summary', () => {
    const reason = { kind: 'text', explanation: '', summary: 'x'.repeat(500) } as const;
    const verdict = { ...failing().verdict, reason, informational: true as const };
    const description = describeStatus(failing({ verdict, provisionalSince: 5 }));
    expect([...description]).toHaveLength(USUAL_TERMS.maxDescription);
    expect(description).toContain('… (informational; provisional');
  });

  test('nothing that GitHub refuses: no character of four bytes', () => {
    const verdict = { ...failing().verdict, reason: { kind: 'incomplete', flags: ['🚀'] } as const };
    expect(describeStatus(failing({ verdict, base: pick({ branch: '🔥' }) }))).not.toMatch(/[\u{10000}-\u{10ffff}]/u);
  });
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
    fc.property(text, text, fc.array(text, { maxLength: 9 }), limits, (number, branch, unreported, thresholds) => {
      const base = pick({ number, branch, rule: 'default-branch' });
      const carried = aFlag('ui', {
        kind: 'carried',
        carried: carriedFrom(number),
        verdict: { ...aFlag('ui').verdict, reason: { kind: 'text', explanation: '', summary: branch } },
      });
      const all = [statusOf(base, thresholds), statusOf(base, thresholds, unreported), flagStatus(carried, PAGE)];
      for (const { description } of all) {
        expect([...description].length).toBeLessThanOrEqual(USUAL_TERMS.maxDescription);
        expect(description).not.toMatch(/[\r\n]/);
      }
    }),
    { numRuns: 100 },
  );
});
