import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

// What `npm run export` and `npm run import` say.

export const EXPORT_USAGE = `\
Writes a repo of this server's database to a new folder: its builds, jobs, reports and source texts, for npm run import
on another server. Servers may run meanwhile. Builds that are open are left out.

  npm run export -- --repo acme/shop --to /var/exports/shop

  --repo <name>   the repo, as <service>/<owner>/<name>; the service may be left out where one repo has that name
  --to <folder>   a folder that is not there yet, or is empty
  --with-emails   with the e-mail addresses of committers, which are left out otherwise

The folder holds source texts and numbers of the repo, and no secret. Only its owner can read it. docs/export.md says
what is in it.`;

export const IMPORT_USAGE = `\
Adds a repo to this server's database, from a folder that npm run export wrote on another server. Servers may run
meanwhile; nobody sees the repo before all of it is there.

  npm run import -- --from /var/exports/shop

  --from <folder>    the folder
  --as <name>        another name for it, as <owner>/<name> or <service>/<owner>/<name>
  --dry-run          reads and checks everything, and writes nothing
  --make-database    makes the database where there is none

A repo of that name must not be there yet. Its new token is printed once.`;

export const EXPORT_REPO_MISSING = 'Say which repo: --repo <owner>/<name>.';
export const EXPORT_TO_MISSING = 'Say where to: --to <folder>.';
export const IMPORT_FROM_MISSING = 'Say what is to be imported: --from <folder>.';
export const NO_KEY =
  'The repo’s new token cannot be sealed, since this server has no key yet. Start the server once, or set SECRET_KEY.';
export const TRANSFER_COLUMNS = ['KIND', 'COUNT'] as const;

export function noRepo(name: string): string {
  return `There is no repo ${name} in this database.`;
}

export function severalRepos(names: readonly string[]): string {
  return `Several repos have that name. Say which: ${names.join(', ')}.`;
}

export function asWrong(problem: string): string {
  return `--as must be ${problem}.`;
}

export function exported({ repo, folder }: Texts<'repo' | 'folder'>): string {
  return `${repo} is exported to ${folder}.`;
}

export function leftOut(builds: number): string {
  return `${counted(builds, 'build')} left out, since open. Export again when all are closed, if they are wanted.`;
}

export function exporting(builds: number): string {
  return `exported ${counted(builds, 'build')}`;
}

export function wouldImport(repo: string): string {
  return `All of it can be read. It would be imported as ${repo}. Nothing was written.`;
}

export function imported(repo: string): string {
  return `${repo} is imported, and belongs to the administrators. Its new token stands above, only now: keep it.`;
}

export function renumbered({ renumbered: some, builds }: Counts<'renumbered' | 'builds'>): string {
  if (some === 0) return 'Every build has its old id, so that old addresses work where the host name does.';
  return `${some} of ${counted(builds, 'build')} have a new id, since another build here has the old one.`;
}

export const IMPORT_CLEARED =
  'This import was cleared away: it stood still for ten minutes, or another one of that name began. Nothing of it is ' +
  'left.';

export const IMPORT_UNDER_WAY =
  'A repo is being imported into this database, or was until ten minutes ago. Wait for the end, and try again.';

export function idTaken(what: 'build' | 'job', id: number): string {
  return `Another import took the id ${id} of a ${what} meanwhile. Run this one again.`;
}

export function noFolder(path: string): string {
  return `${path} is no folder that can be written to: give another behind --to.`;
}

export function folderNotEmpty(path: string): string {
  return `${path} is not empty: give a new folder behind --to.`;
}

export function exportCutOff(path: string): string {
  return `${path} holds an export that was cut off. Remove it, or give a new folder behind --to.`;
}

export function buildBusy(id: number): string {
  return `Build ${id} was changed again and again while it was read. Try again later.`;
}

export function noExport(path: string): string {
  return `There is no folder ${path} to be imported: check --from.`;
}

export function notWhole(path: string): string {
  return `${path} has no manifest.json, so it is no export, or one that was cut off. Export again.`;
}

export function newerExport(version: number): string {
  return `A later version of the server wrote this export, and this one reads version ${version} of it. Update first.`;
}

const AGAIN = 'Nothing was imported. Take the folder from where it was made again.';

export function fileDamaged(path: string): string {
  return `${path} is not as an export writes it. ${AGAIN}`;
}

export function fileMissing(path: string): string {
  return `${path} is missing in the export, or is no plain file. ${AGAIN}`;
}

export function oddLine(path: string, line: string): string {
  return `${path} holds a line that no export writes: ${line}. ${AGAIN}`;
}

export function fileOdd(what: string): string {
  return `${what} holds what no export writes. ${AGAIN}`;
}

export function reportDiffers(path: string): string {
  return `${path} is not what its record says. ${AGAIN}`;
}

export const COUNTS_DIFFER = `manifest.json says another number of records than there are. ${AGAIN}`;
export const TOO_MANY_RECORDS = 'The export has more builds or jobs than a repo can have. Nothing was imported.';
export const LAST_LINE_CUT = `A file ends in the middle of a line. ${AGAIN}`;

export function lineTooLong(bytes: number): string {
  return `A line is longer than ${bytes} bytes. ${AGAIN}`;
}

export function textTooLarge(path: string, bytes: number): string {
  return `${path} is larger than ${bytes} bytes when it is unpacked. ${AGAIN}`;
}

export function repoExists(name: string): string {
  return `This database has a repo ${name} already. Remove that one, or give another name with --as.`;
}

// What is wrong with a line of a report, for the log.
export const FILES_UNORDERED = 'files are not in order of name';
export const REPORT_TOO_LARGE = 'the report is larger than one can be';
export const TEXT_MALFORMED = 'a text is not well-formed Unicode';
export const FILE_TOO_LONG = 'a file has more lines than a file can have';
export const BRANCHES_UNGROUPED = 'branches are not in groups of four';
export const COUNT_NEGATIVE = 'a count is negative';
export const NUMBER_NOT_WHOLE = 'a number is not a whole one';
export const NO_PLAIN_FILE = 'not a plain file';
