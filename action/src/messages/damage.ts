// What is said of a report whose content is not what its format asks for.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

const LONGEST_SHOWN = 80;

export function tooLong(path: string): string {
  return `${path}: a line or tag is longer than 64 MiB. This is not a coverage report.`;
}

/** `expected`: one of the clauses below. */
export function damaged(path: string, { line, expected }: Texts<'expected'> & Counts<'line'>): string {
  return `${path}, line ${line}: ${expected}. The report is damaged: check how it was written, or make it again.`;
}

/** `form`: how the format writes it, such as `DA:<line>,<hits>`. */
export function expectedForm(form: string, found: string | undefined): string {
  return `expected ${form}, got ${found === undefined ? 'nothing' : shown(found)}`;
}

export function expectedLine(record: string, { most, found }: Texts<'found'> & Counts<'most'>): string {
  return `expected a line number up to ${most} after ${record}:, got ${shown(found)}`;
}

/** The head of a listing of Devel::Cover with its statements. */
export const STATEMENT_COLUMNS = 'line err stmt ... code';

export function expectedLinesTo(most: number, found: string): string {
  return `expected line numbers up to ${most}, got ${shown(found)}`;
}

export const GCOV_NAME_MISSING = 'expected the name of a source file after Source:, got nothing';

export function sourceFileMissing(id: string): string {
  return `expected <source_file id=${shown(id)}> in the module, as a <range> names it`;
}

export const LISTING_NAME_MISSING = 'expected "<file> is <number>% covered" behind the listing, but the file ends';

export const LLVM_NAME_MISSING =
  'expected "<file>:" before the lines; of one file llvm-cov leaves it out: run "llvm-cov export" instead';

export function expectedBefore(form: string, record: string): string {
  return `expected ${form} before ${record}`;
}

export function recordCutOff(line: number): string {
  return `expected end_of_record for the record that begins at line ${line}, but the file ends`;
}

export function recordNotEnded(line: number): string {
  return `expected end_of_record before the next SF:, for the record that begins at line ${line}`;
}

export const NAME_MISSING = 'expected the name of a source file after SF:, got nothing';

export const SUMMARY_MISSING = 'expected the Summary behind the files, but the file ends';

export const TAG_CUT_OFF = 'expected the end of a tag, but the file ends inside it';

export const NO_ELEMENT = 'expected an XML element, but the file has none';

export const ELEMENT_NAME_MISSING = 'expected the name of an element after <';

export const SLASH_INSIDE = 'expected > after / in a tag';

export const ATTRIBUTE_BROKEN = 'expected name="value" in the tag';

export const QUOTE_MISSING = 'expected a quote around the value of an attribute';

export const QUOTE_OPEN = 'expected the closing quote of an attribute before <';

export function elementCutOff(name: string): string {
  return `expected </${name}>, but the file ends`;
}

/** `open`: the element that is open there; undefined where none is. */
export function wrongEnd(name: string, open: string | undefined): string {
  return open === undefined ? `expected no </${name}> here: nothing is open` : `expected </${open}>, got </${name}>`;
}

export function afterRoot(name: string): string {
  return `expected nothing after the root element, got <${name}>`;
}

export const INSTRUCTIONS_MISSING =
  'expected mi="..." and ci="..." on <line>; gcovr does not write them, let it write --cobertura or --lcov';

export function wrongRoot(name: string, expected = 'coverage'): string {
  return `expected <${expected}>, got <${name}>`;
}

/** `first`: the line of the first of them, where it is known. */
export function negativeHits(path: string, { count, first }: Counts<'count'> & { readonly first?: number }): string {
  const where = first === undefined ? '' : `, the first at line ${first}`;
  return `${path}: ${counted(count, 'negative hit count')} taken as 0${where}`;
}

export function lineZero(path: string, { count, what }: Texts<'what'> & Counts<'count'>): string {
  return `${path}: ${counted(count, what)} for line 0 left out: there is no such line`;
}

export function branchesUncounted(path: string, lines: number): string {
  return (
    `${path}: the branches of ${counted(lines, 'line')} are left out: condition-coverage does not count them, as in ` +
    '"50% (1/2)"'
  );
}

export function branchesWithoutLine(path: string, branches: number): string {
  return `${path}: ${counted(branches, 'branch', 'branches')} left out: the report does not say on which line`;
}

export function unknownRecords(path: string, { count, first }: Counts<'count' | 'first'>): string {
  return `${path}: skipped ${counted(count, 'line')} that no LCOV record begins with, the first is line ${first}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
