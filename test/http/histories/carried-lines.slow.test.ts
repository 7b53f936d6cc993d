import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCarriedHistory, contradictionsOf, playCarried } from '../../support/histories/carried-history.ts';
import { startStage } from '../../support/histories/stage.ts';
import { isWeekly } from '../../support/weekly.ts';

/** A git host of its own for every 50: each history posts dozens of statuses. One part in CI, three weekly. */
test.each(isWeekly ? [1, 2, 3] : [1])(
  '50 histories in which reports are carried, part %i',
  { timeout: 600_000 },
  async () => {
    const stage = await startStage();
    const seen = new Set<string>();
    try {
      await fc.assert(
        fc.asyncProperty(anyCarriedHistory, async (history) => {
          const played = await playCarried(stage, history);
          for (const { isAncestor, laid } of played.carried)
            seen.add(`${isAncestor ? 'since' : 'across'}, ${laid.size > 0 ? 'laid' : 'nothing'}`);
          expect(contradictionsOf(played)).toEqual([]);
        }),
        { numRuns: 50, endOnFailure: true },
      );
    } finally {
      await stage.end();
    }
    expect([...seen]).toEqual(expect.arrayContaining(['since, laid', 'across, laid']));
  },
);
