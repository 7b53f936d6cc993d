/** `1 line`, `2 lines` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** With a capital, as a sentence begins. */
export function capitalise(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A clause as a sentence of its own. */
export function toSentence(clause: string): string {
  return `${capitalise(clause)}.`;
}
