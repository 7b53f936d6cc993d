import type { FileCoverage, Report } from '../domain/coverage/file-coverage.ts';
import { mergeFiles } from '../domain/coverage/merge.ts';

/** The report of a job's files, in any order; those of the same name are merged (rule 8). */
export function toReport(files: readonly FileCoverage[]): Report {
  // Most clients list them in order: then nothing is sorted.
  if (files.every(({ name }, index) => index === 0 || (files[index - 1] as FileCoverage).name < name)) return { files };
  const byName = new Map<string, FileCoverage[]>();
  for (const file of files) {
    const same = byName.get(file.name);
    if (same === undefined) byName.set(file.name, [file]);
    else same.push(file);
  }
  // By UTF-16 code units, as compareNames has it, without a call for each comparison.
  const names = [...byName.keys()].sort();
  return { files: names.map((name) => mergeHalves(byName.get(name) as FileCoverage[])) };
}

/**
 * By halves, which merging allows (rule 7): one after the other, 20,000 files of one name with a branch each took 20 s.
 */
function mergeHalves(files: readonly FileCoverage[]): FileCoverage {
  if (files.length <= 2) return mergeFiles(files);
  const middle = files.length >>> 1;
  return mergeFiles([mergeHalves(files.slice(0, middle)), mergeHalves(files.slice(middle))]);
}
