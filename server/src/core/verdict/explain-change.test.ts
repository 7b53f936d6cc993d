import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison, type Edit } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import { describeCause } from '../../wording/change-words.ts';
import { totalPercent } from '../coverage/percent.ts';
import { type CoverageTotals, NO_TOTALS } from '../coverage/totals.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import { countToPass } from './cover-to-pass.ts';
import { explainChange } from './explain-change.ts';
import type { Thresholds } from './findings.ts';
import { type JudgedBuild, judgeBuild } from './judge-build.ts';
import { MAX_NAMED } from './reason.ts';
import { type ChangeSplit, type ComparedReports, splitChange } from './split-change.ts';

const NONE: Thresholds = { minimum: null, allowedDrop: null };

const judge = (split: ChangeSplit, thresholds = NONE): JudgedBuild => ({
  totals: split.head,
  base: { number: '70', totals: split.base },
  thresholds,
  unreported: [],
});

function explain(compared: ComparedReports, thresholds = NONE) {
  const split = splitChange(compared);
  return inWords(judge(split, thresholds), split);
}

/** What was found, with its words. */
function inWords(judged: JudgedBuild, split: ChangeSplit) {
  const found = explainChange(judged, split, 'failure');
  if (found === undefined) return undefined;
  const { sentence, clause, parts } = describeCause(found, {
    state: 'failure',
    rule: 'no-decrease',
    reason: { kind: 'nothing-relevant' },
  });
  return { ...found, sentence, clause, parts };
}

const times = (count: number, value: number): readonly number[] => Array<number>(count).fill(value);
const repeat = (count: number, edit: Edit): readonly Edit[] => Array<Edit>(count).fill(edit);

/** 80 of 100 lines covered. */
const REST = [...times(80, 1), ...times(20, 0)];
const compare = (
  before: readonly number[],
  after: readonly number[],
  all: readonly Edit[],
  more: {
    readonly rest?: readonly number[];
    readonly files?: readonly FileDiff[];
    readonly branches?: readonly number[];
  } = {},
): ComparedReports => ({
  base: aReport(aFile('a.ts', before), aFile('rest.ts', REST)),
  head: aReport(aFile('a.ts', after, { branches: more.branches ?? [] }), aFile('rest.ts', more.rest ?? REST)),
  diff: { files: more.files ?? [aDiff('a.ts', all)], complete: true },
});

describe('explainChange: what made the total fall, and what would make it green', () => {
  const uncovered = compare([], [...times(8, 1), ...times(4, 0)], repeat(12, 'add'));
  const removed = compare(times(12, 1), [], repeat(12, 'remove'));
  const keptSome = compare(times(50, 1), times(5, 1), [...repeat(50, 'remove'), ...repeat(5, 'add')]);

  test.each<[string, ComparedReports, Thresholds, string, string]>([
    [
      'changed lines',
      uncovered,
      NONE,
      'changed',
      '4 of 12 changed lines are not covered; covering 2 more lines would pass.',
    ],
    [
      'one changed line',
      compare([], [0], ['add']),
      NONE,
      'changed',
      '1 of 1 changed line is not covered; covering 1 more line would pass.',
    ],
    [
      'a minimum further away',
      uncovered,
      { minimum: 82, allowedDrop: null },
      'changed',
      '4 of 12 changed lines are not covered; covering 4 more lines would pass.',
    ],
    [
      'changed lines do not suffice',
      uncovered,
      { minimum: 90, allowedDrop: null },
      'changed',
      '4 of 12 changed lines are not covered; covering 13 more lines anywhere would pass.',
    ],
    [
      'branches on changed lines',
      compare([], [1], ['add'], { branches: [1, 0, 0, 0, 1, 0, 1, 0] }),
      NONE,
      'changed',
      '2 of 2 branches on changed lines are not covered; covering 2 more changed lines or branches would pass.',
    ],
    [
      'removed code',
      removed,
      NONE,
      'removed',
      '12 covered lines were removed; no changed line is missed; covering 3 more lines anywhere would pass.',
    ],
    [
      'one removed line',
      compare([1], [], ['remove']),
      NONE,
      'removed',
      '1 covered line was removed; no changed line is missed; covering 1 more line anywhere would pass.',
    ],
    [
      'more removed than added',
      keptSome,
      NONE,
      'removed',
      '50 covered lines were removed and 5 relevant lines added; no changed line is missed; covering 6 more ' +
        'lines anywhere would pass.',
    ],
    [
      'unchanged lines of changed files',
      compare([1, 1], [1, 0, 1], ['keep', 'keep', 'add']),
      NONE,
      'outside',
      '1 line outside the change lost coverage; covering 1 more line anywhere would pass.',
    ],
    [
      'of parts that weigh the same the first',
      compare([1, 1], [1, 0], ['keep', 'keep'], { rest: [...times(79, 1), ...times(21, 0)] }),
      NONE,
      'outside',
      '2 lines outside the change lost coverage; covering 2 more lines anywhere would pass.',
    ],
    [
      'untouched files',
      compare([1], [1], ['keep'], { rest: [...times(77, 1), ...times(23, 0)] }),
      NONE,
      'untouched',
      '3 lines outside the change lost coverage; covering 3 more lines anywhere would pass.',
    ],
    [
      'lines elsewhere while changed ones are missed too',
      compare([], [0, 0, 0, 0], repeat(4, 'add'), { rest: times(100, 0) }),
      { minimum: 3, allowedDrop: null },
      'untouched',
      '80 lines outside the change lost coverage; covering 4 more changed lines would pass.',
    ],
    [
      'more lines count in untouched files',
      compare([1], [1], ['keep'], { rest: [...REST, 0] }),
      NONE,
      'untouched',
      'Covered lines in files that did not change went from 80 of 100 to 80 of 101; covering 1 more line anywhere ' +
        'would pass.',
    ],
    [
      'unknown changes',
      compare([1, 1], [0, 1], [], { files: [aDiff('a.ts', [], { complete: false })] }),
      NONE,
      'unexplained',
      'Coverage moved in 1 file whose changes are not known; covering 1 more line anywhere would pass.',
    ],
    [
      'a drop that is allowed',
      uncovered,
      { minimum: null, allowedDrop: 5 },
      'changed',
      '4 of 12 changed lines are not covered.',
    ],
  ])('%s', (_, compared, thresholds, part, sentence) => {
    expect(explain(compared, thresholds)).toMatchObject({ mainPart: part, sentence });
  });

  test('branches alone, where no line was lost', () => {
    const base = aReport(aFile('a.ts', [1], { branches: [1, 0, 0, 1, 1, 0, 1, 1] }));
    const head = aReport(aFile('a.ts', [1], { branches: [1, 0, 0, 1, 1, 0, 1, 0] }));
    expect(explain({ base, head, diff: { files: [aDiff('a.ts', [])], complete: true } })?.sentence).toBe(
      'Covered lines and branches on unchanged lines of changed files went from 3 of 3 to 2 of 3; covering 1 more ' +
        'line or branch anywhere would pass.',
    );
    const replaced = {
      base,
      head: aReport(aFile('b.ts', [0])),
      diff: { files: [aDiff('a.ts', [], { kind: 'removed' as const })], complete: true },
    };
    expect(explain(replaced)?.sentence).toBe(
      '0 of 1 lines new in reports, in files that did not change, are covered; covering 1 more line ' +
        'anywhere would pass.',
    );
    const fewer = aReport(aFile('a.ts', [1, 0, 0]), aFile('b.ts', [-1], { branches: [1, 0, 0, 1] }));
    expect(
      explain({
        base: fewer,
        head: aReport(aFile('a.ts', [1, 0, 0])),
        diff: { files: [aDiff('a.ts', [])], complete: true },
      })?.sentence,
    ).toBe(
      '1 covered line or branch in files that did not change is no longer in reports; covering 1 more line ' +
        'anywhere would pass.',
    );
  });

  test('the points of the cause read as any change does (rule 5)', () => {
    expect(explain(removed)?.parts).toEqual([{ part: 'removed', points: '-2.14%', shown: '−2.14' }]);
  });

  test('below the minimum without a drop there is no cause, only the way out', () => {
    const explanation = explain(compare([], [1], ['add']), { minimum: 82, allowedDrop: null });
    expect(explanation).toMatchObject({
      mainPart: undefined,
      clause: undefined,
      sentence: 'Covering 2 more lines anywhere would pass.',
    });
  });

  test('with a split of other counts only the way out is told', () => {
    const split = splitChange(uncovered);
    const sentence = 'Covering 2 more lines anywhere would pass.';
    const stale = { ...split, base: totals(81, 100) };
    expect(inWords(judge(split), stale)).toMatchObject({ mainPart: undefined, sentence, parts: [] });
  });

  test('changed lines are those of the patch, where the split counts others', () => {
    const split = splitChange(uncovered);
    const explained = (patch: CoverageTotals) => explainChange({ ...judge(split), patch }, split, 'failure');
    expect(explained(totals(8, 12))).not.toHaveProperty('changed');
    expect(explained(totals(8, 13))).toHaveProperty('changed', totals(8, 13));
  });

  test('nothing to explain', () => {
    expect(explain(compare([1], [1], ['keep']))).toBeUndefined();
    expect(explain({ base: aReport(), head: aReport(), diff: undefined })).toBeUndefined();
  });

  test('there is no way out where covering lines does not help', () => {
    expect(explain({ ...removed, head: aReport(), diff: undefined })).toBeUndefined();
    const split = splitChange(uncovered);
    expect(inWords({ ...judge(split), unreported: ['api'] }, split)).toMatchObject({
      remedy: undefined,
      sentence: '4 of 12 changed lines are not covered.',
    });
  });

  test('there is a way out exactly where the verdict fails, and a missed changed line where one is blamed', () => {
    const limit = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
    fc.assert(
      fc.property(anyComparison, limit, limit, (compared, minimum, allowedDrop) => {
        const split = splitChange(compared);
        const judged = judge(split, { minimum, allowedDrop });
        const explanation = inWords(judged, split);
        const fails = judgeBuild(judged).state === 'failure' && totalPercent(split.head) !== undefined;
        expect(explanation?.remedy !== undefined).toBe(fails);
        expect(explanation?.remedy?.count ?? 0).toBe(countToPass(judged) ?? 0);
        if (explanation?.mainPart === 'changed') {
          const { changed } = split;
          expect(changed.relevantLines + changed.branches).toBeGreaterThan(
            changed.coveredLines + changed.coveredBranches,
          );
        }
        const main = explanation?.parts.find(({ part }) => part === explanation.mainPart);
        expect(main?.points ?? '-').toMatch(/^-/);
        expect(explanation?.sentence ?? 'A.').toMatch(/^[A-Z0-9].*\.$/);
        expect(explanation?.sentence ?? '').not.toMatch(/undefined|NaN|\b0 (lines?|covered|changed|of 0)/);
      }),
      { numRuns: numRuns(500) },
    );
  });
});

describe('flags that did not report are the cause of a fall', () => {
  const flags = Array.from({ length: MAX_NAMED + 2 }, (_, index) => `flag-${index}`);
  const missing = { flags: flags.slice(0, MAX_NAMED), more: 2, vanished: { files: 0, lines: 0 } };
  const fewer = [...times(70, 1), ...times(30, 0)];
  const kept = compare([1], [1], ['keep']);
  const before = { commits: 1, branch: 'main', totals: totals(60, 101), removed: NO_TOTALS, added: NO_TOTALS };

  type Row = [string, ComparedReports, Partial<ChangeSplit>, string | undefined, object | undefined];
  test.each<Row>([
    ['of files that did not change', compare([1], [1], ['keep'], { rest: fewer }), {}, 'untouched', missing],
    ['of unchanged lines of changed files', compare([1, 1], [1, 0], ['keep', 'keep']), {}, 'outside', missing],
    ['of unknown changes', { ...compare([1], [0], []), diff: undefined }, {}, 'unexplained', missing],
    [
      'with a split of other counts',
      compare([1], [1], ['keep'], { rest: fewer }),
      { base: totals(1, 1) },
      undefined,
      { ...missing, vanished: undefined },
    ],
    ['not of changed lines', compare([], [0], ['add']), {}, 'changed', undefined],
    ['not of removed ones', compare([1], [], ['remove']), {}, 'removed', undefined],
    ['not of what others did', compare([1], [1], ['keep'], { rest: fewer }), { before }, 'before', undefined],
    ['not where the total stayed', kept, {}, undefined, undefined],
    ['not where it rose', compare([], [1], ['add']), {}, undefined, undefined],
    ['not without a base to compare with', { ...kept, base: aReport() }, {}, undefined, undefined],
  ])('%s', (_, compared, stated, part, expected) => {
    const split = splitChange(compared);
    const found = explainChange({ ...judge(split), missingFlags: flags }, { ...split, ...stated }, 'success');
    expect(found?.mainPart).toBe(part);
    expect(found?.missing).toEqual(expected);
  });

  test('none where all reported', () => {
    const split = splitChange(compare([1], [1], ['keep'], { rest: fewer }));
    expect(explainChange(judge(split), split, 'success')).not.toHaveProperty('missing');
  });
});
