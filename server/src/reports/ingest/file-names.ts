import { normaliseFileName } from '../../core/coverage/file-name.ts';
import { MAX_NAME_LENGTH } from '../codec/report-limits.ts';

/** What normaliseFileName would change, and what no store can hold: nearly no name has any of it. */
const UNUSUAL = /\\|\/\/|(?:^|\/)\.(?:\/|$)|\/$|[\ud800-\udfff]/;

/** A name as it is stored (rule 6), or undefined when it is empty or too long. */
export function cleanFileName(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const clean = UNUSUAL.test(name) ? normaliseFileName(name.toWellFormed()) : name;
  return clean === '' || clean === '/' ? undefined : clean;
}
