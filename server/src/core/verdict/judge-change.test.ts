import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { inWords, judgedInWords } from '../../../../test/support/verdict-words.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import { findRemedy } from './cover-to-pass.ts';
import { type JudgedBuild, judgeBuild } from './judge-build.ts';
import { type ChangeSettings, type JudgedChange, judgeChange } from './judge-change.ts';
import { type ChangeSums, splitChange } from './split-change.ts';

const PLAIN: ChangeSettings = {
  informational: false,
  ignoreRemovedCode: false,
  ignoreUntouchedFiles: false,
  ignoreUnstableLines: false,
};
const ones = (length: number): readonly number[] => Array<number>(length).fill(1);
const rest = (covered: number): FileCoverage =>
  aFile('rest.ts', [...ones(covered), ...Array<number>(10 - covered).fill(0)]);

/** Eight covered lines of ten, beside a file of four covered lines. */
const BASE = aReport(aFile('a.ts', ones(4)), rest(8));
const CUT = aDiff('a.ts', ['keep', 'keep', 'remove', 'remove']);
const ADDED = aDiff('a.ts', ['keep', 'keep', 'keep', 'keep', 'add', 'add']);
const withTwoLess = aReport(aFile('a.ts', ones(2)), rest(8));
const withTwoMissed = aReport(aFile('a.ts', [...ones(4), 0, 0]), rest(8));
const withLossElsewhere = aReport(aFile('a.ts', ones(4)), rest(7));
const withBoth = aReport(aFile('a.ts', ones(2)), rest(7));

interface Stated {
  readonly judged?: Partial<JudgedBuild>;
  readonly settings?: Partial<ChangeSettings>;
}

function judge(head: Report, files: readonly FileDiff[], { judged, settings }: Stated = {}): JudgedChange {
  const split = splitChange({ base: BASE, head, diff: { files, complete: true } });
  return judgeChange(toJudge(split, judged), split, { ...PLAIN, ...settings });
}

function toJudge(split: ChangeSums, stated: Partial<JudgedBuild> = {}): JudgedBuild {
  const base = { number: '70', totals: split.base };
  return { totals: split.head, base, thresholds: { minimum: null, allowedDrop: null }, unreported: [], ...stated };
}

describe('what caused a change', () => {
  test('is in the explanation of a failure, with what would pass, and not in the summary', () => {
    const { verdict, cause } = judgedInWords(judge(withTwoMissed, [ADDED]));
    expect(verdict).toMatchObject({
      state: 'failure',
      rule: 'no-decrease',
      explanation:
        'Coverage is 75.00%, −10.71 points from 85.71% in build 70: no decrease allowed. 2 of 2 changed lines ' +
        'are not covered; covering 2 more lines would pass.',
      summary: '75.00%, −10.71 points from 85.71% in build 70: no decrease allowed',
    });
    expect(cause).toMatchObject({
      sentence: '2 of 2 changed lines are not covered; covering 2 more lines would pass.',
      clause: '2 of 2 changed lines missed',
      remedy: 'cover 2 more changed lines to pass',
      shortRemedy: 'cover 2 more to pass',
      parts: [{ part: 'changed', points: '-10.71%' }],
    });
  });

  test('is in the explanation of a drop that is allowed, with nothing to cover', () => {
    const { verdict, cause } = judgedInWords(
      judge(withBoth, [CUT], { judged: { thresholds: { minimum: null, allowedDrop: 20 } } }),
    );
    expect(verdict.state).toBe('success');
    expect(verdict.explanation).toMatch(
      /within the allowed drop of 20 points\. 1 line outside the change lost coverage\.$/,
    );
    expect(cause).toMatchObject({
      clause: '1 line lost outside the change',
      remedy: undefined,
      parts: [
        { part: 'untouched', points: '-8.33%' },
        { part: 'removed', points: '-2.38%' },
      ],
    });
  });

  test('of a failure without a drop there is only a remedy', () => {
    const { verdict, cause } = judgedInWords(
      judge(BASE, [], { judged: { thresholds: { minimum: 90, allowedDrop: null } } }),
    );
    expect(verdict.explanation).toMatch(/below the minimum of 90%\. Covering 1 more line anywhere would pass\.$/);
    expect(cause).toEqual({
      sentence: 'Covering 1 more line anywhere would pass.',
      clause: undefined,
      remedy: 'cover 1 more line to pass',
      shortRemedy: 'cover 1 more to pass',
      parts: [],
    });
  });

  test.each<[string, JudgedChange]>([
    ['nothing dropped and nothing fails', judge(BASE, [])],
    ['flags did not report', judge(withTwoMissed, [ADDED], { judged: { unreported: ['ui'] } })],
    ['nothing is relevant', judge(aReport(), [aDiff('a.ts', [], { kind: 'removed' })])],
  ])('is left out where %s', (_, judged) => {
    const { verdict, cause } = judgedInWords(judged);
    expect(cause).toBeUndefined();
    expect(verdict.explanation).not.toMatch(/\. ./);
  });

  test('of a split of other counts only the remedy is told', () => {
    const split = splitChange({ base: BASE, head: withTwoLess, diff: { files: [CUT], complete: true } });
    const other = toJudge(split, { base: { number: '71', totals: totals(9, 10) } });
    const { verdict, cause } = judgedInWords(judgeChange(other, split, { ...PLAIN, ignoreRemovedCode: true }));
    expect(verdict.state).toBe('failure');
    expect(cause).toMatchObject({ clause: undefined, parts: [] });
  });

  test('without a split the verdict is the plain one, and the counts say what would pass', () => {
    fc.assert(
      fc.property(anyComparison, fc.boolean(), (compared, ignore) => {
        const judged = toJudge(splitChange(compared));
        const settings = {
          informational: false,
          ignoreRemovedCode: ignore,
          ignoreUntouchedFiles: ignore,
          ignoreUnstableLines: ignore,
        };
        const plain = judgeBuild(judged);
        const remedy = plain.state === 'failure' ? findRemedy(judged, undefined) : undefined;
        const cause = remedy && { mainPart: undefined, split: undefined, remedy };
        expect(judgeChange(judged, undefined, settings)).toEqual({ verdict: plain, cause });
      }),
    );
  });
});

describe('settings of a repo', () => {
  const removed = 'Removed code alone does not fail';
  const untouched = 'Loss in untouched files alone does not fail';
  test.each<[string, Report, Partial<ChangeSettings>, 'success' | 'failure', string | undefined]>([
    ['neither: removed code fails', withTwoLess, {}, 'failure', undefined],
    ['ignoreRemovedCode: removed code', withTwoLess, { ignoreRemovedCode: true }, 'success', removed],
    ['ignoreRemovedCode: loss elsewhere fails', withLossElsewhere, { ignoreRemovedCode: true }, 'failure', undefined],
    ['ignoreUntouchedFiles: loss elsewhere', withLossElsewhere, { ignoreUntouchedFiles: true }, 'success', untouched],
    ['ignoreUntouchedFiles: removed code fails', withTwoLess, { ignoreUntouchedFiles: true }, 'failure', undefined],
    [
      'both together',
      withBoth,
      { ignoreRemovedCode: true, ignoreUntouchedFiles: true },
      'success',
      'Removed code and loss in untouched files alone do not fail',
    ],
    [
      'both, where one suffices: that one is named',
      withTwoLess,
      { ignoreRemovedCode: true, ignoreUntouchedFiles: true },
      'success',
      removed,
    ],
  ])('%s', (_, head, settings, state, said) => {
    const { verdict } = judgedInWords(judge(head, [CUT], { settings }));
    expect(verdict).toMatchObject({ state, rule: 'no-decrease' });
    const clause = said && said.charAt(0).toLowerCase() + said.slice(1);
    expect(verdict.explanation.endsWith(`In this repo, ${clause} a build.`)).toBe(said !== undefined);
    expect(verdict.summary.endsWith(`, but ${clause}`)).toBe(said !== undefined);
    expect(verdict.brief?.endsWith(`, but ${clause}`)).toBe(said !== undefined);
  });

  test('what is forgiven keeps its cause and needs no remedy', () => {
    const { verdict, cause } = judgedInWords(judge(withTwoLess, [CUT], { settings: { ignoreRemovedCode: true } }));
    expect(verdict.explanation).toBe(
      'Coverage is 83.33%, −2.38 points from 85.71% in build 70: no decrease allowed. 2 covered lines were ' +
        'removed; no changed line is missed. In this repo, removed code alone does not fail a build.',
    );
    expect(cause).toMatchObject({ clause: '2 covered lines removed', remedy: undefined });
  });

  test('informational: the state stays true, and it says that nothing fails by it', () => {
    const { verdict } = judgedInWords(judge(withTwoMissed, [ADDED], { settings: { informational: true } }));
    expect(verdict).toMatchObject({ state: 'failure', informational: true });
    expect(verdict.explanation).toMatch(/would pass\. Informational only: it fails no commit status\.$/);
    const passing = judge(BASE, [], { settings: { informational: true } }).verdict;
    expect(passing).toEqual({ ...judge(BASE, []).verdict, informational: true });
    expect(judge(BASE, []).verdict.informational).toBeUndefined();
  });

  test('the settings never make a passing verdict fail, nor change what is shown first', () => {
    const settings = {
      informational: fc.boolean(),
      ignoreRemovedCode: fc.boolean(),
      ignoreUntouchedFiles: fc.boolean(),
      ignoreUnstableLines: fc.boolean(),
    };
    fc.assert(
      fc.property(anyComparison, fc.record(settings), (compared, stated) => {
        const split = splitChange(compared);
        const judged = toJudge(split);
        const plain = inWords(judgeBuild(judged));
        const { verdict } = judgedInWords(judgeChange(judged, split, stated));
        expect([plain.state, 'success']).toContain(verdict.state);
        expect(verdict.rule).toBe(plain.rule);
        expect(verdict.explanation.startsWith(plain.explanation)).toBe(true);
        expect(verdict.summary.startsWith(plain.summary)).toBe(true);
      }),
    );
  });
});

describe('luck is no gain', () => {
  const none = totals(0, 0);
  const still = { before: none, after: none, lostLines: 0, gainedLines: 0 };
  /** For 100 lines: flipping ones go from 0 to `luck` of 10 covered, and others lose `lost` of 80. */
  function lucky(luck: number, lost: number, stated: Partial<NonNullable<ChangeSums['unstable']>> = {}): ChangeSums {
    const unstable = { before: totals(0, 10), after: totals(luck, 10), lostLines: 0, gainedLines: luck };
    const chance = { blocks: 0, missed: 0, usual: { least: 0, most: 1 }, isUsual: true, recorded: 50 };
    return {
      ...{ base: totals(80, 100), head: totals(80 + luck - lost, 100), changed: none, removed: none, outside: still },
      untouched: { before: totals(80, 90), after: totals(80 - lost, 90), lostLines: lost, gainedLines: 0 },
      ...{ unstable: { ...unstable, ...chance, ...stated }, unexplained: still, unexplainedFiles: 0 },
    };
  }
  const IGNORED: ChangeSettings = { ...PLAIN, ignoreUnstableLines: true };

  test.each<[string, ChangeSums, Stated, string, number | undefined]>([
    ['a gain alone', lucky(10, 0), {}, 'success', undefined],
    ['a gain that hides a loss', lucky(10, 5), {}, 'no-decrease', 5],
    ['where nothing is ignored', lucky(10, 5), { settings: PLAIN }, 'success', undefined],
    ['a loss within the allowed drop', lucky(10, 5), { judged: allowing(5) }, 'success', undefined],
    ['a loss beyond the allowed drop', lucky(10, 5), { judged: allowing(4) }, 'allowed-drop', 1],
    ['a minimum, to which what was measured counts', lucky(10, 5), { judged: asking(84) }, 'success', undefined],
    ['a drop that is seen without it', lucky(2, 5), {}, 'no-decrease', 5],
    ['before the branch has 50 builds', lucky(10, 5, { recorded: 49 }), {}, 'success', undefined],
    ['more losses beside it than chance makes', lucky(10, 5, { isUsual: false }), {}, 'success', undefined],
  ])('%s', (_, split, { judged, settings }, expected, remedy) => {
    const { verdict, cause } = judgeChange(toJudge(split, judged), split, { ...IGNORED, ...settings });
    expect(verdict.state === 'success' ? 'success' : verdict.rule).toBe(expected);
    expect(cause?.remedy?.count).toBe(remedy);
  });

  test('other parts are forgiven only where it makes no room for the rest', () => {
    const settings = { ...IGNORED, ignoreUntouchedFiles: true };
    const elsewhere = lucky(10, 5);
    expect(judgeChange(toJudge(elsewhere), elsewhere, settings).verdict).toMatchObject({
      state: 'success',
      forgiven: { parts: ['untouched'] },
    });
    // Seven covered lines were rewritten and are missed: a gain of ten hides these too.
    const luck = lucky(10, 8);
    const split = {
      ...luck,
      base: totals(87, 107),
      head: totals(82, 107),
      removed: totals(7, 7),
      changed: totals(0, 7),
    };
    expect(judgeChange(toJudge(split), split, settings).verdict.state).toBe('failure');
    expect(judgeChange(toJudge(split), split, { ...settings, ignoreUnstableLines: false }).verdict.state).toBe(
      'success',
    );
  });

  function allowing(allowedDrop: number): Partial<JudgedBuild> {
    return { thresholds: { minimum: null, allowedDrop } };
  }
  function asking(minimum: number): Partial<JudgedBuild> {
    return { thresholds: { minimum, allowedDrop: null } };
  }
});
