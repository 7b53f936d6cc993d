import { type Counts, counted, type Texts } from '../runner/words.ts';

const LONGEST_SHOWN = 80;

/** `form`: how the format writes it, such as `DA:<line>,<hits>`. */
export function expectedForm(form: string, found: string | undefined): string {
  return `expected ${form}, got ${found === undefined ? 'nothing' : shown(found)}`;
}

export function expectedLinesTo(max: number, found: string): string {
  return `expected line numbers up to ${max}, got ${shown(found)}`;
}

export function expectedBefore(form: string, record: string): string {
  return `expected ${form} before ${record}`;
}

export function wrongRoot(name: string, expected = 'coverage'): string {
  return `expected <${expected}>, got <${name}>`;
}

/** `first`: the line of the first of them, where it is known. */
export function negativeHits(path: string, { count, first }: Counts<'count'> & { readonly first?: number }): string {
  const where = first === undefined ? '' : `, the first at line ${first}`;
  return `${path}: ${counted(count, 'negative hit count')} taken as 0${where}`;
}

export function lineZeroLeftOut(path: string, { count, what }: Texts<'what'> & Counts<'count'>): string {
  return `${path}: ${counted(count, what)} for line 0 left out: there is no such line`;
}

export function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
