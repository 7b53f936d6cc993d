import { statSync } from 'node:fs';
import { posix, relative, resolve } from 'node:path';
import { isGlob, parseGlob } from '@coverage/shared/glob';
import type { CoverageFormat } from '../formats/coverage-format.ts';
import { FORMAT_NAMES, FORMATS, recognize } from '../formats/formats.ts';
import { readHead, withReportFile } from '../formats/report-bytes.ts';
import { realPath } from '../git/git-places.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { Log } from '../runner/log.ts';
import { counted, type Texts } from '../runner/words.ts';
import { nameFilter } from './name-filter.ts';
import { someOf } from './text-ends.ts';
import { walkFiles } from './walk-files.ts';

/** A file that was taken for a report. */
export interface FoundReport {
  readonly absolute: string;
  /** Relative to the workspace where it lies inside, with `/`; for messages. */
  readonly path: string;
  readonly format: CoverageFormat;
  /** A link leads to it, perhaps to a file that is no report: nothing of its content is shown. */
  readonly isLinked: boolean;
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
 * Throws `report-missing` if there is none, with all that was looked for; `report-not-understood` for a named file of
 * an unknown format.
 */
export function findReports(search: ReportSearch, log: Log): FoundReport[] {
  const isSearch = search.patterns.length === 0;
  const candidates = isSearch
    ? knownFiles(search)
    : search.patterns.flatMap((pattern) => filesOf(pattern, search, log));
  const unique = [...new Map(candidates.map((file) => [file.absolute, file])).values()];
  const asked = unique.filter((file) => !isSearch || isAsked(file, search, log));
  const others: NotAReport[] = [];
  const recognized = asked.flatMap((file) => recognizeFile(file, search, others));
  tellOthers(others, log);
  const reports = isSearch ? onePerFolder(recognized, log) : recognized;
  if (reports.length === 0 && !search.allowEmpty) throw nothingFound(search, unique.length);
  for (const report of reports) log.info(`Report: ${report.path} (${report.format.name})`);
  return reports.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function knownFiles({ workspace, format }: Pick<ReportSearch, 'workspace' | 'format'>): Candidate[] {
  const isReport = nameFilter((format === undefined ? FORMATS : [format]).flatMap((known) => known.globs));
  return walkFiles(workspace, isReport)
    .map((path) => ({ absolute: resolve(workspace, path), path, named: false }))
    .filter(({ absolute }) => isFile(absolute));
}

function filesOf(pattern: string, { workspace, allowEmpty }: ReportSearch, log: Log): Candidate[] {
  const absolute = resolve(workspace, pattern);
  if (isFile(absolute)) return [{ absolute, path: shownPath(workspace, absolute), named: true }];
  if (!isGlob(pattern)) {
    if (!allowEmpty) throw missing(pattern, workspace);
    log.info(`There is no file ${pattern} in ${workspace}. Treated as empty: allow-empty is set.`);
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

function missing(pattern: string, workspace: string): ActionFailure {
  return new ActionFailure(
    'report-missing',
    `There is no file ${pattern} in ${workspace}. ${knownFilesHint(workspace)}`,
  );
}

/** Several formats share their usual names: what was not named has to look like the format that is asked for. */
function isAsked(file: Candidate, { format }: ReportSearch, log: Log): boolean {
  if (format === undefined) return true;
  const head = withReportFile(file, readHead);
  if (head.trim() === '' || format.matches(head)) return true;
  const found = recognize(head);
  log.info(notAReport(file.path, found.format === undefined ? found.reason : otherFormat(found.format.name)));
  return false;
}

interface NotAReport {
  readonly path: string;
  readonly reason: string;
}

/** What a tool leaves in one folder, as c8 does by the hundreds, is reported once. */
function tellOthers(others: readonly NotAReport[], log: Log): void {
  const groups = Map.groupBy(others, ({ path, reason }) => JSON.stringify([posix.dirname(path), reason]));
  for (const [first, ...more] of groups.values()) {
    if (first === undefined) continue;
    const where =
      more.length === 0 ? first.path : `${counted(more.length + 1, 'file')} in ${posix.dirname(first.path)}`;
    log.info(notAReport(where, first.reason));
  }
}

function recognizeFile(
  file: Candidate,
  { format, allowEmpty, workspace }: ReportSearch,
  others: NotAReport[],
): FoundReport[] {
  const head = withReportFile(file, readHead);
  const found = recognize(head);
  if (format !== undefined && head.trim() !== '') {
    if (found.format === undefined || found.format.name === format.name || format.matches(head))
      return [{ ...file, format, isLinked: isLinked(file, workspace) }];
    const reason = otherFormat(found.format.name);
    throw new ActionFailure('report-not-understood', unreadable(file.path, { reason, isEmpty: false }));
  }
  if (found.format !== undefined) return [{ ...file, format: found.format, isLinked: isLinked(file, workspace) }];
  const isEmpty = head.trim() === '';
  if (!file.named || (isEmpty && allowEmpty)) {
    others.push({ path: file.path, reason: found.reason });
    return [];
  }
  throw new ActionFailure(
    isEmpty ? 'report-empty' : 'report-not-understood',
    unreadable(file.path, { reason: found.reason, isEmpty }),
  );
}

/**
 * A tool that writes one run in two formats puts both into one folder: read together, each branch would count twice.
 * sbt-scoverage writes its Cobertura into `coverage-report` and its own XML into `scoverage-report` beside it.
 */
function onePerFolder(reports: readonly FoundReport[], log: Log): FoundReport[] {
  const formats = new Map<string, CoverageFormat>();
  for (const format of FORMATS) {
    for (const report of reports) {
      const folder = folderOf(report);
      if (report.format === format && !formats.has(folder)) formats.set(folder, format);
    }
  }
  return reports.filter((report) => {
    const taken = formats.get(folderOf(report));
    if (taken !== undefined && taken !== report.format)
      log.info(
        `Skipped: ${report.path} (${report.format.name}): ` +
          `its folder holds ${taken.name} too. Name it in "file" to include it.`,
      );
    return taken === report.format;
  });
}

function folderOf({ path }: FoundReport): string {
  return posix.dirname(path).replace(/(?<=^|\/)scoverage-report$/, 'coverage-report');
}

function nothingFound({ workspace, patterns, format }: ReportSearch, candidates: number): ActionFailure {
  const formats = format === undefined ? FORMATS : [format];
  const searched =
    patterns.length > 0
      ? patterns.join(', ')
      : formats.map((known) => `${known.globs.map((glob) => `**/${glob}`).join(', ')} (${known.name})`).join(', ');
  const isDefault = patterns.length === 0;
  const hint = isDefault ? 'Name your report in the input "file".' : knownFilesHint(workspace);
  // Each default name is listed with its format, and the message about a file that was found ends with all formats.
  const known = isDefault || candidates > 0 ? '' : ` Known formats: ${FORMAT_NAMES}.`;
  const skipped = isDefault ? ' node_modules, vendor and .git were left out.' : '';
  const outcome =
    candidates > 0
      ? `${counted(candidates, 'file was', 'files were')} found that cannot be read as coverage`
      : 'no such file was found';
  return new ActionFailure(
    'report-missing',
    `No coverage report: searched ${workspace} for ${searched}, but ${outcome}.${skipped} ${hint}${known} ` +
      'Check that the tests ran with coverage on, before this step.',
  );
}

function knownFilesHint(workspace: string): string {
  const found = knownFiles({ workspace, format: undefined }).map((file) => file.path);
  return found.length === 0
    ? 'There is no file with a common report name either.'
    : `Files there that are named like reports: ${someOf(found)}.`;
}

/** A plain file, or a link to one; reading anything else (a pipe, a device) might never end. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The way to the workspace itself may have links. */
function isLinked({ absolute }: Candidate, workspace: string): boolean {
  return realPath(absolute) !== resolve(realPath(workspace) ?? workspace, relative(workspace, absolute));
}

function shownPath(workspace: string, absolute: string): string {
  const path = relative(workspace, absolute).replaceAll('\\', '/');
  return path.startsWith('../') ? absolute : path;
}

/** `reason`: a clause. */
function notAReport(path: string, reason: string): string {
  return `Not a report: ${path}: ${reason}`;
}

/** `name`: the format that the file has, where another one was asked for. */
function otherFormat(name: string): string {
  return `it is ${name}, another format than the input format names`;
}

function unreadable(path: string, { reason, isEmpty }: Texts<'reason'> & { readonly isEmpty: boolean }): string {
  const advice = isEmpty ? ' Check that the tests ran with coverage on.' : '';
  return `${path} cannot be read as coverage: ${reason}.${advice}`;
}
