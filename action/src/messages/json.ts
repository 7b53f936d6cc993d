// What is said of a JSON report whose content is not what its format asks for: clauses that follow file and line.
import { expectedForm } from './damage.ts';

export function expected(what: string, found: string): string {
  return expectedForm(what, found);
}

/** What `expected` is given. */
export const WANTED = {
  name: 'a name in quotes',
  nothing: 'nothing after the end of the JSON',
  value: 'a value',
  file: 'the name of a source file',
  hits: 'a number of hits',
  partial: 'hits, or "1/2"',
  group: 'four numbers for each branch',
  ordered: 'segments in the order of their lines',
  branch: 'a branch like "[:if, 0, 10, 4, 10, 51]"',
} as const;
