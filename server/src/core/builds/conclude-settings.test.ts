import { describe, expect, test } from 'vitest';
import { baseWith, composed, conclude } from '../../../../test/support/close-findings.ts';
import { aBuild, aFlag, aReport, sha, totals } from '../../../../test/support/records.ts';
import { inWords, judgedInWords } from '../../../../test/support/verdict-words.ts';
import type { FlagSettings } from '../repo/setting.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../repo/settings.ts';
import { splitChange } from '../verdict/split-change.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import type { BuildResult, CarriedPick } from './build.ts';
import type { ComposedReport } from './build-report.ts';
import type { Findings } from './conclude-build.ts';

const pick: CarriedPick = { flag: 'ui', buildId: 60, number: '60', commit: sha('a'), closedAt: 9, closeCount: 1 };
const uploaded = { name: 'ui', kind: 'uploaded', totals: totals(70, 100) } as const;

describe('settings of the repo', () => {
  const base = baseWith([aFlag('ui', { totals: totals(75, 100) })], { totals: totals(90, 100) });
  const flags = [uploaded, { ...uploaded, name: 'api' }];
  const settled = (settings: Partial<RepoSettings>, stated: Partial<ComposedReport> = {}): BuildResult =>
    conclude({ settings: { ...DEFAULT_REPO_SETTINGS, ...settings }, composed: composed({ flags, ...stated }), base });
  const own = { flag: 'ui', minimum: null, allowedDrop: null, informational: false };
  const patch = {
    totals: totals(7, 8),
    files: [],
    fileCount: 0,
    unmeasured: [],
    unmeasuredCount: 0,
    complete: true,
  };

  test.each<[string, Partial<FlagSettings>, Partial<FlagVerdict>]>([
    ['none', { flag: 'other', minimum: 99 }, { state: 'failure', rule: 'no-decrease' }],
    ['in another case', { flag: 'UI', informational: true }, { state: 'failure', informational: undefined }],
    ['a minimum', { minimum: 70 }, { state: 'success', rule: 'minimum' }],
    ['a missed minimum', { minimum: 71 }, { state: 'failure', rule: 'minimum' }],
    ['an allowed drop', { allowedDrop: 5 }, { state: 'success', rule: 'allowed-drop' }],
    ['informational', { informational: true }, { state: 'failure', informational: true }],
  ])('of a flag: %s', (_, stated, expected) => {
    const result = settled({ flagSettings: [{ ...own, ...stated }] });
    const { state, rule, informational } = result.flags[0]?.verdict ?? {};
    expect({ state, rule, informational }).toMatchObject(expected);
    expect(result.flags[1]?.verdict).toMatchObject({ state: 'success', rule: 'first-build' });
    expect(result.verdict.informational).toBeUndefined();
  });

  test('informational: every verdict, also of a flag that is missing', () => {
    const result = settled({ informational: true, patchMinimum: 90 }, { flags: [], patch });
    expect(result.verdict).toMatchObject({ state: 'failure', informational: true });
    expect(result.flags[0]).toMatchObject({ kind: 'missing', verdict: { state: 'success', informational: true } });
    expect(result.patch?.verdict).toMatchObject({ state: 'failure', informational: true });
  });

  test.each<[string, Partial<RepoSettings>, Partial<FlagVerdict> | undefined]>([
    ['nothing asked for', {}, undefined],
    ['a status', { patchStatus: true }, { state: 'success', rule: 'patch-change' }],
    ['a minimum', { patchMinimum: 90 }, { state: 'failure', rule: 'patch-minimum' }],
    ['the total of the base', { patchMinimum: 'base' }, { state: 'failure', rule: 'patch-minimum' }],
    ['both', { patchStatus: true, patchMinimum: 80 }, { state: 'success', rule: 'patch-minimum' }],
  ])('of changed lines: %s', (_, settings, expected) => {
    const result = settled(settings, { patch, totals: totals(95, 100) });
    if (expected === undefined) expect(result.patch).toEqual({ ...patch, verdict: undefined });
    else expect(result.patch?.verdict).toMatchObject(expected);
    // It has a status of its own.
    expect(result.verdict.state).toBe('success');
  });

  test('changed lines that nobody knows have no result', () => {
    expect(settled({ patchStatus: true, patchMinimum: 90 }).patch).toBeUndefined();
  });

  test('the cause of a drop, and what is left out of account', () => {
    const split = { ...splitChange({ base: aReport(), head: aReport(), diff: undefined }) };
    const [gone, kept] = [totals(50, 50), totals(40, 50)];
    const movement = { before: kept, after: kept, lostLines: 0, gainedLines: 0 };
    const sums = { ...split, base: totals(90, 100), head: kept, removed: gone, untouched: movement };
    const result = settled({}, { split: sums, totals: kept });
    const { verdict, cause } = judgedInWords(result);
    expect(cause).toMatchObject({ clause: '50 covered lines removed' });
    expect(verdict.explanation).toContain(cause?.sentence);
    expect(settled({ ignoreRemovedCode: true }, { split: sums, totals: kept }).verdict.state).toBe('success');
  });
});

describe('a build without jobs', () => {
  const base = baseWith([aFlag('ui')]);
  const empty = composed({ totals: totals(0, 0), files: 0 });

  test.each<[string, Partial<Findings>, Partial<ReturnType<typeof inWords>>]>([
    ['without a base', { base: undefined }, { state: 'success', rule: 'nothing-relevant' }],
    ['nothing known of the change', {}, { state: 'failure', rule: 'no-coverage-arrived' }],
    [
      'no measured file changed',
      { composed: { ...empty, measuredChanges: 0 } },
      { state: 'success', rule: 'nothing-relevant' },
    ],
    [
      'measured files changed',
      { composed: { ...empty, measuredChanges: 2 } },
      { state: 'failure', rule: 'no-coverage-arrived' },
    ],
    [
      'its run was cancelled',
      { build: aBuild({ runConclusion: 'cancelled' }), closedBy: 'provider', recent: [base.build] },
      { state: 'incomplete', summary: 'incomplete: ui did not report before the build was closed' },
    ],
    [
      'its run ended well',
      {
        build: aBuild({ runConclusion: 'success' }),
        closedBy: 'provider',
        recent: [base.build],
        composed: { ...empty, measuredChanges: 0 },
      },
      { state: 'success' },
    ],
  ])('%s', (_, findings, expected) => {
    const result = conclude({ jobs: [], composed: empty, base, ...findings });
    expect(inWords(result.verdict)).toMatchObject(expected);
    expect(result).toMatchObject({ countedJobs: [], warnings: [] });
  });

  test('jobs that report nothing are judged by rule 4, whatever changed', () => {
    const result = conclude({ composed: { ...empty, measuredChanges: 0 }, base });
    expect(result.verdict).toMatchObject({ state: 'failure', rule: 'no-coverage-arrived' });
  });

  test('of carried flags only: their numbers', () => {
    const flags = [{ ...uploaded, kind: 'carried' } as const];
    const result = conclude({ jobs: [], composed: composed({ flags }), carried: [pick], base });
    expect(result).toMatchObject({
      totals: totals(80, 100),
      flags: [{ kind: 'carried' }],
      verdict: { state: 'success', rule: 'no-decrease' },
      countedJobs: [],
      warnings: [],
    });
  });
});
