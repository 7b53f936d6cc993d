import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { sha, totals } from '../../../test/support/records.ts';
import type { BasePick, BaseRule } from '../domain/builds/build.ts';
import { showPercent, totalPercent } from '../domain/coverage/percent.ts';
import { judgeBuild } from '../domain/verdict/judge-build.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';
import { describeStatus, MAX_DESCRIPTION } from './status-description.ts';

/** What is said of each rule, however little room there is. */
const RULE_WORDS: Readonly<Record<BaseRule, string>> = {
  'compare-sha': 'compare_sha',
  'compare-ref': 'compare_ref',
  'merge-parent': 'merge parent',
  'merge-base': 'merge base',
  ancestor: 'nearest ancestor',
  'base-branch': 'base branch',
  'previous-on-branch': 'previous on',
  'default-branch': 'default branch',
};

const pick = (stated: Partial<BasePick>): BasePick => ({
  buildId: 70,
  number: '70',
  commit: sha('b'),
  branch: 'main',
  rule: 'previous-on-branch',
  commitsAway: undefined,
  closeCount: 1,
  ...stated,
});
const NONE = { minimum: null, allowedDrop: null };

/** 78 of 100 lines are covered, after 80 of 100. */
function verdictOn(number: string, thresholds: Parameters<typeof judgeBuild>[0]['thresholds'] = NONE): Verdict {
  return judgeBuild({
    totals: totals(78, 100),
    base: { number, totals: totals(80, 100) },
    thresholds,
    unreported: [],
  });
}

const say = (base: BasePick, thresholds = NONE as Parameters<typeof verdictOn>[1]): string =>
  describeStatus({ verdict: verdictOn(base.number, thresholds), base });

describe('what gives way where a status is too long', () => {
  test.each<[string, BasePick, string]>([
    [
      'nothing, where there is room',
      pick({ number: 'x'.repeat(30) }),
      `78.00%, down 2.00% from 80.00% in build ${'x'.repeat(30)}; no decrease is allowed (base: previous on main)`,
    ],
    [
      'a very long number',
      pick({ number: 'x'.repeat(1_000) }),
      `78.00%, down 2.00% from 80.00% in build ${'x'.repeat(39)}…; no decrease is allowed (base: previous on main)`,
    ],
    [
      'a very long branch',
      pick({ branch: 'renovate/'.repeat(20) }),
      '78.00%, down 2.00% from 80.00% in build 70; no decrease is allowed (base: previous on ' +
        'renovate/renovate/renovate/renovate/ren…)',
    ],
    [
      'both',
      pick({ number: 'x'.repeat(100), branch: 'y'.repeat(100), rule: 'default-branch' }),
      `78.00%, down 2.00% from 80.00% in build ${'x'.repeat(19)}…; no decrease is allowed (base: default branch ` +
        `${'y'.repeat(19)}…)`,
    ],
    [
      'by code points',
      pick({ number: 'é'.repeat(200), branch: '🔥'.repeat(200) }),
      `78.00%, down 2.00% from 80.00% in build ${'é'.repeat(19)}…; no decrease is allowed (base: previous on ` +
        `${'\ufffd'.repeat(19)}…)`,
    ],
  ])('%s', (_, base, expected) => {
    expect(say(base)).toBe(expected);
  });

  test.each<[string, string, number, string]>([
    [
      'words that repeat a number, before names become unreadable',
      '12345678901',
      1.25,
      '78.00% from 80.00% in build 12345678901; more than the allowed 1.25% (informational; provisional; base: ' +
        'nearest ancestor, 100 commits away)',
    ],
    [
      'then all that is not needed',
      '12345678901',
      1.234567890123456,
      '78.00% from 80.00% in build 1234…; more than the allowed 1.234567890123456% (informational; provisional; ' +
        'nearest ancestor, 100 away)',
    ],
  ])('%s', (_, number, allowedDrop, expected) => {
    const base = pick({ number, rule: 'ancestor', commitsAway: 100 });
    const verdict = { ...verdictOn(number, { minimum: null, allowedDrop }), informational: true } as const;
    expect(describeStatus({ verdict, base, provisional: true })).toBe(expected);
  });

  test('the flags that did not report, and how the base was chosen stays whole', () => {
    const unreported = Array.from({ length: 40 }, (_, index) => `flag-${index}`);
    const base = pick({ number: '1'.repeat(100), rule: 'merge-parent' });
    const verdict = judgeBuild({ totals: totals(78, 100), base: undefined, thresholds: NONE, unreported });
    const description = describeStatus({ verdict, base });
    expect(description).toMatch(/^incomplete: flag-0, flag-1, .*… \(base: build 1{19}…, merge parent\)$/);
    expect(description).toHaveLength(MAX_DESCRIPTION);
  });

  test('of a number with marks of a replacement pattern nothing is repeated', () => {
    const number = `$&$'${'x'.repeat(90)}`;
    expect(say(pick({ number }))).toContain(
      `in build $&$'${'x'.repeat(35)}…; no decrease is allowed (base: previous on main)`,
    );
  });
});

describe('what is said besides', () => {
  const base = pick({ number: '12345678901', rule: 'merge-parent' });
  const withExtras = (...extras: readonly (string | undefined)[]): string =>
    describeStatus({ verdict: verdictOn(base.number), base, extras });

  test.each<[string, readonly (string | undefined)[], string]>([
    [
      'nothing',
      [undefined, undefined],
      '78.00%, down 2.00% from 80.00% in build 12345678901; no decrease is allowed (base: merge parent)',
    ],
    [
      'both',
      ['a cause', 'a remedy'],
      '78.00%, down 2.00% from 80.00% in build 12345678901; no decrease is allowed (base: merge parent); a ' +
        'cause; a remedy',
    ],
    [
      'both, in fewer words of the verdict',
      ['a cause of 22 characters', 'a remedy of 24 characters'],
      '78.00% from 80.00% in build 12345678901; no decrease is allowed (base: merge parent); a cause of 22 ' +
        'characters; a remedy of 24 characters',
    ],
    [
      'the first, where there is no room for both',
      ['a cause of 22 characters', 'x'.repeat(38)],
      '78.00%, down 2.00% from 80.00% in build 12345678901; no decrease is allowed (base: merge parent); a ' +
        'cause of 22 characters',
    ],
    [
      'the second, where there is no room for the first',
      ['x'.repeat(100), 'a remedy'],
      '78.00%, down 2.00% from 80.00% in build 12345678901; no decrease is allowed (base: merge parent); a remedy',
    ],
  ])('%s', (_, extras, expected) => {
    expect(withExtras(...extras)).toBe(expected);
    expect([...expected].length).toBeLessThanOrEqual(MAX_DESCRIPTION);
  });
});

test('a verdict that passes keeps all its words, rather than that more is said', () => {
  const base = pick({ number: '12345678901' });
  const verdict = verdictOn(base.number, { minimum: null, allowedDrop: 2.5 });
  const whole = '78.00%, down 2.00% from 80.00% in build 12345678901, within the allowed 2.5% (base: previous on main)';
  const extras = ['2 covered lines removed, no changed line uncovered'];
  expect(describeStatus({ verdict, base, extras })).toBe(whole);
});

describe('whatever is to be said', () => {
  const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ minLength: 100, maxLength: 1_000 }),
    fc.string({ unit: anyUnit, maxLength: 180 }),
    fc.constant('🚀'.repeat(500)),
  );
  const percentage = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(80, 66.67, 1.25));
  const counts = fc
    .record({ relevant: fc.integer({ min: 1, max: 2 ** 40 }), missed: fc.nat(2 ** 40) })
    .map(({ relevant, missed }) => totals(Math.max(0, relevant - missed), relevant));
  const story = fc.record({
    now: counts,
    before: counts,
    base: fc.record({
      rule: fc.constantFrom(...(Object.keys(RULE_WORDS) as BaseRule[])),
      number: text,
      branch: text,
      away: fc.integer({ min: 1, max: 100 }),
    }),
    thresholds: fc.record({ minimum: fc.option(percentage), allowedDrop: fc.option(percentage) }),
    /** By a setting of the repo: the rule that failed stays whole. */
    forgiven: fc.boolean(),
    informational: fc.boolean(),
    provisional: fc.boolean(),
    extras: fc.array(fc.option(fc.string({ maxLength: 60 }), { nil: undefined }), { maxLength: 2 }),
  });

  const FORGIVEN = { parts: ['removed', 'untouched'], subject: 'build' } as const;

  test('it has 140 characters at most, the rule, both numbers, the marks and how the base was chosen', () => {
    fc.assert(
      fc.property(
        story,
        ({
          now,
          before,
          base: { rule, number, branch, away },
          thresholds,
          forgiven,
          informational,
          provisional,
          extras,
        }) => {
          const base = pick({ rule, number, branch, commitsAway: rule === 'ancestor' ? away : undefined });
          const plain = judgeBuild({ totals: now, base: { number, totals: before }, thresholds, unreported: [] });
          const judged: Verdict =
            forgiven && plain.state === 'failure' ? { ...plain, forgiven: FORGIVEN, state: 'success' } : plain;
          const verdict: Verdict = informational ? { ...judged, informational: true } : judged;
          const said = describeStatus({ verdict, base, provisional, extras });
          expect([...said].length).toBeLessThanOrEqual(MAX_DESCRIPTION);
          expect(said).not.toMatch(/[\p{Cs}\p{Cc}\u{10000}-\u{10ffff}]/u);
          expect(said).toContain(RULE_WORDS[rule]);
          if (rule === 'ancestor') expect(said).toMatch(new RegExp(`, ${away} (commits? )?away`));
          expect(said.startsWith(showPercent(totalPercent(now)))).toBe(true);
          if (plain.rule !== 'minimum')
            expect(said).toMatch(new RegExp(`from ${showPercent(totalPercent(before))} |unchanged`));
          if (plain.state === 'failure') expect(said).toContain(ruleWords(plain, thresholds));
          expect(said.includes('informational')).toBe(informational && judged.state !== 'success');
          expect(said.includes('provisional')).toBe(provisional);
        },
      ),
      { numRuns: numRuns(2_000) },
    );
  });

  function ruleWords({ rule }: Verdict, thresholds: { minimum: number | null; allowedDrop: number | null }): string {
    if (rule === 'minimum') return `below the minimum of ${thresholds.minimum}%`;
    return rule === 'allowed-drop' ? `more than the allowed ${thresholds.allowedDrop}%` : 'no decrease is allowed';
  }
});
