import { counted } from './counted.ts';
import type { Texts } from './values.ts';

// What is said about the audit log.
export const LOG_FORBIDDEN = 'Only administrators of this server may read the audit log.';

export function noSuchAction({ found, known }: Texts<'found' | 'known'>): string {
  return `There is no action ${found} in the audit log. Use one of ${known}.`;
}

export function timeWrong({ field, found }: Texts<'field' | 'found'>): string {
  return `${field} is ${found}, which is no time. Write it as 2026-11-22 or 2026-11-22T14:30:00Z.`;
}

export const AUDIT_USAGE = `Usage:
  npm run audit -- export [--since <time>] [--until <time>] [--repo <service>/<owner>/<name>]

Writes the audit log of the database that DATABASE_URL names to standard output: one JSON object a line, the oldest
first. Times are written as 2026-11-22 or 2026-11-22T14:30:00Z.`;

export const SAY_EXPORT = 'Say what is to be done: export.';

export function readsFrom(database: string): string {
  return `The audit log of ${database}`;
}

export function exported(entries: number): string {
  return `${counted(entries, 'entry', 'entries')} written.`;
}
