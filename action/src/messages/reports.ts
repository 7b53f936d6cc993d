// What is said of the reports that were searched, and of the files that they name.
import type { LeftOut } from '@coverage/shared';
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

const MOST_FILES_SHOWN = 5;

export const NO_USUAL_FILE = 'No file with a usual report name is there either.';

export const NAME_YOUR_REPORT = 'Name your report in the input "file".';

/** `hint`: a sentence. */
export function fileMissing(pattern: string, { workspace, hint }: Texts<'workspace' | 'hint'>): string {
  return `There is no file ${pattern} in ${workspace}. ${hint}`;
}

export function fileMissingAllowed(pattern: string, workspace: string): string {
  return `There is no file ${pattern} in ${workspace}. Taken as empty: allow-empty is set.`;
}

/** `reason`: a clause of messages/formats.ts. */
export function notAReport(path: string, reason: string): string {
  return `Not a report: ${path}: ${reason}`;
}

/** In the place of a path: some files of one folder. */
export function filesIn(folder: string, files: number): string {
  return `${counted(files, 'file')} in ${folder}`;
}

/** `name`: the format that the file has, where another one was asked for. */
export function otherFormat(name: string): string {
  return `it is ${name}, another format than the input format names`;
}

export function unreadable(path: string, { reason, isEmpty }: Texts<'reason'> & { readonly isEmpty: boolean }): string {
  const advice = isEmpty ? ' Check that the tests ran with coverage on.' : '';
  return `${path} cannot be read as coverage: ${reason}.${advice}`;
}

export function secondFormat(path: string, { format, taken }: Texts<'format' | 'taken'>): string {
  return `Not taken: ${path} (${format}): its folder holds ${taken} too. Name it in "file" to have it.`;
}

export function nothingFound(search: {
  readonly workspace: string;
  readonly searched: string;
  /** Nobody named files: the folders that are never looked into are said. */
  readonly isUsual: boolean;
  /** Files that were looked at. */
  readonly candidates: number;
  readonly formats: string;
  /** A sentence. */
  readonly hint: string;
}): string {
  const { workspace, searched, isUsual, candidates, formats, hint } = search;
  const outcome =
    candidates > 0
      ? `${counted(candidates, 'file was', 'files were')} found that cannot be read as coverage`
      : 'no such file was found';
  const skipped = isUsual ? ' node_modules, vendor and .git were left out.' : '';
  return (
    `No coverage report: searched ${workspace} for ${searched}, but ${outcome}.${skipped} ${hint} Known formats: ` +
    `${formats}. Check that the tests ran with coverage on, before this step.`
  );
}

export function usualFiles(paths: readonly string[]): string {
  return `Files there that are named like reports: ${someOf(paths)}.`;
}

export function withoutLines(path: string, format: string): string {
  return (
    `${path} is a report (${format}) without any line of any file. Check that the tests ran with coverage on, or ` +
    'set "allow-empty".'
  );
}

/** Nothing of what stands there: the link may lead to a secret. */
export function linkDamaged(path: string, format: string): string {
  return (
    `${path} is reached through a link, and what is there is not a whole report (${format}). Name the report itself ` +
    'to see what is wrong with it.'
  );
}

export function withoutLinesAllowed(path: string, format: string): string {
  return `${path} is a report (${format}) without any line of any file. Taken as it is: allow-empty is set.`;
}

/** `taken`: what is used all the same; undefined where it is left out. */
export function fitsSeveral(
  name: string,
  { candidates, taken }: { readonly candidates: readonly string[]; readonly taken: string | undefined },
): string {
  const outcome = taken === undefined ? 'It is left out' : `It is taken as ${taken}`;
  return `${mayBe(name, candidates)}. ${outcome}: ${BASE_PATH}.`;
}

export function moreFitSeveral(names: number): string {
  return `Several files fit ${counted(names, 'more name')} too.`;
}

/** `more`: how many other names fit several files. */
export function ambiguousRefused(
  name: string,
  { candidates, more }: Counts<'more'> & { readonly candidates: readonly string[] },
): string {
  const others = more === 0 ? '' : `, and several files fit ${counted(more, 'more name')} too`;
  return (
    `${mayBe(name, candidates)}${others}. Left out, they would make the total wrong: ${BASE_PATH}, or set ` +
    '"allow-ambiguous" to upload the rest.'
  );
}

/** A sentence for each kind of what an upload leaves out. */
export function leftOutWarnings({ files = 0, folders = [], ambiguous = 0, beyond_end: beyond }: LeftOut): string[] {
  return [
    ...(files === 0
      ? []
      : [`Left out, because not in the checkout: ${counted(files, 'file')}, in ${folders.join(', ')}`]),
    ...(ambiguous === 0 ? [] : [`Left out, because several files of the checkout fit: ${counted(ambiguous, 'file')}`]),
    ...(beyond === undefined
      ? []
      : [
          `Left out, because beyond the end of the file: ${counted(beyond.lines, 'line')} of ` +
            `${counted(beyond.files, 'file')}. Check that the tests ran on the files that are checked out`,
        ]),
  ];
}

/** `left`: lines that are not in the file; `all`: how many are. */
export function beyondEnd(name: string, { left, all }: Counts<'left' | 'all'>): string {
  return `  ${name} has ${counted(all, 'line')}, and its report ${left} beyond them`;
}

export function leftOutOf(folder: string, files: number): string {
  return `  ${folder} (${counted(files, 'file')})`;
}

export function notRead(names: readonly string[], { byGit }: { readonly byGit: boolean }): string {
  const rule = byGit
    ? 'they are links, and do not lead to a plain file that git tracks'
    : 'without git no link is followed, and nothing is read whose path has a name that begins with a dot';
  return (
    `Neither text nor digest is sent of ${counted(names.length, 'file')} (${someOf(names)}): ${rule}. Their coverage ` +
    'counts.'
  );
}

export function notChosen(files: number): string {
  return `Left out by include and exclude: ${counted(files, 'file')}`;
}

export function nothingChosen(files: number): string {
  return (
    `Inputs include and exclude leave none of the ${counted(files, 'file')} of the reports that are in the checkout. ` +
    'Their patterns begin at the root of the repo, as in "src/**" or "**/*.test.ts".'
  );
}

export function moreFolders(folders: number): string {
  return `  and ${counted(folders, 'more folder')}`;
}

export function nothingInCheckout(
  names: readonly string[],
  { byGit, files, root }: Texts<'root'> & Counts<'files'> & { readonly byGit: boolean },
): string {
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  return (
    `The reports name ${counted(names.length, 'file')} (${some}), none of them in the checkout: ` +
    `${byGit ? 'git lists' : 'there are'} ${counted(files, 'file')} in ${root}. Run actions/checkout before this ` +
    'step; where the tests ran in a sub-folder, give it as "base-path".'
  );
}

const BASE_PATH = 'give the folder that names begin in as "base-path"';

function mayBe(name: string, candidates: readonly string[]): string {
  return `${name} may be any of ${someOf(candidates)}`;
}

function someOf(texts: readonly string[]): string {
  const more = texts.length > MOST_FILES_SHOWN ? ` and ${texts.length - MOST_FILES_SHOWN} more` : '';
  return `${texts.slice(0, MOST_FILES_SHOWN).join(', ')}${more}`;
}
