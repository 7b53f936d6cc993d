import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Connection } from './connection.ts';

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * The record of a row. Records are plain JSON values written by this program alone; keys whose value was undefined are
 * absent, which reads the same.
 */
export function readRecord<T>(row: Row | undefined): T | undefined {
  return row === undefined ? undefined : (JSON.parse(row.record as string) as T);
}

/** The records of rows, in their order. */
export function readRecords<T>(rows: readonly Row[]): readonly T[] {
  return rows.map((row) => JSON.parse(row.record as string) as T);
}

/** The text of a record's column. */
export function writeRecord(record: object): string {
  return JSON.stringify(record);
}

/** A query for records, with the values in the order of its question marks, or by name. */
export function selectRecords<T>({ prepare, read }: Connection, sql: string) {
  const statement = prepare(sql);
  return async (...values: readonly (SQLInputValue | Record<string, SQLInputValue>)[]): Promise<readonly T[]> =>
    read(() => readRecords<T>(statement.all(...(values as SQLInputValue[]))));
}

/** A query for one record. */
export function selectRecord<T>({ prepare, read }: Connection, sql: string) {
  const statement = prepare(sql);
  return async (...values: readonly SQLInputValue[]): Promise<T | undefined> =>
    read(() => readRecord<T>(statement.get(...values)));
}
