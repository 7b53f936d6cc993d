import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { aClosedBuild, aResult, totals } from '../../../../test/support/records.ts';
import type { Build, BuildResult } from '../../core/builds/build.ts';
import { judgeBuild } from '../../core/verdict/judge-build.ts';
import { openGraphOf } from './open-graph.ts';

const ADDRESS = 'https://ci.example/builds/71';
const of = (result: Partial<BuildResult> | undefined, build: Partial<Build> = {}) =>
  openGraphOf(
    { build: aClosedBuild({ result: result && aResult(result), ...build }), repo: { name: 'acme/shop' } },
    GITHUB.terms,
    ADDRESS,
  );
const failure = (): Partial<BuildResult> => {
  const [now, before] = [totals(78, 100), totals(80, 100)];
  const thresholds = { minimum: null, allowedDrop: null };
  const verdict = judgeBuild({ totals: now, base: { number: '70', totals: before }, thresholds, unreported: [] });
  return { totals: now, baseTotals: before, verdict };
};
const withVerdict = (stated: Partial<BuildResult['verdict']>): Partial<BuildResult> =>
  ({ ...failure(), verdict: { ...failure().verdict, ...stated } }) as Partial<BuildResult>;
const colorOf = (graph: { readonly favicon: string }): string | undefined =>
  /fill="(#[0-9a-f]{6})"/.exec(decodeURIComponent(graph.favicon))?.[1];

describe('what a link to a build shows', () => {
  test('number, change and verdict, with the names that people know', () => {
    expect(of(failure(), { message: 'Take coupons\n\nAll of them.', pullRequest: 7 })).toMatchObject({
      title: '78.00%, −2.00 points · Take coupons ccccccc · acme/shop #7',
      description: 'Failure: Coverage is 78.00%, −2.00 points from 80.00% in build 70: no decrease allowed.',
      address: ADDRESS,
    });
  });

  test.each<[string, Partial<BuildResult> | undefined, RegExp, string]>([
    ['success', {}, /^80\.00% · ccccccc · acme\/shop\nSuccess: /, '#2f9e7d'],
    ['failure', failure(), /^78\.00%, −2\.00 points/, '#d9622f'],
    ['an accepted failure', withVerdict({ accepted: true }), /^78\.00%/, '#2f9e7d'],
    ['informational', withVerdict({ informational: true }), /^78\.00%/, '#b57d00'],
    ['incomplete: no drop', withVerdict({ state: 'incomplete' }), /^Coverage is incomplete · /, '#b57d00'],
    ['error', withVerdict({ state: 'error' }), /^Coverage could not be calculated · /, '#d9622f'],
    ['pending', undefined, /^Coverage is pending · .*\nThis build is waiting for jobs/, '#7a828e'],
  ])('%s', (_, result, words, color) => {
    const graph = of(result);
    expect(`${graph.title}\n${graph.description}`).toMatch(words);
    expect(colorOf(graph)).toBe(color);
    expect(graph.favicon).toMatch(/^data:image\/svg\+xml,%3Csvg[^"'<>\s]*$/);
  });

  test('who accepted it, and why', () => {
    const acceptance = { by: 'mona', at: 5, reason: 'it goes', holds: true };
    expect(of({ ...withVerdict({ accepted: true }), acceptance }).description).toMatch(
      /^Failure, accepted by mona: it goes: Coverage is /,
    );
  });

  test('texts of uploads are short and in one line', () => {
    const { title, description } = of(failure(), { message: `a\u202eb ${'x'.repeat(500)}`, number: 'n'.repeat(500) });
    expect(title.length).toBeLessThanOrEqual(200);
    expect(description.length).toBeLessThanOrEqual(300);
    expect(title).toContain('a\\u202eb');
    expect(of(failure(), { commit: undefined, number: '71' }).title).toMatch(/points · build 71 · acme\/shop$/);
  });
});
