import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../test/support/property-runs.ts';
import { sha, totals } from '../../../test/support/records.ts';
import type { BasePick, BaseRule } from '../core/builds/build.ts';
import { showLimit, showPercent, totalPercent } from '../core/coverage/percent.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { judgeBuild } from '../core/verdict/judge-build.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { describeStatus } from './status-description.ts';

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

/** For an upload without a commit only the build's number can name it. */
const nameless = (number: string, stated: Partial<BasePick> = {}): BasePick =>
  pick({ number, commit: undefined, ...stated });

const CORE = '78.00%, −2.00 points from 80.00%: no decrease allowed';

describe('what gives way where a status is too long', () => {
  test.each<[string, BasePick, string]>([
    ['nothing, where there is room', pick({}), `${CORE} (base bbbbbbb, previous on main)`],
    ['nothing of a number', nameless('x'.repeat(30)), `${CORE} (base build ${'x'.repeat(30)}, previous on main)`],
    ['a very long number', nameless('x'.repeat(1_000)), `${CORE} (base build ${'x'.repeat(39)}…, previous on main)`],
    [
      'a very long branch',
      pick({ branch: 'renovate/'.repeat(20) }),
      `${CORE} (base bbbbbbb, previous on renovate/renovate/renovate/renovate/ren…)`,
    ],
    [
      'both',
      nameless('x'.repeat(100), { branch: 'y'.repeat(100), rule: 'default-branch' }),
      `${CORE} (base build ${'x'.repeat(19)}…, default branch ${'y'.repeat(19)}…)`,
    ],
    [
      'by code points',
      nameless('é'.repeat(200), { branch: '🔥'.repeat(200) }),
      `${CORE} (base build ${'é'.repeat(19)}…, previous on ${'\ufffd'.repeat(19)}…)`,
    ],
  ])('%s', (_, base, expected) => {
    expect(say(base)).toBe(expected);
  });

  test.each<[string, number, string]>([
    [
      'words of the rule',
      1.25,
      '78.00%, −2.00 points from 80.00%: more than 1.25 allowed (informational; provisional; base bbbbbbb, nearest ' +
        'ancestor, 100 commits away)',
    ],
    [
      'then all that is not needed',
      1.234567890123456,
      '78.00%, −2.00 from 80.00%: more than 1.234567890123456 allowed (informational; provisional; base bbbbbbb, ' +
        'nearest ancestor, 100 away)',
    ],
  ])('%s', (_, allowedDrop, expected) => {
    const base = pick({ rule: 'ancestor', commitsAway: 100 });
    const verdict = { ...verdictOn('70', { minimum: null, allowedDrop }), informational: true } as const;
    expect(describeStatus({ verdict, base, provisional: true })).toBe(expected);
  });

  test('the flags that did not report, and how the base was chosen stays whole', () => {
    const unreported = Array.from({ length: 40 }, (_, index) => `flag-${index}`);
    const base = nameless('1'.repeat(100), { rule: 'merge-parent' });
    const verdict = judgeBuild({ totals: totals(78, 100), base: undefined, thresholds: NONE, unreported });
    const description = describeStatus({ verdict, base });
    expect(description).toMatch(/^incomplete: flag-0, flag-1, .*… \(base build 1{19}…, merge parent\)$/);
    expect(description).toHaveLength(USUAL_TERMS.maxDescription);
  });

  test('of a number with marks of a replacement pattern nothing is repeated', () => {
    const number = `$&$'${'x'.repeat(90)}`;
    expect(say(nameless(number))).toContain(`(base build $&$'${'x'.repeat(35)}…, previous on main)`);
  });
});

describe('what is said besides', () => {
  const base = pick({ rule: 'merge-parent' });
  const withExtras = (...extras: readonly (readonly string[])[]): string =>
    describeStatus({ verdict: verdictOn(base.number), base, extras });
  const SAID = `${CORE} (base bbbbbbb, merge parent)`;

  test('nothing, or the first choice that fits whole', () => {
    expect(withExtras()).toBe(SAID);
    expect(withExtras(['a cause', 'a remedy'], ['a remedy'])).toBe(`${SAID}. A cause; a remedy`);
    expect(withExtras(['x'.repeat(60), 'a remedy'], ['a remedy'], ['x'.repeat(60)])).toBe(`${SAID}. A remedy`);
    expect(withExtras(['x'.repeat(70)])).toBe(SAID);
  });

  test('more, in fewer words of a verdict that fails', () => {
    const verdict = verdictOn(base.number, { minimum: null, allowedDrop: 1.25 });
    const said = describeStatus({ verdict, base, extras: [['a cause of 30 characters, or so', 'a remedy']] });
    expect(said).toBe(
      '78.00%, −2.00 points from 80.00%: more than 1.25 allowed (base bbbbbbb, merge parent). A cause of 30 ' +
        'characters, or so; a remedy',
    );
  });
});

test('a verdict that passes keeps all its words, rather than that more is said', () => {
  const verdict = verdictOn('70', { minimum: null, allowedDrop: 2.5 });
  const whole =
    '78.00%, −2.00 points from 80.00%: within the allowed drop of 2.5 points (base bbbbbbb, previous on main)';
  const extras = [['coverage moved in 2 files, changes not known']];
  expect(describeStatus({ verdict, base: pick({}), extras })).toBe(whole);
});

test.each([
  ['84.21%, −0.0003 points from 84.21%', totals(842_147, 1_000_000), totals(84_215, 100_000)],
  ['33.33%, −33.33 points from 66.66%', totals(1, 3), totals(2, 3)],
])('two numbers that read the same are no failure without a change: %s', (start, now, before) => {
  for (const allowedDrop of [null, 0]) {
    const base = { number: '70', totals: before };
    const verdict = judgeBuild({ totals: now, base, thresholds: { minimum: null, allowedDrop }, unreported: [] });
    expect(describeStatus({ verdict, base: pick({}) })).toBe(
      `${start}: no decrease allowed (base bbbbbbb, previous on main)`,
    );
  }
});

test('thresholds are written as people write them', () => {
  const verdict = verdictOn('70', { minimum: null, allowedDrop: 1e-7 });
  expect(describeStatus({ verdict })).toBe(
    '78.00%, −2.00 points from 80.00%: more than the allowed drop of 0.0000001 points',
  );
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
    extras: fc.array(fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
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
          expect([...said].length).toBeLessThanOrEqual(USUAL_TERMS.maxDescription);
          expect(said).not.toMatch(/[\p{Cs}\p{Cc}\u{10000}-\u{10ffff}]/u);
          expect(said).toContain(RULE_WORDS[rule]);
          if (rule === 'ancestor') expect(said).toMatch(new RegExp(`, ${away} (commits? )?away`));
          expect(said.startsWith(showPercent(totalPercent(now)))).toBe(true);
          if (plain.rule !== 'minimum')
            expect(said).toMatch(new RegExp(`from ${showPercent(totalPercent(before))}[: (]|unchanged`));
          if (plain.state === 'failure') expect(said).toMatch(ruleWords(plain, thresholds));
          expect(said.includes('informational')).toBe(informational && judged.state !== 'success');
          expect(said.includes('provisional')).toBe(provisional);
        },
      ),
      { numRuns: numRuns(2_000) },
    );
  });

  function ruleWords({ rule }: Verdict, thresholds: { minimum: number | null; allowedDrop: number | null }): RegExp {
    const written = (limit: number | null) => showLimit(limit ?? 0).replace('.', '\\.');
    if (rule === 'minimum') return new RegExp(`below (the minimum of )?${written(thresholds.minimum)}%`);
    if (rule !== 'allowed-drop' || thresholds.allowedDrop === 0) return /no decrease allowed/;
    return new RegExp(`more than (the allowed drop of )?${written(thresholds.allowedDrop)} (points?|allowed)`);
  }
});
