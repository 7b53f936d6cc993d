import type { ExpectedJobs } from '../core/builds/build.ts';
import { counted } from '../core/sentences.ts';

export { counted };

/** With a capital, as a sentence begins. */
export function capitalise(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A clause as a sentence of its own. */
export function toSentence(clause: string): string {
  return `${capitalise(clause)}.`;
}

/** `3 of 5 jobs` */
export function arrivedOf({ arrived, jobs }: ExpectedJobs): string {
  return `${arrived} of ${counted(jobs, 'job')}`;
}
