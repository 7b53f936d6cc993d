import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from './support/property-runs.ts';
import { anyHistory, anyRules, tell } from './support/rendered-output/generated-close.ts';
import { overallClaims } from './support/rendered-output/overall-claims.ts';

test('statuses, page, tab, list, comment and JSON name one overall state and the same failing checks', () => {
  fc.assert(
    fc.property(anyHistory, anyRules, (history, rules) => {
      const claims = overallClaims(tell(history, rules));
      expect(claims.filter(({ said, known }) => said !== known)).toEqual([]);
    }),
    { numRuns: numRuns(300) },
  );
});

test('every state is met, by each kind of check, and so is what was accepted or informs alone', () => {
  const drawn = fc.sample(fc.tuple(anyHistory, anyRules), { numRuns: 300, seed: 7 });
  const met = new Set(
    drawn.flatMap(([history, rules]) => {
      const { overall } = tell(history, rules).json;
      if (overall === undefined) return [];
      const { state, failing, would_fail, accepted } = overall;
      return [state, ...failing, ...would_fail.map((id) => `would fail: ${id}`), ...(accepted ? ['accepted'] : [])];
    }),
  );
  const kinds = ['success', 'failure', 'incomplete', 'accepted', 'total', 'changes', 'flag:unit', 'flag:api'];
  expect([...met]).toEqual(expect.arrayContaining([...kinds, 'would fail: flag:api', 'would fail: total']));
});
