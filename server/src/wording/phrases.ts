export { counted } from '../messages/counted.ts';

/** With a capital, as a sentence begins. */
export function capitalise(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A clause as a sentence of its own. */
export function toSentence(clause: string): string {
  return `${capitalise(clause)}.`;
}
