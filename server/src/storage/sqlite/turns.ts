import type { Timestamp } from '../../core/time.ts';
import type { Connection } from './connection.ts';
import type { Row } from './records.ts';

interface Claim {
  readonly at: Timestamp;
  readonly limit: number;
  /** Repos of which none is taken. */
  readonly except?: readonly number[];
}

/** Before the first repo. */
const START = -1;

/**
 * Takes rows that may be claimed; `lease` ends that for each. If there are more than `limit`, repos take turns in a
 * cycle by their ids, so that a long row of one repo holds up no other.
 */
export function createTurns(prepare: Connection['prepare'], table: 'builds' | 'deliveries') {
  const columns = `SELECT id, repo_id, record FROM ${table}`;
  const longestDue = prepare(`${columns} WHERE claimable_at <= ? ORDER BY claimable_at, id LIMIT ?`);
  const nextRepo = prepare(
    `${columns} INDEXED BY ${table}_turn WHERE repo_id > ? AND claimable_at <= ? ` +
      'AND repo_id NOT IN (SELECT value FROM json_each(?)) ORDER BY repo_id, claimable_at, id LIMIT 1',
  );
  let last = START;
  return ({ at, limit, except = [] }: Claim, lease: (row: Row) => void): readonly Row[] => {
    const due: Row[] = longestDue.all(at, limit + 1);
    if (due.length <= limit && except.length === 0) {
      for (const row of due) lease(row);
      return due;
    }
    const left = JSON.stringify(except);
    const taken: Row[] = [];
    while (taken.length < limit) {
      const row: Row | undefined = nextRepo.get(last, at, left) ?? nextRepo.get(START, at, left);
      if (row === undefined) break;
      last = Number(row.repo_id);
      lease(row);
      taken.push(row);
    }
    return taken;
  };
}
