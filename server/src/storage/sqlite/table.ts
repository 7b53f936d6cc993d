import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Declaration, Field, Query, Scalar, Table, Units, Where, Work } from '../table.ts';
import type { Connection } from './connection.ts';
import type { Row } from './records.ts';
import { PRESENT } from './repo-rows.ts';

type Values = readonly SQLInputValue[];

/** A part of a statement, with the values of its question marks. */
interface Part {
  readonly sql: string;
  readonly values: Values;
}

/** The table of a declaration. Its statements are prepared when they are first asked, and kept. */
export function createTable<R, D>(
  { prepare }: Pick<Connection, 'prepare'>,
  declared: Declaration<R, string, D>,
): Table<R, D> {
  const { name, key, hidden, ofRepo, complete = (record: R) => record } = declared;
  const { columnOf, valuesOf, readRow, statements } = formOf(declared);
  const always = hidden ? PRESENT : '';
  const kept = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const found = kept.get(sql) ?? prepare(sql);
    kept.set(sql, found);
    return found;
  };
  const run = (sql: string, values: Values): number => Number(statement(sql).run(...values).changes);
  const select = (query: Query<R & D>): readonly R[] => {
    const { sql, values } = queryOf({ by: key, ...query }, columnOf, always);
    const rows = statement(`${statements.select}${sql}`).all(...values);
    return rows.map((row) => complete(readRow(row)));
  };
  const one = (where: Where<R & D>): R | undefined => {
    const { sql, values } = conditionsOf(where, columnOf);
    const row = statement(`${statements.select}${allOf([sql, always])}`).get(...values);
    return row && complete(readRow(row));
  };
  const put = (record: R): boolean => {
    const { repoId = null } = record as { readonly repoId?: number };
    const isThere = !ofRepo || statement(`SELECT 1 FROM repos WHERE id = ? AND ${PRESENT}`).get(repoId) !== undefined;
    return isThere && run(statements.put, valuesOf(record)) > 0;
  };
  const update = (before: R, after: R): boolean =>
    run(statements.update, [...valuesOf(after).slice(key.length), ...valuesOf(before).slice(0, key.length)]) > 0;
  const change = (values: readonly Scalar[], to: (record: R | undefined) => R | undefined): R | undefined => {
    const before = one(Object.fromEntries(key.map((field, at) => [field, values[at]])) as Where<R & D>);
    const after = to(before);
    if (after === undefined) return undefined;
    return (before === undefined ? put(after) : update(before, after)) ? after : undefined;
  };
  const set = (where: Where<R & D>, fields: object): number =>
    select({ where, by: [] }).filter((before) => update(before, { ...before, ...fields })).length;
  const remove = (where: Where<R & D>): number => {
    const { sql, values } = conditionsOf(where, columnOf);
    return run(`DELETE FROM ${name}${allOf([sql, always])}`, values);
  };
  return {
    one: (where) => now(() => one(where)),
    list: (query = {}) => now(() => select(query)),
    count: () => now(() => Number(statement(`SELECT count(*) AS n FROM ${name}`).get()?.n)),
    insert: (record) => now(() => run(statements.insert, valuesOf(record)) > 0),
    put: (record) => now(() => put(record)),
    change: (values, to) => now(() => change(values, to)),
    set: (where, fields) => now(() => set(where, fields)),
    remove: (where) => now(() => remove(where)),
  };
}

// biome-ignore lint/correctness/useYield: a transaction waits for nothing.
export function* now<T>(work: () => T): Work<T> {
  return work();
}

/** The tables of a connection, read apart from any unit. */
export function createTables(connection: Connection): Pick<Units, 'table' | 'read'> {
  return {
    table: (declared) => createTable(connection, declared),
    read: async (work) => connection.read(() => finish(work())),
  };
}

/** What the work of a unit answers, all of it at once. */
export function finish<T>(work: Work<T>): T {
  return work.next().value as T;
}

/** How a row has a record, and what it is found by. */
function formOf<R, D>({ name, key, columns = [], derived, flat }: Declaration<R, string, D>) {
  const named = (derived ?? {}) as Readonly<Record<string, (record: R) => unknown>>;
  const names: readonly string[] = [...key, ...columns, ...Object.keys(named)];
  const read = (record: R, field: string): SQLInputValue => {
    const value = named[field] === undefined ? record[field as keyof R] : named[field](record);
    return (value as SQLInputValue | undefined) ?? null;
  };
  const snake = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known = new Map(names.map((field) => [field, snake(field)]));
  const columnOf = (field: string): string => known.get(field) ?? `record ->> '$.${field}'`;
  const all = [...names.map(columnOf), ...(flat ? [] : ['record'])];
  const [keys, others] = [all.slice(0, key.length), all.slice(key.length)];
  const each = (some: readonly string[], part: (column: string) => string, between = ', ') =>
    some.map(part).join(between);
  const insert = `INSERT INTO ${name} (${all.join(', ')}) VALUES (${each(all, () => '?')})`;
  const shown = flat ? each(names, (field) => `${columnOf(field)} AS "${field}"`) : 'record';
  const replaced = each(others, (column) => `${column} = excluded.${column}`);
  const isKey = each(keys, (column) => `${column} = ?`, ' AND ');
  return {
    columnOf,
    statements: {
      select: `SELECT ${shown} FROM ${name}`,
      insert: `${insert} ON CONFLICT DO NOTHING`,
      put: `${insert} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${replaced}`,
      update: `UPDATE OR IGNORE ${name} SET ${each(others, (column) => `${column} = ?`)} WHERE ${isKey}`,
    },
    valuesOf: (record: R): Values => [
      ...names.map((field) => read(record, field)),
      ...(flat ? [] : [JSON.stringify(record)]),
    ],
    readRow: (row: Row): R =>
      flat
        ? (Object.fromEntries(Object.entries(row).map(([field, value]) => [field, value ?? undefined])) as R)
        : (JSON.parse(row.record as string) as R),
  };
}

const OPERATORS = {
  above: '> ?',
  atLeast: '>= ?',
  below: '< ?',
  atMost: '<= ?',
  not: '<> ?',
  in: 'IN (SELECT value FROM json_each(?))',
} as const;

/** `order`: the fields whose index gives the order, so that no range of another may choose an index of its own. */
function conditionsOf<R>(where: Where<R>, columnOf: (field: string) => string, order: readonly string[] = []): Part {
  const values: SQLInputValue[] = [];
  let sql = '';
  // Loops: this text is made for every question.
  for (const field in where) {
    const condition = where[field as Field<R>];
    if (condition === undefined) continue;
    const column = columnOf(field);
    if (typeof condition !== 'object') {
      sql += `${sql && ' AND '}${column} = ?`;
      values.push(condition);
      continue;
    }
    const ranges: Readonly<Record<string, Scalar | readonly Scalar[]>> = condition;
    for (const name in ranges) {
      const value = ranges[name] ?? '';
      const free = order.length === 0 || order.includes(field) || name === 'in' ? '' : '+';
      sql += `${sql && ' AND '}${free}${column} ${OPERATORS[name as keyof typeof OPERATORS]}`;
      values.push(typeof value === 'object' ? JSON.stringify(value) : value);
    }
  }
  return { sql, values };
}

/** `always`: a condition of the table. */
function queryOf<R>(query: Query<R>, columnOf: (field: string) => string, always: string): Part {
  const { where = {}, by = [], newestFirst = false, after = [], skip = 0, limit = -1 } = query;
  const found = conditionsOf(where, columnOf, by);
  const sorted = by.map(columnOf);
  const marks = sorted.map(() => '?').join(', ');
  const beyond = after.length === 0 ? '' : `(${sorted.join(', ')}) ${newestFirst ? '<' : '>'} (${marks})`;
  const order = newestFirst ? sorted.map((column) => `${column} DESC`) : sorted;
  const part = limit < 0 && skip === 0 ? [] : [limit, skip];
  return {
    sql:
      allOf([found.sql, beyond, always]) +
      (order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '') +
      (part.length > 0 ? ' LIMIT ? OFFSET ?' : ''),
    values: [...found.values, ...after, ...part],
  };
}

function allOf(conditions: readonly string[]): string {
  const some = conditions.filter((condition) => condition !== '').join(' AND ');
  return some && ` WHERE ${some}`;
}
