import type { FileHits } from '../formats/file-hits.ts';

/** Of a report that is written. */
export interface WritingOptions {
  /** Milliseconds since 1970, where the format states a time. */
  readonly now: number;
  readonly warn: (line: string) => void;
}

/** Writes one format, piece by piece. */
export interface ReportWriter {
  /** As `--to` calls it. */
  readonly name: string;
  /** File names that end like one of these mean this format. */
  readonly endings: readonly string[];
  write(files: readonly FileHits[], options: WritingOptions): Iterable<string>;
}

/** The branches of one file by line, in the order of their keys; each as block, branch, hits. */
export function branchesByLine(file: FileHits): Map<number, (readonly [number, number, number])[]> {
  const groups = file.branches();
  const byLine = new Map<number, (readonly [number, number, number])[]>();
  for (let at = 0; at < groups.length; at += 4) {
    const [line = 0, block = 0, branch = 0, hits = 0] = groups.slice(at, at + 4);
    const known = byLine.get(line);
    if (known === undefined) byLine.set(line, [[block, branch, hits]]);
    else known.push([block, branch, hits]);
  }
  return byLine;
}
