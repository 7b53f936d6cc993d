import { pathList, withoutSlashes } from '@coverage/shared/path-patterns';
import type { Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { mergeReports } from '../coverage/merge.ts';

/** Which files of reports count, and where they are in the repo. Plain data: it is sent to a thread. */
export interface FileChoice {
  /** Patterns in order of files that do not count. */
  readonly ignore: readonly string[];
  /** Beginnings of names, and the folders of the repo that they stand for. */
  readonly paths: Readonly<Record<string, string>>;
  /** Flags of whose reports only some files count, with their patterns in order. */
  readonly ofFlags?: readonly { readonly flag: string; readonly paths: readonly string[] }[];
}

/** What counts of the reports of a flag; undefined: of those without one. */
export type ChooseFiles = (report: Report, flag: string | undefined) => Report;

/** A report without what does not count, its files called as in the repo. Two that get one name are merged. */
export function createFileChooser(choice: FileChoice | undefined): ChooseFiles {
  if (choice === undefined) return (report) => report;
  const isIgnored = pathList(choice.ignore);
  const ofFlags = new Map((choice.ofFlags ?? []).map(({ flag, paths }) => [flag, pathList(paths)]));
  const moves = Object.entries(choice.paths).map(([from, to]) => [`${withoutSlashes(from)}/`, to] as const);
  const nameIn = (name: string): string => {
    const [from, to] = moves.find(([start]) => name.startsWith(start)) ?? [];
    return from === undefined ? name : normalizeFileName(`${to}/${name.slice(from.length)}`);
  };
  return (report, flag) => {
    const isOfFlag = flag === undefined ? undefined : ofFlags.get(flag);
    const files = report.files
      .map((file) => ({ ...file, name: nameIn(file.name) }))
      .filter(({ name }) => !isIgnored(name) && isOfFlag?.(name) !== false);
    return moves.length === 0 ? { files } : mergeReports(files.map((file) => ({ files: [file] })));
  };
}
