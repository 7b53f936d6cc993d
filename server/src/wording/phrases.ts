import type { ExpectedJobs } from '../core/builds/build.ts';
import { printable } from '../core/printable.ts';
import { counted } from '../core/sentences.ts';
import type { Timestamp } from '../core/time.ts';
import type { MissingJobs } from '../core/verdict/reason.ts';

export { counted };

/** With a capital letter, as at the beginning of a sentence. */
export function capitalize(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A clause as a sentence of its own. */
export function toSentence(clause: string): string {
  return /[.?!]$/.test(clause) ? capitalize(clause) : `${capitalize(clause)}.`;
}

/** `3 of 5 jobs` */
export function arrivedOf({ arrived, jobs }: ExpectedJobs): string {
  return `${arrived} of ${counted(jobs, 'job')}`;
}

/** `1 of 2 jobs arrived`, `2 of 4 uploads of unit arrived` */
export function sayArrived({
  arrived,
  expected,
  stated,
}: Pick<MissingJobs, 'arrived' | 'expected' | 'stated'>): string {
  const ofFlag = stated?.flag === undefined ? '' : ` of ${printable(stated.flag, 40)}`;
  return `${arrived} of ${counted(expected, stated === undefined ? 'job' : 'upload')}${ofFlag} arrived`;
}

/** `2027-01-31`, in UTC. */
export function isoDay(time: Timestamp): string {
  return new Date(time).toISOString().slice(0, 10);
}
