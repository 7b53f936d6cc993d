import { type Counts, counted, type Texts } from '../runner/words.ts';
import type { FileHits } from './file-hits.ts';
import type { ReportBytes } from './report-bytes.ts';

/** What one report says, before its names are made repo-relative. */
export interface ParsedReport {
  /** One per name, as the report writes it. */
  readonly files: readonly FileHits[];
  /** Folders that the names may be relative to (Cobertura's `<source>`), as the report writes them. */
  readonly sources: readonly string[];
  /** By name: those that begin with a package. */
  readonly packaged?: ReadonlyMap<string, PackagedName>;
  /** Sentences for the log: what was unusual but not damaged. */
  readonly warnings: readonly string[];
  /** The names are Go's import paths, which the checkout's go.mod files map. */
  readonly importPaths?: boolean;
  /** The names are whole: the report tells the folder that each is relative to. */
  readonly isPlaced?: boolean;
}

/** A name that begins below a source root that the report does not tell (JaCoCo). */
export interface PackagedName {
  /** The modules that it is of, the outermost first. */
  readonly modules: readonly string[];
  /** Its package and file: `com/acme/Till.java`. */
  readonly path: string;
  /** What it may be instead: the report does not tell a trigger from a class (Salesforce). */
  readonly otherPath?: string;
}

/** One coverage format. */
export interface CoverageFormat {
  /** As the `format` input calls it. */
  readonly name: string;
  /** What the official coverage-reporter calls it, where that is another name. */
  readonly aliases?: readonly string[];
  /** Usual file names, as patterns for the last part of a path. */
  readonly globs: readonly string[];
  /** A report is of one source file, so that one without lines says nothing of the others. */
  readonly onePerSource?: boolean;
  /** Whether a file that begins like this is of the format. The text is the first 64 KiB, read as Latin-1. */
  matches(head: string): boolean;
  /**
   * Reads a whole report. Throws `ActionFailure` (`report-damaged`) with the file, the line and what was expected
   * there.
   */
  parse(report: ReportBytes): ParsedReport;
}

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
