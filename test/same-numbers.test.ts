import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numRuns } from './support/property-runs.ts';
import { anyHistory, tell } from './support/rendered-output/generated-close.ts';
import { expectEveryPattern, expectToBeRead, OF_150 } from './support/rendered-output/read-claims.ts';
import { claimsIn, findContradictions } from './support/rendered-output/told-claims.ts';

test('status, comment, page and JSON of a close speak of the same numbers, whatever happened before it', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      expect(findContradictions(tell(history))).toEqual([]);
    }),
    { numRuns: numRuns(1_000) },
  );
});

test('every number is really found in every place that states it', () => {
  const claims = fc
    .sample(anyHistory, { numRuns: 150, seed: 7 })
    .map((one) => tell(one))
    .flatMap(claimsIn);
  expectToBeRead(claims, OF_150);
  expectEveryPattern(claims);
});
