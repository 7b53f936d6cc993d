import type { Connection } from './connection.ts';
import type { NoteDocument } from './documents.ts';
import { later, notAfter } from './server-time.ts';
import { tablesOf } from './table.ts';

/** Takes the lease of a note for this many ms. False: another instance has it, or there is no such note. */
export function leaseNote(connection: Connection, _id: NoteDocument['_id'], lease: number): Promise<boolean> {
  const now = connection.serverTime();
  const isFree = { $or: [{ leaseUntil: { $exists: false } }, notAfter('leaseUntil', now)] };
  return tablesOf(connection).notes.update({ _id, ...isFree }, [{ $set: { leaseUntil: later(now, lease) } }]);
}
