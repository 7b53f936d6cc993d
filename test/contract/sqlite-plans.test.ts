import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connect } from '../../server/src/storage/sqlite/connection.ts';
import { createSqliteStore } from '../../server/src/storage/sqlite/open-sqlite.ts';
import { askEverything } from './every-method.ts';

/**
 * Statements that are asked for a whole table, and read it in order of its ids, or look in a small one for somebody's
 * name who is erased.
 */
const WHOLE_TABLES = [
  /FROM repo_tokens ORDER BY id$/,
  /FROM personal_tokens ORDER BY id$/,
  /FROM host_apps ORDER BY service$/,
  /FROM history_imports ORDER BY repo_id$/,
  /FROM members WHERE record ->> '\$\.by' IN /,
  /FROM share_links WHERE record ->> '\$\.by' IN /,
];

/** The values that a statement was given, as a table. */
const LIST = /json_each VIRTUAL TABLE/;

let connection: Connection;
let statements: readonly string[];

beforeAll(async () => {
  const asked = connect({ path: ':memory:', busyTimeout: 0 });
  await askEverything(createSqliteStore(asked), async () => undefined);
  statements = [...asked.prepared];
  connection = connect({ path: ':memory:', busyTimeout: 0 });
});
afterAll(() => connection.close());

function plan(sql: string): readonly string[] {
  return connection
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}

describe('the query plan of every statement', () => {
  it('reads no table from end to end', () => {
    expect(statements.length).toBeGreaterThan(50);
    const scans = statements.filter((sql) => plan(sql).some((step) => step.startsWith('SCAN') && !LIST.test(step)));
    expect(scans.filter((sql) => !WHOLE_TABLES.some((whole) => whole.test(sql)))).toEqual([]);
    expect(scans).toHaveLength(WHOLE_TABLES.length);
  });

  it('sorts nothing but the few builds of a job id, of several commits, or that wait', () => {
    const sorted = statements.filter((sql) => plan(sql).some((step) => /TEMP B-TREE/.test(step)));
    expect(sorted.every((sql) => /IN \(SELECT (build_id FROM jobs|value FROM json_each)/.test(sql))).toBe(true);
  });

  it('finds by every condition of the history: an index on its scope and order', () => {
    const history = statements.filter((sql) => /:scope/.test(sql) && /:before/.test(sql));
    // For whole records, and for summaries.
    expect(history).toHaveLength(6);
    for (const sql of history) expect(plan(sql).join('\n')).toMatch(/scope=\?( AND base_rank=\?)? AND sequence<\?/);
  });
});
