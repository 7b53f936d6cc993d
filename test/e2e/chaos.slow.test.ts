import { describe, expect, test } from 'vitest';
import { SHORT_ROUNDS } from '../support/chaos/round-size.ts';
import { ROUND_LIMIT, ROUND_TITLE, runShortRound } from '../support/chaos/short-round.ts';

describe(ROUND_TITLE, () => {
  test('one process on SQLite: nothing is lost, doubled, left pending or set back', {
    timeout: ROUND_LIMIT,
  }, async () => {
    const { jobs, builds } = SHORT_ROUNDS.sqlite;
    const tally = await runShortRound({ kind: 'sqlite' });
    expect(tally.findings).toEqual([]);
    expect(tally).toMatchObject({ jobs, builds });
    expect(tally.serverKills).toBeGreaterThan(0);
  });
});
