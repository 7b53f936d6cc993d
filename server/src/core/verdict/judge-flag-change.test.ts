import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { inWords, judgedInWords } from '../../../../test/support/verdict-words.ts';
import { addTotals, type CoverageTotals } from '../coverage/totals.ts';
import { exchange, splitRemoved } from './attribute-change.ts';
import type { Thresholds } from './findings.ts';
import { type JudgedFlag, judgeFlag } from './judge-build.ts';
import { type ChangeSettings, failsByThreshold, judgeFlagChange } from './judge-change.ts';
import { type ChangeSums, sumChange } from './split-change.ts';

const NONE: Thresholds = { minimum: null, allowedDrop: null };
const PLAIN: ChangeSettings = {
  informational: false,
  ignoreRemovedCode: false,
  ignoreUntouchedFiles: false,
  ignoreUnstableLines: false,
};
const BOTH: ChangeSettings = { ...PLAIN, ignoreRemovedCode: true, ignoreUntouchedFiles: true };
const ones = (length: number): readonly number[] => Array<number>(length).fill(1);
const rest = (covered: number) => aFile('rest.ts', [...ones(covered), ...Array<number>(10 - covered).fill(0)]);

/** Twelve covered lines of fourteen. */
const BASE = aReport(aFile('a.ts', ones(4)), rest(8));
/** Two covered lines of a.ts are taken out: ten covered lines of twelve. */
const CUT = sumChange({
  base: BASE,
  head: aReport(aFile('a.ts', ones(2)), rest(8)),
  diff: { files: [aDiff('a.ts', ['keep', 'keep', 'remove', 'remove'])], complete: true },
});
/** A file outside the diff loses a line. */
const ELSEWHERE = sumChange({
  base: BASE,
  head: aReport(aFile('a.ts', ones(4)), rest(7)),
  diff: { files: [], complete: true },
});

const flagOf = (split: ChangeSums, stated: Partial<JudgedFlag> = {}): JudgedFlag => ({
  totals: split.head,
  base: { number: '70', totals: split.base },
  thresholds: NONE,
  ...stated,
});

describe('a flag that fails', () => {
  test('says what caused it and what would pass', () => {
    const { verdict, cause } = judgedInWords(judgeFlagChange(flagOf(CUT), CUT, PLAIN));
    expect(verdict).toEqual({
      ...inWords(judgeFlag(flagOf(CUT))),
      explanation:
        'Coverage is 83.33%, −2.38 points from 85.71% in build 70: no decrease allowed. 2 covered lines were ' +
        'removed; no changed line is missed; covering 1 more line anywhere would pass.',
    });
    expect(cause).toMatchObject({
      sentence: '2 covered lines were removed; no changed line is missed; covering 1 more line anywhere would pass.',
      clause: '2 covered lines removed',
      remedy: 'cover 1 more line to pass',
      parts: [{ part: 'removed', points: '-2.38%' }],
    });
  });

  const removed = 'removed code alone does not fail';
  const untouched = 'loss in untouched files alone does not fail';
  const ignoring = {
    removed: { ...PLAIN, ignoreRemovedCode: true },
    untouched: { ...PLAIN, ignoreUntouchedFiles: true },
  };
  test.each<[string, ChangeSums, ChangeSettings, Partial<JudgedFlag>, 'success' | 'failure', string | undefined]>([
    ['removed code, forgiven', CUT, ignoring.removed, {}, 'success', removed],
    ['removed code, where other losses are forgiven', CUT, ignoring.untouched, {}, 'failure', undefined],
    ['loss elsewhere, forgiven', ELSEWHERE, ignoring.untouched, {}, 'success', untouched],
    ['loss elsewhere, where removed code is forgiven', ELSEWHERE, ignoring.removed, {}, 'failure', undefined],
    ['beyond the repo’s allowed drop', CUT, BOTH, { thresholds: { minimum: 99, allowedDrop: 1 } }, 'success', removed],
    ['beyond its own allowed drop', CUT, BOTH, { own: { minimum: null, allowedDrop: 1 } }, 'success', removed],
    [
      'below its own minimum, which the base held',
      CUT,
      BOTH,
      { own: { minimum: 85, allowedDrop: null } },
      'success',
      removed,
    ],
    [
      'below its own minimum, as the base was',
      CUT,
      BOTH,
      { own: { minimum: 90, allowedDrop: null } },
      'failure',
      undefined,
    ],
  ])('%s', (_, split, settings, stated, state, said) => {
    const flag = flagOf(split, stated);
    const plain = inWords(judgeFlag(flag));
    expect(plain.state).toBe('failure');
    const { verdict } = judgedInWords(judgeFlagChange(flag, split, settings));
    expect(verdict).toMatchObject({ state, rule: plain.rule });
    expect(verdict.explanation.startsWith(plain.explanation)).toBe(true);
    expect(verdict.explanation.endsWith(`In this repo, ${said} a flag.`)).toBe(said !== undefined);
    expect(verdict.summary).toBe(said === undefined ? plain.summary : `${plain.summary}, but ${said}`);
  });

  test.each<[string, JudgedFlag, ChangeSums | undefined]>([
    ['no split is known', flagOf(CUT), undefined],
    ['the split is of other counts', flagOf(CUT, { totals: totals(9, 12) }), CUT],
    ['the split is of another base', flagOf(CUT, { base: { number: '70', totals: totals(13, 14) } }), CUT],
    ['it does not fail', flagOf(CUT, { thresholds: { minimum: null, allowedDrop: 5 } }), CUT],
    ['only the build’s minimum decides', flagOf(CUT, { thresholds: { minimum: 99, allowedDrop: null } }), CUT],
    ['no coverage arrived', flagOf({ ...CUT, head: totals(0, 0) }), { ...CUT, head: totals(0, 0) }],
    ['it has no base', flagOf(CUT, { base: undefined, own: { minimum: 99, allowedDrop: null } }), CUT],
  ])('no cause is claimed where %s, and a failure says what would pass', (_, flag, split) => {
    const { verdict, cause } = judgeFlagChange(flag, split, BOTH);
    expect(verdict).toEqual(judgeFlag(flag));
    if (failsByThreshold(flag)) expect(cause).toMatchObject({ mainPart: undefined, split: undefined });
    expect(cause !== undefined && 'remedy' in cause && cause.remedy !== undefined).toBe(failsByThreshold(flag));
  });

  test('informational: it says so after all else', () => {
    const { verdict } = judgedInWords(judgeFlagChange(flagOf(CUT), CUT, { ...PLAIN, informational: true }));
    expect(verdict).toMatchObject({ state: 'failure', informational: true });
    expect(verdict.explanation).toMatch(/would pass\. Informational only: it fails no commit status\.$/);
  });
});

describe('whatever reports and diffs', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  const thresholds = fc.record({ minimum: limit, allowedDrop: limit });
  const settings = fc.record({
    informational: fc.constant(false),
    ignoreRemovedCode: fc.boolean(),
    ignoreUntouchedFiles: fc.boolean(),
    ignoreUnstableLines: fc.boolean(),
  });
  const judgedFlag = fc.record({ thresholds, own: fc.option(thresholds, { nil: undefined }) });

  /** The flag's counts with what the settings ignore as it was in the base. */
  function restored(split: ChangeSums, parts: readonly ('removed' | 'untouched')[]): CoverageTotals {
    const withRemoved = parts.includes('removed') ? addTotals(split.head, splitRemoved(split).unreplaced) : split.head;
    return parts.includes('untouched')
      ? exchange(withRemoved, split.untouched.after, split.untouched.before)
      : withRemoved;
  }

  test('a failure is forgiven exactly where the restored counts pass, and nothing else changes the state', () => {
    fc.assert(
      fc.property(anyComparison, judgedFlag, settings, (compared, stated, ignored) => {
        const split = sumChange(compared);
        const flag = flagOf(split, stated);
        const plain = inWords(judgeFlag(flag));
        const choices = [
          ...(ignored.ignoreRemovedCode ? [['removed'] as const] : []),
          ...(ignored.ignoreUntouchedFiles ? [['untouched'] as const] : []),
          ...(ignored.ignoreRemovedCode && ignored.ignoreUntouchedFiles ? [['removed', 'untouched'] as const] : []),
        ];
        const passes = choices.some(
          (parts) => judgeFlag({ ...flag, totals: restored(split, parts) }).state === 'success',
        );
        const { verdict, cause } = judgedInWords(judgeFlagChange(flag, split, ignored));
        const forgiven = failsByThreshold(flag) && passes;
        expect(verdict.state).toBe(forgiven ? 'success' : plain.state);
        expect(verdict.summary.startsWith(plain.summary)).toBe(true);
        if (!failsByThreshold(flag)) expect({ verdict, cause }).toEqual({ verdict: plain, cause: undefined });
        if (forgiven) expect(cause?.remedy).toBeUndefined();
      }),
      { numRuns: numRuns(500) },
    );
  });

  test('where both settings are off only the explanation is another', () => {
    fc.assert(
      fc.property(anyComparison, judgedFlag, (compared, stated) => {
        const split = sumChange(compared);
        const flag = flagOf(split, stated);
        const { explanation, ...plain } = inWords(judgeFlag(flag));
        const { explanation: explained, ...verdict } = judgedInWords(judgeFlagChange(flag, split, PLAIN)).verdict;
        expect(verdict).toEqual(plain);
        expect(explained.startsWith(explanation)).toBe(true);
      }),
      { numRuns: numRuns(300) },
    );
  });
});
