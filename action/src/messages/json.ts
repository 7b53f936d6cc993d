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

export function expectedLineNumber(most: number, found: string): string {
  return expected(`a line number up to ${most}`, found);
}

export function expectedValues(least: number, found: number): string {
  return expected(`${least} values`, String(found));
}

export const CUT_OFF_INSIDE = 'expected the end of a value, but the file ends inside it';

export const NO_JSON = 'expected JSON, but the file has none';

export function cutOff(kind: 'object' | 'array'): string {
  return `expected ${kind === 'object' ? '"}"' : '"]"'}, but the file ends`;
}

export const BROKEN_TEXT = 'expected a text in quotes as JSON writes it';

export function tooDeep(levels: number): string {
  return `expected at most ${levels} levels of nesting`;
}

export function wrongKind(key: string | number, kind: 'object' | 'array'): string {
  const under = key === '' ? '' : ` under ${JSON.stringify(key).slice(0, 80)}`;
  return `expected an ${kind}${under}`;
}

export const COVERAGE_PY_DATA =
  'expected JSON, got coverage.py\'s data file (.coverage); run "coverage lcov" or "coverage json" first';

export const UNPACK_FIRST = 'expected a whole gzip file of up to 16 MiB, 64 MiB unpacked; gunzip larger ones first';

export const LLVM_SUMMARY = 'expected "segments" in each file; run llvm-cov export without -summary-only';
