import { expect, test } from 'vitest';
import { result } from '../../../../test/contract/records.ts';
import { effectiveRules, NO_FLOORS } from '../repo/repo-rules.ts';
import { DEFAULT_REPO_SETTINGS } from '../repo/settings.ts';
import type { BuildSummary } from './build-summary.ts';
import { previewVerdict } from './preview-verdict.ts';

const totals = (coveredLines: number) => ({ coveredLines, relevantLines: 100, coveredBranches: 0, branches: 0 });
const base = {
  buildId: 1,
  number: '1',
  commit: undefined,
  branch: 'main',
  rule: 'ancestor',
  commitsAway: 1,
  closeCount: 1,
};
const fell = (more: object = {}) =>
  ({ result: result({ totals: totals(79), baseTotals: totals(80), base: base as never, ...more }) }) as Pick<
    BuildSummary,
    'result'
  >;
const under = (settings: object, build = fell()) => {
  const sources = { settings: { ...DEFAULT_REPO_SETTINGS, ...settings }, floors: NO_FLOORS, at: 0, branch: undefined };
  const preview = previewVerdict(build, { rules: effectiveRules({ ...sources, file: undefined }) });
  return [preview?.verdict.state, preview?.verdict.rule, preview?.verdict.informational, preview?.patch];
};

test('thresholds are applied to the stored numbers', () => {
  expect(under({})).toEqual(['failure', 'no-decrease', undefined, undefined]);
  expect(under({ allowedDrop: 1 })).toEqual(['success', 'allowed-drop', undefined, undefined]);
  expect(under({ minimum: 79 })).toEqual(['success', 'minimum', undefined, undefined]);
  expect(under({ minimum: 79.01 })).toEqual(['failure', 'minimum', undefined, undefined]);
  expect(under({ informational: true })).toEqual(['failure', 'no-decrease', true, undefined]);
});

test('what no threshold decides stays', () => {
  expect(under({}, { result: undefined })).toEqual([undefined, undefined, undefined, undefined]);
  const incomplete = fell({ verdict: { ...result().verdict, state: 'incomplete', rule: 'incomplete' } });
  expect(under({ minimum: 99 }, incomplete).slice(0, 2)).toEqual(['incomplete', 'incomplete']);
});

test('a part that was left out of account is so while the settings say it', () => {
  const forgiven = { ...result().verdict, forgiven: { parts: ['removed'], subject: 'build' } };
  expect(under({ ignoreRemovedCode: true }, fell({ verdict: forgiven }))[0]).toBe('success');
  expect(under({}, fell({ verdict: forgiven }))[0]).toBe('failure');
});

test('changed lines are judged by their own minimum', () => {
  const build = fell({ patch: { totals: totals(50) } });
  expect([under({ patchMinimum: 50 }, build)[3], under({ patchMinimum: 51 }, build)[3]]).toEqual(['passes', 'fails']);
});

test('changed lines are judged by the total of the base', () => {
  const patch = (covered: number, more: object = {}) =>
    under({ patchMinimum: 'base' }, fell({ patch: { totals: totals(covered) }, ...more }))[3];
  expect([patch(80), patch(79), patch(1, { base: undefined })]).toEqual(['passes', 'fails', undefined]);
});
