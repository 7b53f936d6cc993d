import { hash } from 'node:crypto';
import { posix } from 'node:path';
import type { SourceFile } from '@coverage/shared';
import { ActionFailure } from '../failure.ts';
import type { ParsedReport } from '../formats/coverage-format.ts';
import { FileHits } from '../formats/file-hits.ts';
import type { Log } from '../log.ts';
import { cleanName } from './path-names.ts';
import { type NameOptions, type ResolvedNames, resolveNames } from './resolve-names.ts';
import { readCheckedOut, type TextOf } from './source-texts.ts';

/** A report that was read. */
export interface ReadReport extends ParsedReport {
  /** Absolute, with `/`. */
  readonly absolute: string;
  /** For messages. */
  readonly path: string;
}

/** How the names of all reports are read. */
export interface CollectOptions extends Omit<NameOptions, 'isOneOfSeveral'> {
  /** The `allow-ambiguous` input: a file that several names of the checkout fit may be left out. */
  readonly allowAmbiguous: boolean;
}

const MAX_FOLDERS_LISTED = 100;
const MAX_AMBIGUOUS_LISTED = 10;

/**
 * Joins the reports of one job under repo-relative names, one entry per file, sorted by name (rules.md, rule 6). What
 * lies outside the checkout is left out and listed in the log by folder. Throws `nothing-in-checkout` where
 * that leaves nothing, `report-ambiguous` where two files fit one name.
 */
export function collectFiles(reports: readonly ReadReport[], options: CollectOptions, log: Log): FileHits[] {
  const merged = new Map<string, FileHits>();
  const leftOut = new Set<string>();
  const unclear = new Map<string, readonly string[]>();
  for (const report of reports) {
    const names = report.files.map((file) => file.name);
    const named = { path: report.absolute, names, sources: report.sources };
    const resolved = resolveNames(named, { ...options, isOneOfSeveral: reports.length > 1 });
    warnOfAmbiguous(resolved, log);
    for (const file of report.files) {
      const path = resolved.paths.get(file.name);
      const candidates = resolved.ambiguous.get(file.name);
      if (path !== undefined) mergeInto(merged, path, file);
      else if (candidates === undefined) leftOut.add(file.name);
      else unclear.set(file.name, candidates);
    }
  }
  if (unclear.size > 0 && !options.allowAmbiguous) throw unclearNames(unclear);
  for (const name of unclear.keys()) leftOut.add(name);
  logLeftOut(leftOut, log);
  if (merged.size === 0 && leftOut.size > 0) throw nothingInCheckout(leftOut, options);
  return [...merged.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * A file as the wire has it. The digest is the MD5 of the file's bytes (docs/wire.md "Fields"); it is missing where the
 * file can not be read, as in a sparse checkout, or is a link out of it.
 */
export function toSourceFile(file: FileHits, root: string, textOf: TextOf = () => undefined): SourceFile {
  const bytes = readCheckedOut(root, file.name);
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

function mergeInto(merged: Map<string, FileHits>, path: string, file: FileHits): void {
  let target = merged.get(path);
  if (target === undefined) {
    target = new FileHits(path);
    merged.set(path, target);
  }
  target.merge(file);
}

function warnOfAmbiguous({ paths, ambiguous }: ResolvedNames, log: Log): void {
  for (const [name, candidates] of [...ambiguous].slice(0, MAX_AMBIGUOUS_LISTED)) {
    const taken = paths.get(name);
    const outcome = taken === undefined ? 'It is left out' : `It is taken as ${taken}`;
    log.warning(`${mayBe(name, candidates)}. ${outcome}: ${BASE_PATH_ADVICE}.`);
  }
  if (ambiguous.size > MAX_AMBIGUOUS_LISTED)
    log.warning(`${ambiguous.size - MAX_AMBIGUOUS_LISTED} more names fit several files.`);
}

const BASE_PATH_ADVICE = 'give the folder that names begin in as "base-path"';

function mayBe(name: string, candidates: readonly string[]): string {
  const more = candidates.length > 5 ? ` and ${candidates.length - 5} more` : '';
  return `${name} may be any of ${candidates.slice(0, 5).join(', ')}${more}`;
}

function unclearNames(unclear: ReadonlyMap<string, readonly string[]>): ActionFailure {
  const [name, candidates] = [...unclear][0] as [string, readonly string[]];
  const more = unclear.size > 1 ? `, and ${unclear.size - 1} more names fit several files too` : '';
  return new ActionFailure(
    'report-ambiguous',
    `${mayBe(name, candidates)}${more}. Left out, they would make the total wrong: ${BASE_PATH_ADVICE}, or set ` +
      '"allow-ambiguous" to upload the rest.',
  );
}

function logLeftOut(names: ReadonlySet<string>, log: Log): void {
  if (names.size === 0) return;
  const folders = Map.groupBy(names, (name) => posix.dirname(cleanName(name)));
  log.info(`Left out, because not in the checkout: ${counted(names.size)}, in`);
  for (const folder of [...folders.keys()].sort().slice(0, MAX_FOLDERS_LISTED)) {
    log.info(`  ${folder} (${counted(folders.get(folder)?.length ?? 0)})`);
  }
  if (folders.size > MAX_FOLDERS_LISTED) log.info(`  and ${folders.size - MAX_FOLDERS_LISTED} folders more`);
}

function counted(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function nothingInCheckout(names: ReadonlySet<string>, { checkout }: CollectOptions): ActionFailure {
  const source = checkout.byGit
    ? `the ${counted(checkout.files.size)} that git lists in`
    : `the ${counted(checkout.files.size)} in`;
  return new ActionFailure(
    'nothing-in-checkout',
    `None of the files (${names.size}) named in the reports ` +
      `(${[...names].slice(0, 3).join(', ')}${names.size > 3 ? ', …' : ''}) ` +
      `is one of ${source} ${checkout.root}. Run actions/checkout before this step; ` +
      'where the tests ran in a sub-folder, give it as "base-path".',
  );
}
