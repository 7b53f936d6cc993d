import { describe, expect, test } from 'vitest';
import { aFlag, aResult, totals } from '../../../test/support/records.ts';
import type { BuildResult, FlagResult } from '../core/builds/build.ts';
import { judgeBuild, judgeFlag } from '../core/verdict/judge-build.ts';
import { overallStatus } from './overall-status.ts';

const NONE = { minimum: null, allowedDrop: null };
const base = (covered: number) => ({ number: '70', totals: totals(covered, 100) });
const total = (covered: number, stated: object = {}): Partial<BuildResult> => {
  const judged = { totals: totals(covered, 100), base: base(80), thresholds: NONE, unreported: [] };
  const cause = { mainPart: undefined, split: undefined, remedy: { count: 96, of: 'lines' } } as const;
  const verdict = { ...judgeBuild(judged), ...stated } as BuildResult['verdict'];
  return { totals: judged.totals, baseTotals: base(80).totals, verdict, ...(covered < 80 && { cause }) };
};
const flag = (name: string, covered: number, stated: object = {}): FlagResult => {
  const judged = { totals: totals(covered, 100), base: base(75), thresholds: NONE };
  const cause = { mainPart: undefined, split: undefined, remedy: { count: 4, of: 'lines' } } as const;
  const verdict = { ...judgeFlag(judged), ...stated } as FlagResult['verdict'];
  return aFlag(name, { totals: judged.totals, baseTotals: base(75).totals, verdict, cause });
};
const falling = (...names: readonly string[]) => names.map((name) => flag(name, 74));
const say = (result: Partial<BuildResult>, room = 140): string => {
  const { state, description } = overallStatus(aResult(result), { url: '/', room });
  return `${state}: ${description}`;
};

describe('the status that stands for all checks', () => {
  test.each<[string, Partial<BuildResult>, string]>([
    ['the total alone, as ever', total(81), 'success: 81.00%, +1.00 points from 80.00%'],
    ['the total alone fails', { ...total(79), flags: [flag('api', 75)] }, 'failure: 79.00%, −1.00 points from 80.00%'],
    ['all pass', { ...total(81), flags: [flag('api', 76)] }, 'success: 81.00% (+1.00 points). All 2 checks pass.'],
    [
      'a flag fails',
      { ...total(81), flags: falling('pages') },
      'failure: Failed: flag pages 74.00% (−1.00). Total 81.00% (+1.00) passes. Cover 4 more lines.',
    ],
    [
      'three fail',
      { ...total(81), flags: falling('a', 'b', 'c') },
      'failure: Failed: a, b, c. Total 81.00% (+1.00) passes. Cover at least 4 more lines.',
    ],
    [
      'many fail',
      { ...total(81), flags: falling('a', 'b', 'c', 'd') },
      'failure: Failed: 4 of 5 checks, first a 74.00% (−1.00). Total 81.00% (+1.00) passes.',
    ],
    [
      'the total and others fail',
      { ...total(79), flags: falling('unit', 'pages') },
      'failure: Failed: total 79.00% (−1.00), no decrease allowed. Also fail: unit, pages. Cover 96 more lines.',
    ],
    [
      'an informational one alone',
      { ...total(81), flags: [flag('ui', 74, { informational: true })] },
      'success: 81.00% (+1.00 points). Flag ui would fail (informational).',
    ],
    [
      'a flag fails, the total only informs',
      { ...total(79, { informational: true }), flags: falling('ui') },
      'failure: Failed: flag ui 74.00% (−1.00). Cover 4 more lines.',
    ],
    [
      'something did not report, the total only informs',
      {
        ...total(79, {
          ...{ state: 'incomplete', rule: 'incomplete', informational: true },
          reason: { kind: 'incomplete', flags: ['ui'] },
        }),
        flags: [flag('ui', 74, { state: 'incomplete', rule: 'incomplete' })],
      },
      'error: incomplete: ui did not report before the build was closed',
    ],
    [
      'four informational ones',
      { ...total(81), flags: falling('a', 'b', 'c', 'd').map((one) => informs(one)) },
      'success: 81.00% (+1.00 points). 4 flags would fail (informational).',
    ],
    [
      'accepted',
      {
        ...total(81),
        flags: [flag('ui', 74, { accepted: true })],
        acceptance: { by: 'jo', at: 0, reason: 'it goes', holds: true },
      },
      'success: 81.00% (+1.00 points). Accepted by jo: it goes.',
    ],
  ])('%s', (_, result, expected) => {
    expect(say(result)).toContain(expected);
  });

  test('says less if there is less room, and drops what fails last', () => {
    const names = ['integration-postgres-16-ubuntu', 'integration-mysql-8', 'storage-clickhouse'];
    const result = { ...total(81), flags: falling(...names) };
    const whole = `failure: Failed: ${names.join(', ')}. Total 81.00% (+1.00) passes.`;
    expect(say(result)).toBe(`${whole} Cover at least 4 more lines.`);
    expect(say(result, 120)).toBe(whole);
    expect(say(result, 90)).toBe(`failure: Failed: ${names.join(', ')}.`);
    expect(say(result, 70)).toBe(`failure: Failed: 3 of 4 checks, first ${names[0]}.`);
    const hostile = { ...total(81), flags: falling('x'.repeat(500)) };
    expect(say(hostile).length).toBeLessThanOrEqual('failure: '.length + 140);
  });
});

function informs(flag: FlagResult): FlagResult {
  return { ...flag, verdict: { ...flag.verdict, informational: true } };
}
