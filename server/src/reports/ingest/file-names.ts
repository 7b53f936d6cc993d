import { normalizeFileName } from '../../core/coverage/file-name.ts';
import { MAX_NAME_LENGTH } from '../codec/report-limits.ts';

/** What normalizeFileName would change, and what no store can hold: nearly no name has any of it. */
const UNUSUAL = /\\|\/\/|(?:^|\/)\.(?:\/|$)|\/$|[\ud800-\udfff]/;

/** A name as it is stored (rule 6), or undefined when it is empty or too long. */
export function cleanFileName(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const clean = UNUSUAL.test(name) ? normalizeFileName(name.toWellFormed()) : name;
  return clean === '' || clean === '/' ? undefined : clean;
}
