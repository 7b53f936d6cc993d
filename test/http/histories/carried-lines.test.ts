import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyCarriedHistory, contradictionsOf, playCarried } from '../../support/histories/carried-history.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

/** carried-lines.slow.test.ts tries 150. */
test('a carried line is one of the text that it was made from, and everything says its numbers', async () => {
  await fc.assert(
    fc.asyncProperty(anyCarriedHistory, async (history) => {
      const played = await playCarried(stage, history);
      expect(played.carried.length).toBeGreaterThan(0);
      expect(contradictionsOf(played)).toEqual([]);
    }),
    { numRuns: 5, endOnFailure: true },
  );
}, 60_000);
