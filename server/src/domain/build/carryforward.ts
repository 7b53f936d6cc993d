import { type Column, NOT_RELEVANT, narrowColumn } from '../coverage/column.ts';
import type { BranchColumns, FileCoverage, Report } from '../coverage/file-coverage.ts';
import type { Build, CarriedPick, CarryforwardRequest } from './build.ts';

/** The flags that a close is to fill in (rule 15): those named, or all of the base's, that no job of the build has. */
export function flagsToCarry(
  request: CarryforwardRequest | undefined,
  baseFlags: readonly string[],
  uploaded: readonly string[],
): readonly string[] {
  const wanted = request === 'all' ? baseFlags : (request ?? []);
  return [...new Set(wanted)].filter((flag) => !uploaded.includes(flag));
}

/** The newer of the newest uploaded reports of a flag in the build's own history and on its base branch (rule 15). */
export function newerBuild(a: Build | undefined, b: Build | undefined): Build | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.sequence > b.sequence ? a : b;
}

/** What a build keeps of where a carried flag comes from (rule 16). */
export function toCarriedPick(flag: string, origin: Build): CarriedPick {
  return {
    flag,
    buildId: origin.id,
    number: origin.number,
    commit: origin.commit,
    closedAt: origin.result?.closedAt ?? origin.lastJobAt,
    closeCount: origin.result?.closeCount ?? 0,
  };
}

/**
 * Rule 16, where no diff can be had: of a file that has changed since (both digests known and different) the carried hits
 * count only on lines that the build's own jobs call relevant. Answers the report and how many files were cut so.
 */
export function restrictCarried(carried: Report, own: Report): { readonly report: Report; readonly restricted: number } {
  const ownFiles = new Map(own.files.map((file) => [file.name, file]));
  let restricted = 0;
  const files = carried.files.map((file) => {
    const current = ownFiles.get(file.name);
    if (current?.digest === undefined || file.digest === undefined || current.digest === file.digest) return file;
    restricted += 1;
    return restrictFile(file, current);
  });
  return { report: { files }, restricted };
}

/** The carried file takes the digest and source of the current text, since that is what its remaining lines speak of. */
function restrictFile(carried: FileCoverage, current: FileCoverage): FileCoverage {
  const relevant = (line: number): boolean => (current.hits[line - 1] ?? NOT_RELEVANT) >= 0;
  const length = Math.min(carried.hits.length, current.hits.length);
  const hits = narrowColumn(carried.hits.slice(0, length).map((value, index) => (relevant(index + 1) ? value : NOT_RELEVANT)));
  return {
    name: carried.name,
    digest: current.digest,
    source: current.source,
    hits,
    branches: keepBranches(carried.branches, relevant),
  };
}

function keepBranches(branches: BranchColumns, keep: (line: number) => boolean): BranchColumns {
  const kept = (column: Column): Column => narrowColumn(column.filter((_, index) => keep(branches.line[index] as number)));
  return { line: kept(branches.line), block: kept(branches.block), branch: kept(branches.branch), hits: kept(branches.hits) };
}
