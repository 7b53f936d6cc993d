import { describe, expect, test } from 'vitest';
import { extendRecord, type FlipRecord, newestBuilds } from './flip-record.ts';
import { flippingBlocks, lostSince } from './flipping-blocks.ts';

function recordOf(line: number, states: string, { arm, gap = 0 }: Partial<FlipRecord> = {}): FlipRecord {
  const empty: FlipRecord = { line, arm, gap, covered: 0n, known: 0n, proven: 0n };
  return [...states].reduce((record, one) => extendRecord(record, one === '?' ? undefined : one === '1', false), empty);
}

const among = newestBuilds(50);
const places = (records: readonly FlipRecord[]) =>
  flippingBlocks(records, among).map((block) =>
    block.records.map(({ line, arm }) => (arm === undefined ? line : `${line}:${arm.join(':')}`)),
  );

describe('flippingBlocks', () => {
  test('neighbors that flip together are one, others are not', () => {
    const [one, other] = ['1110111011', '1011110111'];
    expect(places([recordOf(3, one), recordOf(4, one), recordOf(5, other), recordOf(9, one)])).toEqual([
      [3, 4],
      [5],
      [9],
    ]);
  });

  test('lines that are not relevant do not part them', () => {
    const states = '1110111011';
    const records = [recordOf(1, states), recordOf(3, states, { gap: 1 }), recordOf(5, states)];
    expect(places(records)).toEqual([[1, 3], [5]]);
  });

  test('a line of very many branches is compared with few of them', () => {
    const statesOf = (arm: number): string => `${(arm + 1).toString(2).padStart(8, '0')}1010101011`;
    const arms = Array.from({ length: 100 }, (_, arm) => recordOf(3, statesOf(arm), { arm: [0, arm] }));
    const [first, last] = [0, 99].map((arm) => recordOf(4, statesOf(arm)));
    const found = places([...arms, first, last] as FlipRecord[]);
    expect(found).toHaveLength(101);
    expect(found.filter((block) => block.length > 1)).toEqual([['3:0:99', 4]]);
  });

  test('a branch belongs to the lines that flip as it does', () => {
    const [states, against] = ['1110111011', '0001000100'];
    const records = [
      recordOf(3, states),
      recordOf(3, states, { arm: [0, 0] }),
      recordOf(3, against, { arm: [0, 1] }),
      recordOf(4, states),
    ];
    expect(places(records)).toEqual([[3, '3:0:0', 4], ['3:0:1']]);
  });

  test('what never flipped is none, and what is lost no longer is', () => {
    expect(places([recordOf(1, '1111110111')])).toEqual([]);
    expect(places([recordOf(1, '11101110110')])).toEqual([[1]]);
    expect(places([recordOf(1, `${'1110'.repeat(8)}000000000`)])).toEqual([]);
  });
});

describe('lostSince', () => {
  // Builds in a row that chance makes once in a hundred times or less, by the share of covered builds before.
  test.each([
    [0.892, 45, 5, 3],
    [0.5, 20, 20, 7],
    [0.8, 32, 8, 3],
  ])('at %f: after that many missed builds in a row', (_, covered, missed, expected) => {
    const past = `${'1'.repeat(covered - 1) + '0'.repeat(missed)}1`;
    const rows = Array.from({ length: 12 }, (_row, at) => past + '0'.repeat(at + 1));
    const found = rows.findIndex(
      (states) => lostSince({ records: [recordOf(1, states)] }, newestBuilds(64)) !== undefined,
    );
    expect(found + 1).toBe(expected);
    const lost = { builds: expected, since: expected - 1 };
    expect(lostSince({ records: [recordOf(1, rows[found] as string)] }, newestBuilds(64))).toEqual(lost);
  });

  test('names the build in which the row began, whatever was not measured in between', () => {
    const records = [recordOf(1, `${'1'.repeat(19)}01?0??0?0`)];
    expect(lostSince({ records }, among)).toEqual({ builds: 3, since: 5 });
  });

  test('a line that is covered, or was never, is not lost', () => {
    expect(lostSince({ records: [recordOf(1, '0001')] }, among)).toBeUndefined();
    expect(lostSince({ records: [recordOf(1, '0000')] }, among)).toBeUndefined();
  });
});
