import type { SQLOutputValue } from 'node:sqlite';

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
