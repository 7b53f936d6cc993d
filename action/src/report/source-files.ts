import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { LeftOut, SourceFile } from '@coverage/shared';
import type { ParsedReport } from '../formats/coverage-format.ts';
import type { FileHits } from '../formats/file-hits.ts';
import { HitFiles } from '../formats/hit-files.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { Log } from '../runner/log.ts';
import { type Counts, counted } from '../runner/words.ts';
import { chooser, cleanName, type PathChoice } from './path-names.ts';
import { createResolveNames, type NameOptions, type ResolvedNames } from './resolve-names.ts';
import type { SourceReader, TextOf } from './source-reader.ts';
import { leftOutWarnings, someOf, type TextEnds } from './text-ends.ts';

const BASE_PATH = 'give the folder that names begin in as "base-path"';

/** A report that was read. */
export interface ReadReport extends ParsedReport {
  /** Absolute, with `/`. */
  readonly absolute: string;
  /** For messages. */
  readonly path: string;
}

/** How the names of all reports are read. */
export interface CollectOptions extends NameOptions {
  /** The `allow-ambiguous` input: a file that several names of the checkout fit may be left out. */
  readonly allowAmbiguous: boolean;
  /** The `include` and `exclude` inputs. */
  readonly choice?: PathChoice;
}

/** The files of a job's reports. */
export interface CollectedFiles {
  /** Sorted by name. */
  readonly files: FileHits[];
  /** What is warned of; empty if nothing is left out. */
  readonly leftOut: LeftOut;
}

const MAX_FOLDERS_LISTED = 100;
const MAX_AMBIGUOUS_LISTED = 10;
const MAX_FOLDERS = 5;

/**
 * Joins the reports of one job under repo-relative names, one entry per file (rules.md, rule 6). What lies outside the
 * checkout is left out, with a warning, and listed in the log by folder. Throws `nothing-in-checkout` where
 * that leaves nothing, `report-ambiguous` where two files fit one name.
 */
export function collectFiles(reports: readonly ReadReport[], options: CollectOptions, log: Log): CollectedFiles {
  const merged = new HitFiles();
  const leftOut = new Set<string>();
  const unchosen = new Set<string>();
  const isChosen = chooser(options.choice ?? { include: [], exclude: [] });
  const unclear = new Map<string, readonly string[]>();
  const resolveNames = createResolveNames(options);
  for (const report of reports) {
    const names = report.files.map((file) => file.name);
    const { sources, importPaths = false, isPlaced = false, packaged = new Map() } = report;
    const named = { path: report.absolute, names, sources, importPaths, isPlaced, packaged };
    const resolved = resolveNames(named, { isOneOfSeveral: reports.length > 1 });
    warnOfAmbiguous(resolved, log);
    for (const file of report.files) {
      const path = resolved.paths.get(file.name);
      const candidates = resolved.ambiguous.get(file.name);
      if (path !== undefined && !isChosen(path)) unchosen.add(path);
      else if (path !== undefined) merged.add(file.renamed(path));
      else if (candidates === undefined) leftOut.add(file.name);
      else unclear.set(file.name, candidates);
    }
  }
  if (unclear.size > 0 && !options.allowAmbiguous) throw unclearNames(unclear);
  if (unchosen.size > 0) log.info(`Left out by include and exclude: ${counted(unchosen.size, 'file')}`);
  const files = merged.packed();
  if (files.length === 0 && unchosen.size > 0)
    throw new ActionFailure(
      'bad-input',
      'Inputs include and exclude leave out ' +
        `${unchosen.size === 1 ? 'the only file' : `all ${unchosen.size} files`} of the reports that the checkout ` +
        'has. Their patterns begin at the root of the repo, as in "src/**" or "**/*.test.ts".',
    );
  const without = [...leftOut, ...unclear.keys()];
  if (files.length === 0 && without.length > 0) throw nothingInCheckout(without, options);
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files, leftOut: { ...tellLeftOut(leftOut, log), ...(unclear.size > 0 && { ambiguous: unclear.size }) } };
}

/**
 * A file as the wire has it. The digest is the MD5 of the file's bytes (docs/wire.md "Fields"); it is missing if the
 * file is not read: with it guesses at a secret could be checked. What is beyond its end is left out (`ends`).
 */
export function toSourceFile(
  named: FileHits,
  reader: SourceReader,
  { ends, textOf = () => undefined }: { readonly ends: TextEnds; readonly textOf?: TextOf },
): SourceFile {
  const bytes = reader.read(named.name);
  const file = ends.within(named, bytes);
  const text = bytes && textOf(file.name, bytes);
  const branches = file.branches();
  return {
    name: file.name,
    ...(bytes === undefined ? {} : { source_digest: hash('md5', bytes) }),
    coverage: file.coverage(),
    ...(branches.length === 0 ? {} : { branches }),
    ...(text === undefined ? {} : { source: text }),
  };
}

function warnOfAmbiguous({ paths, ambiguous }: ResolvedNames, log: Log): void {
  for (const [name, candidates] of [...ambiguous].slice(0, MAX_AMBIGUOUS_LISTED))
    log.warning(fitsSeveral(name, { candidates, taken: paths.get(name) }));
  if (ambiguous.size > MAX_AMBIGUOUS_LISTED)
    log.warning(`Several files match ${counted(ambiguous.size - MAX_AMBIGUOUS_LISTED, 'more name')} too.`);
}

function unclearNames(unclear: ReadonlyMap<string, readonly string[]>): ActionFailure {
  const [name, candidates] = [...unclear][0] as [string, readonly string[]];
  return new ActionFailure('report-ambiguous', ambiguousRefused(name, { candidates, more: unclear.size - 1 }));
}

/** Names the folders with the most files in the warning, and all of them behind it. */
function tellLeftOut(names: ReadonlySet<string>, log: Log): LeftOut {
  if (names.size === 0) return {};
  const sizes = [...Map.groupBy(names, (name) => posix.dirname(cleanName(name)))].map(
    ([folder, files]) => [folder, files.length] as const,
  );
  sizes.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const leftOut = { files: names.size, folders: sizes.slice(0, MAX_FOLDERS).map(([folder]) => folder) };
  for (const warning of leftOutWarnings(leftOut)) log.warning(warning);
  for (const [folder, size] of sizes.slice(0, MAX_FOLDERS_LISTED)) log.info(`  ${folder} (${counted(size, 'file')})`);
  if (sizes.length > MAX_FOLDERS_LISTED) log.info(`  and ${counted(sizes.length - MAX_FOLDERS_LISTED, 'more folder')}`);
  return leftOut;
}

function nothingInCheckout(names: readonly string[], { checkout }: CollectOptions): ActionFailure {
  const { byGit, root, files } = checkout;
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  return new ActionFailure(
    'nothing-in-checkout',
    `The reports name ${counted(names.length, 'file')} (${some}), none of them in the checkout: ` +
      `${byGit ? 'git lists' : 'there are'} ${counted(files.size, 'file')} in ${root}. Run actions/checkout before ` +
      'this step; if the tests ran in a subfolder, set "base-path" to it.',
  );
}

/** `taken`: what is used anyway; undefined if it is left out. */
function fitsSeveral(
  name: string,
  { candidates, taken }: { readonly candidates: readonly string[]; readonly taken: string | undefined },
): string {
  const outcome = taken === undefined ? 'It is left out' : `It is taken as ${taken}`;
  return `${mayBe(name, candidates)}. ${outcome}: ${BASE_PATH}.`;
}

/** `more`: how many other names fit several files. */
function ambiguousRefused(
  name: string,
  { candidates, more }: Counts<'more'> & { readonly candidates: readonly string[] },
): string {
  const others = more === 0 ? '' : `, and several files fit ${counted(more, 'more name')} too`;
  return (
    `${mayBe(name, candidates)}${others}. Left out, they would make the total wrong: ${BASE_PATH}, or set ` +
    '"allow-ambiguous" to upload the rest.'
  );
}

function mayBe(name: string, candidates: readonly string[]): string {
  return `${name} may be any of ${someOf(candidates)}`;
}
