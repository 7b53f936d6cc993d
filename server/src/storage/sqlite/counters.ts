import type { CounterName } from '../table.ts';
import type { Connection } from './connection.ts';

/** Gives the next number of a counter, from 1. Only inside a write; a rolled back write takes its number back. */
export type NextId = (counter: CounterName) => number;

/** Binds the counters of one connection. */
export function createCounters(connection: Pick<Connection, 'prepare'>): NextId {
  const next = connection.prepare(
    'INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 ' +
      'RETURNING value',
  );
  return (counter) => Number(next.get(counter)?.value);
}
