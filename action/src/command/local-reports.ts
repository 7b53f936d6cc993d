import { resolve } from 'node:path';
import type { LeftOut } from '@coverage/shared';
import { createGit } from '../context/git.ts';
import type { FileHits } from '../formats/file-hits.ts';
import type { Checkout } from '../report/checkout.ts';
import type { FoundReport } from '../report/find-reports.ts';
import { chooser, type PathChoice } from '../report/path-names.ts';
import { collectFiles, type ReadReport } from '../report/source-files.ts';
import type { Log } from '../runner/log.ts';
import { type Inputs, readMove } from '../step/inputs.ts';
import { findCheckout, readReports, withGitFolders } from '../step/run.ts';
import { findLocalCheckout, fromRoot } from './local-checkout.ts';
import type { Arguments, Option, Shell } from './shell/command.ts';

/** Which reports are read, and how their names are: the same for every command that reads some. */
export const READING_OPTIONS: readonly Option[] = [
  {
    name: 'file',
    short: 'f',
    value: 'report',
    multiple: true,
    summary: 'a report or a pattern, as "**/lcov.info"; without one, the usual names are searched',
  },
  { name: 'format', value: 'format', summary: 'the format of the reports; without it, their content decides' },
  { name: 'base-path', short: 'b', value: 'folder', summary: 'the folder that the names in the reports begin in' },
  {
    name: 'path-map',
    value: 'from=to',
    multiple: true,
    summary: 'what names are called in the repo, as in ' + '/app=backend',
  },
  { name: 'include', value: 'pattern', multiple: true, summary: 'count only files of the repo like this, as "src/**"' },
  {
    name: 'exclude',
    value: 'pattern',
    multiple: true,
    summary: 'leave out files of the repo like this, as "**/*.test.ts"',
  },
  { name: 'allow-empty', summary: 'do not fail if there is no report, or an empty one' },
  { name: 'allow-ambiguous', summary: 'leave out a file that matches several of the checkout' },
];

/** What the reports of a folder say of its checkout. */
export interface LocalReports {
  readonly files: readonly FileHits[];
  readonly leftOut: LeftOut;
  readonly checkout: Checkout;
  readonly reports: readonly FoundReport[];
}

type ReadingInputs = Pick<
  Inputs,
  'files' | 'format' | 'basePath' | 'pathMap' | 'choice' | 'allowEmpty' | 'allowAmbiguous'
>;

/** What the options say of the reports; an operand is a report too. Typed paths begin in the folder. */
export function readingInputs(given: Arguments, place: { folder: string; root: string }): ReadingInputs {
  const basePath = given.text('base-path');
  return {
    files: [...given.operands, ...given.texts('file')],
    format: given.text('format') ?? '',
    basePath: basePath === undefined ? '' : fromRoot(basePath, place),
    pathMap: given.texts('path-map').map(readMove),
    choice: { include: given.texts('include'), exclude: given.texts('exclude') },
    allowEmpty: given.isOn('allow-empty'),
    allowAmbiguous: given.isOn('allow-ambiguous'),
  };
}

/**
 * Finds and reads the reports below the folder, and gives each file its name in the checkout; if there is none, its
 * name in the report. Asks no server.
 */
export function readLocalReports(given: Arguments, shell: Shell): Promise<LocalReports> {
  const log = logOf(given, shell);
  const inputs = placedInputs(given, shell);
  return withGitFolders({ ...inputs, githubToken: '' }, {}, async (folders) => {
    const reports = readReports(inputs, log);
    const checkout = await findCheckout(reports, inputs.place.root, createGit(folders));
    const collected = checkout.byGit
      ? collectFiles(reports, { ...inputs, checkout }, log)
      : { files: joinByName(reports, inputs.choice), leftOut: {} };
    return { ...collected, checkout, reports };
  });
}

/** The same with each file under its name in the report: neither git nor the folder is asked for files. */
export function readReportsByName(given: Arguments, shell: Shell): readonly FileHits[] {
  const inputs = placedInputs(given, shell);
  return joinByName(readReports(inputs, logOf(given, shell)), inputs.choice);
}

function placedInputs(given: Arguments, shell: Shell) {
  const { root, bounds } = findLocalCheckout(shell.folder);
  const place = { folder: shell.folder, root };
  return { ...readingInputs(given, place), place, runner: { workspace: bounds, serverUrl: '' } };
}

/** Sorted by name, as collectFiles does. */
function joinByName(reports: readonly ReadReport[], choice: PathChoice): FileHits[] {
  const isChosen = chooser(choice);
  const joined = new Map<string, FileHits>();
  for (const file of reports.flatMap((report) => report.files).filter(({ name }) => isChosen(name))) {
    const known = joined.get(file.name);
    if (known === undefined) joined.set(file.name, file);
    else known.merge(file);
  }
  return [...joined.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Steps are reported only with --verbose, warnings unless --quiet. */
export function logOf(given: Arguments, { say }: Pick<Shell, 'say'>): Log {
  const silent = (): void => undefined;
  return { info: given.isOn('verbose') ? say : silent, warning: given.isOn('quiet') ? silent : say };
}

/** Absolute: as a shell means a path that was typed. */
export function typedPath(path: string, { folder }: Pick<Shell, 'folder'>): string {
  return resolve(folder, path);
}
