import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { mergeFiles } from '../../core/coverage/merge.ts';
import {
  type PackedFile,
  type PackedReport,
  packBranchColumns,
  packHitsColumn,
  unpackColumns,
} from '../codec/packed-file.ts';

/** The report of a job's files, in any order; those of the same name are merged (rule 8). */
export function toReport(files: readonly PackedFile[]): PackedReport {
  // Most clients list them in order: then nothing is sorted.
  if (files.every(({ name }, index) => index === 0 || (files[index - 1] as PackedFile).name < name)) return { files };
  const byName = new Map<string, PackedFile[]>();
  for (const file of files) {
    const same = byName.get(file.name);
    if (same === undefined) byName.set(file.name, [file]);
    else same.push(file);
  }
  // By UTF-16 code units, as compareNames has it, without a call for each comparison.
  const names = [...byName.keys()].sort();
  return { files: names.map((name) => mergeSame(byName.get(name) as PackedFile[])) };
}

function mergeSame(files: readonly PackedFile[]): PackedFile {
  if (files.length === 1) return files[0] as PackedFile;
  const { name, digest, source, hits, branches } = mergeHalves(files.map(unpackColumns));
  return { name, digest, source, hits: packHitsColumn(hits), branches: packBranchColumns(branches) };
}

/**
 * By halves, which merging allows (rule 7): one after the other, 20,000 files of one name with a branch each took 20 s.
 */
function mergeHalves(files: readonly FileCoverage[]): FileCoverage {
  if (files.length <= 2) return mergeFiles(files);
  const middle = files.length >>> 1;
  return mergeFiles([mergeHalves(files.slice(0, middle)), mergeHalves(files.slice(middle))]);
}
