import { describe, expect, test } from 'vitest';
import { aFlag, aResult, totals } from '../../../test/support/records.ts';
import type { BuildResult, FlagResult } from '../core/builds/build.ts';
import { checksOf, overallOf } from '../core/builds/build-checks.ts';
import { passes } from '../core/verdict/checks.ts';
import { judgeBuild, judgeMissingFlag } from '../core/verdict/judge-build.ts';
import { judgePatch } from '../core/verdict/judge-patch.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { checkQuery, checkRule, listTag, lookOfOverall, needsOf, overallPhrase, phraseText } from './check-words.ts';

const base = { number: '70', totals: totals(80, 100) };
const NONE = { minimum: null, allowedDrop: null };
const total = (covered: number, stated: Partial<FlagVerdict> = {}): Partial<BuildResult> => {
  const verdict = judgeBuild({ totals: totals(covered, 100), base, thresholds: NONE, unreported: [] });
  return {
    totals: totals(covered, 100),
    baseTotals: base.totals,
    verdict: { ...verdict, ...stated } as BuildResult['verdict'],
  };
};
const flag = (name: string, stated: Partial<FlagVerdict> = {}): FlagResult =>
  aFlag(name, { verdict: { ...aFlag(name).verdict, state: 'failure', ...stated } as FlagVerdict });
const group = (id: string, name: string): NonNullable<BuildResult['groups']>[number] => {
  const { totals: own, verdict } = flag(name);
  return {
    id,
    name,
    digest: '',
    totals: own ?? totals(0, 0),
    files: 1,
    touched: true,
    verdict,
    baseTotals: undefined,
    changes: undefined,
  };
};
const flags = (...names: readonly string[]) => names.map((name) => flag(name));
const patch = (covered: number): BuildResult['patch'] => {
  const verdict = judgePatch({ totals: totals(covered, 10), complete: true, minimum: 70 });
  const rest = { files: [], fileCount: 0, unmeasured: [], unmeasuredCount: 0, complete: true } as const;
  return { totals: totals(covered, 10), ...rest, verdict };
};
const acceptance = { by: 'jo', at: 0, reason: 'it goes', holds: true };

describe('all checks of a build in a sentence, as one shape, and in a list', () => {
  test.each<[string, Partial<BuildResult>, string, string, string?]>([
    ['all pass', { ...total(81), flags: [aFlag('api')] }, 'Passed. Coverage rose by 1.00 points.', 'ok'],
    ['nothing moved', total(80), 'Passed. Coverage is unchanged.', 'ok'],
    [
      'the total alone',
      { ...total(79), flags: [aFlag('api')] },
      'Failed. Coverage fell by 1.00 points, and no decrease is allowed.',
      'fail',
    ],
    ['a flag', { ...total(81), flags: flags('ui') }, 'Failed: flag `ui`. The total passes.', 'fail', '1 flag fails'],
    [
      'three',
      { ...total(79), patch: patch(6), flags: flags('ui') },
      'Failed: the total, changed lines, flag `ui`.',
      'fail',
      'total, changed lines and 1 flag fail',
    ],
    [
      'a group, by its name',
      { ...total(81), groups: [group('backend-api', 'Backend API')] },
      'Failed: group Backend API. The total passes.',
      'fail',
      '1 group fails',
    ],
    [
      'changed lines',
      { ...total(81), patch: patch(6) },
      'Failed: changed lines. The total passes.',
      'fail',
      'changed lines fail',
    ],
    [
      'two flags, the total accepted',
      { ...total(79, { accepted: true }), acceptance, flags: flags('a', 'b') },
      'Failed: flags `a` and `b`. The total was accepted.',
      'fail',
      '2 flags fail',
    ],
    [
      'many',
      { ...total(81), flags: [...flags('a', 'b', 'c', 'd'), aFlag('e')] },
      'Failed: 4 of 6 checks, first `a`. The total passes.',
      'fail',
      '4 flags fail',
    ],
    [
      'informational ones alone',
      { ...total(81), flags: [flag('ui', { informational: true })] },
      'Passed, but flag `ui` would fail.',
      'would',
      '1 flag would fail',
    ],
    ['an informational total', total(79, { informational: true }), 'Would fail: no decrease is allowed.', 'would'],
    [
      'accepted',
      { ...total(81), acceptance, flags: [flag('ui', { accepted: true })] },
      'Accepted by jo: “it goes”',
      'ok',
    ],
    [
      'incomplete, and a flag fails',
      { ...total(79, { state: 'incomplete' }), flags: flags('ui') },
      'Failed: flag `ui`. The total is incomplete.',
      'fail',
      'total and 1 flag fail',
    ],
  ])('%s', (_, stated, sentence, look, tag) => {
    const result = aResult(stated);
    expect(phraseText(overallPhrase(result, 'the base'))).toBe(sentence);
    expect(lookOfOverall(overallOf(result))).toBe(look);
    expect(listTag(overallOf(result))?.words).toBe(tag);
  });
});

test('the rule of a check, without its numbers', () => {
  const rule = (stated: Partial<BuildResult>) => checksOf(aResult(stated)).map(checkRule);
  const lastSeen = { number: '70', totals: totals(8, 10) };
  const missing = aFlag('e2e', { kind: 'missing', totals: undefined, verdict: judgeMissingFlag(lastSeen, true) });
  expect(rule({ ...total(79), patch: patch(6), flags: [missing] })).toEqual([
    'No decrease allowed',
    'At least 70%',
    'Must report',
  ]);
  const thresholds = { minimum: 80, allowedDrop: 0.5 };
  const verdict = judgeBuild({ totals: totals(70, 100), base, thresholds, unreported: [] });
  expect(rule({ verdict })).toEqual(['At least 80%, drop of at most 0.5 points']);
});

test('what several checks need together, unless covering helps one of them not', () => {
  const [, changes] = checksOf(aResult({ patch: patch(6) }));
  const [helpless] = checksOf(aResult(total(79)));
  expect(changes && needsOf([changes])).toBe('Cover 1 more line');
  expect(changes && helpless && needsOf([changes, helpless])).toBeUndefined();
});

test('a line that counts for several checks is one line', () => {
  const cause = (count: number) => ({ remedy: { count, of: 'lines' } }) as unknown as BuildResult['cause'];
  const ofFlag = (name: string, count: number) => ({ ...flag(name), cause: cause(count) });
  const failing = (stated: Partial<BuildResult>) => checksOf(aResult(stated)).filter((check) => !passes(check));
  const totalNeeds = { ...total(75), cause: cause(5) };
  expect(needsOf(failing({ ...totalNeeds, patch: patch(6) }))).toBe('Cover 5 more lines');
  expect(needsOf(failing({ ...total(81), flags: [ofFlag('a', 3), ofFlag('b', 4)] }))).toBe(
    'Cover at least 4 more lines',
  );
  expect(needsOf(failing({ ...totalNeeds, flags: [ofFlag('a', 3)] }))).toBe('Cover at least 5 more lines');
});

test('an address names a check by its id, percent-encoded', () => {
  expect(checkQuery('total')).toBe('check=total');
  expect(checkQuery('flag:a/b:c *&')).toBe('check=flag:a%2Fb:c%20%2A%26');
});
