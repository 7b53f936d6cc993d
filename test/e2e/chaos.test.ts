import { describe, expect, test } from 'vitest';
import { ROUND_LIMIT, ROUND_TITLE, runShortRound } from '../support/chaos/short-round.ts';

describe(ROUND_TITLE, () => {
  test('one process on SQLite: nothing is lost, doubled, left pending or set back', {
    timeout: ROUND_LIMIT,
  }, async () => {
    const tally = await runShortRound({ kind: 'sqlite' });
    expect(tally.findings).toEqual([]);
    expect(tally).toMatchObject({ jobs: 200, builds: 20 });
    expect(tally.serverKills).toBeGreaterThan(0);
  });
});
