import { statSync } from 'node:fs';
import { posix, relative, resolve } from 'node:path';
import { ActionFailure } from '../failure.ts';
import type { CoverageFormat } from '../formats/coverage-format.ts';
import { FORMAT_NAMES, FORMATS, recognise } from '../formats/formats.ts';
import { readHead, withReportFile } from '../formats/report-bytes.ts';
import type { Log } from '../log.ts';
import { isGlob, parseGlob } from './glob.ts';
import { walkFiles } from './walk-files.ts';

/** A file that was taken for a report. */
export interface FoundReport {
  readonly absolute: string;
  /** Relative to the workspace where it lies inside, with `/`; for messages. */
  readonly path: string;
  readonly format: CoverageFormat;
}

/** What to look for. */
export interface ReportSearch {
  readonly workspace: string;
  /** Paths or patterns, relative to the workspace; none: the usual names of all formats. */
  readonly patterns: readonly string[];
  /** Undefined: the content decides. */
  readonly format: CoverageFormat | undefined;
  /** Nothing found, or an empty file, is no failure. */
  readonly allowEmpty: boolean;
}

interface Candidate {
  readonly absolute: string;
  readonly path: string;
  /** Asked for by its very name: then it has to be a report. */
  readonly named: boolean;
}

/**
 * Finds the reports, sorted by path, and says in the log which file was taken for what and which was not understood.
 * Throws `report-missing` where there is none, with all that was looked for; `report-not-understood` for a named file
 * of an unknown format.
 */
export function findReports(search: ReportSearch, log: Log): FoundReport[] {
  const isSearch = search.patterns.length === 0;
  const candidates = isSearch
    ? usualFiles(search)
    : search.patterns.flatMap((pattern) => filesOf(pattern, search, log));
  const unique = [...new Map(candidates.map((file) => [file.absolute, file])).values()];
  const recognised = unique.flatMap((file) => recogniseFile(file, search, log));
  const reports = isSearch ? onePerFolder(recognised, log) : recognised;
  if (reports.length === 0 && !search.allowEmpty) throw nothingFound(search, unique.length);
  for (const report of reports) log.info(`Report: ${report.path} (${report.format.name})`);
  return reports.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function usualFiles({ workspace, format }: Pick<ReportSearch, 'workspace' | 'format'>): Candidate[] {
  const globs = (format === undefined ? FORMATS : [format]).flatMap((known) => known.globs).map(parseGlob);
  return walkFiles(workspace)
    .filter((path) => globs.some((glob) => glob.matches(posix.basename(path))))
    .map((path) => ({ absolute: resolve(workspace, path), path, named: false }))
    .filter(({ absolute }) => isFile(absolute));
}

function filesOf(pattern: string, { workspace, allowEmpty }: ReportSearch, log: Log): Candidate[] {
  const absolute = resolve(workspace, pattern);
  if (isFile(absolute)) return [{ absolute, path: shownPath(workspace, absolute), named: true }];
  if (!isGlob(pattern)) {
    const problem = `There is no file ${pattern} in ${workspace}.`;
    if (!allowEmpty) throw new ActionFailure('report-missing', `${problem}${usualFilesHint(workspace)}`);
    log.info(`${problem} Taken as empty: allow-empty is set.`);
    return [];
  }
  const slashed = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const glob = parseGlob(slashed);
  const folder = resolve(workspace, glob.folder);
  const prefix = glob.folder === '' ? '' : `${glob.folder.replace(/\/$/, '')}/`;
  return walkFiles(folder)
    .filter((path) => glob.matches(prefix + path))
    .map((path) => ({
      absolute: resolve(folder, path),
      path: shownPath(workspace, resolve(folder, path)),
      named: false,
    }))
    .filter((file) => isFile(file.absolute));
}

function recogniseFile(file: Candidate, { format, allowEmpty }: ReportSearch, log: Log): FoundReport[] {
  const head = withReportFile(file, readHead);
  if (format !== undefined && head.trim() !== '') return [{ ...file, format }];
  const found = recognise(head);
  if (found.format !== undefined) return [{ ...file, format: found.format }];
  const isEmpty = head.trim() === '';
  if (!file.named || (isEmpty && allowEmpty)) {
    log.info(`Not a report: ${file.path}: ${found.reason}`);
    return [];
  }
  throw new ActionFailure(
    isEmpty ? 'report-empty' : 'report-not-understood',
    `${file.path} can not be read as coverage: ` +
      `${found.reason}.${isEmpty ? ' Check that the tests ran with coverage on.' : ''}`,
  );
}

/**
 * A tool that writes one run in two formats puts both into one folder: read together, each branch would count twice.
 */
function onePerFolder(reports: readonly FoundReport[], log: Log): FoundReport[] {
  const formats = new Map<string, CoverageFormat>();
  for (const format of FORMATS) {
    for (const report of reports) {
      const folder = posix.dirname(report.path);
      if (report.format === format && !formats.has(folder)) formats.set(folder, format);
    }
  }
  return reports.filter((report) => {
    const taken = formats.get(posix.dirname(report.path));
    if (taken !== report.format) {
      log.info(
        `Not taken: ${report.path} (${report.format.name}): its folder holds ${taken?.name} too. Name it in ` +
          '"file" to have it.',
      );
    }
    return taken === report.format;
  });
}

function nothingFound({ workspace, patterns, format }: ReportSearch, candidates: number): ActionFailure {
  const formats = format === undefined ? FORMATS : [format];
  const searched =
    patterns.length > 0
      ? patterns.join(', ')
      : formats.map((known) => `${known.globs.map((glob) => `**/${glob}`).join(', ')} (${known.name})`).join(', ');
  const skipped = patterns.length > 0 ? '' : ' node_modules, vendor and .git were left out.';
  const outcome =
    candidates > 0 ? `none of the ${candidates} files found could be read as coverage` : 'no such file was found';
  const hint = patterns.length > 0 ? usualFilesHint(workspace) : ' Name your report in the input "file".';
  return new ActionFailure(
    'report-missing',
    `No coverage report: searched ${workspace} for ${searched}, but ${outcome}.${skipped}${hint} ` +
      `Known formats: ${FORMAT_NAMES}. Check that the tests ran with coverage on, before this step.`,
  );
}

function usualFilesHint(workspace: string): string {
  const found = usualFiles({ workspace, format: undefined }).map((file) => file.path);
  if (found.length === 0) return ' No file with a usual report name is there either.';
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  return ` Files there that are named like reports: ${found.slice(0, 5).join(', ')}${more}.`;
}

/** A plain file, or a link to one; reading anything else (a pipe, a device) might never end. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function shownPath(workspace: string, absolute: string): string {
  const path = relative(workspace, absolute).replaceAll('\\', '/');
  return path.startsWith('../') ? absolute : path;
}
