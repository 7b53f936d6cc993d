import { createRequire } from 'node:module';
import type { Report } from '../server/src/core/coverage/file-coverage.ts';
import { processorTime, type Timing, timingOf } from './measure.ts';

const NAME = 'istanbul-lib-coverage';
/** It takes seconds: few rounds are enough to see a factor of a hundred. */
const ROUNDS = 3;

interface CoverageMap {
  merge(other: CoverageMap): void;
  getCoverageSummary(): { readonly data: Readonly<Record<'lines' | 'branches', { total: number; covered: number }>> };
}

/** Merges the same reports with istanbul-lib-coverage; undefined if it is not installed. */
export function timeIstanbul(reports: readonly Report[]): Timing | undefined {
  const createMap = loadIstanbul();
  if (createMap === undefined) return undefined;
  const [first, ...others] = reports.map(toIstanbul);
  const maps = others.map(createMap);
  const times = Array.from({ length: ROUNDS }, () => {
    // The first is changed by merging.
    const merged = createMap(structuredClone(first ?? {}));
    const start = processorTime();
    for (const map of maps) merged.merge(map);
    merged.getCoverageSummary();
    return processorTime() - start;
  });
  return timingOf(NAME, times);
}

function loadIstanbul(): ((data: object) => CoverageMap) | undefined {
  try {
    const require = createRequire(new URL('./references/package.json', import.meta.url));
    return (require(NAME) as { readonly createCoverageMap: (data: object) => CoverageMap }).createCoverageMap;
  } catch {
    return undefined;
  }
}

/** A statement for each relevant line, a branch for each line that has some. */
function toIstanbul({ files }: Report): object {
  return Object.fromEntries(files.map((file) => [file.name, fileOf(file)]));
}

function fileOf({ name, hits, branches }: Report['files'][number]): object {
  const place = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 80 } });
  const relevant = Array.from(hits, (value, index) => [index, value] as const).filter(([, value]) => value >= 0);
  const ofLines = Map.groupBy(branches.line.keys(), (index) => branches.line[index] as number);
  const entries = [...ofLines].map(([line, places]) => {
    const locations = places.map(() => place(line));
    const taken = places.map((at) => branches.hits[at] as number);
    return [line, { loc: place(line), line, type: 'if', locations }, taken] as const;
  });
  return {
    path: name,
    statementMap: Object.fromEntries(relevant.map(([index]) => [index, place(index + 1)])),
    s: Object.fromEntries(relevant),
    fnMap: {},
    f: {},
    branchMap: Object.fromEntries(entries.map(([line, branch]) => [line, branch])),
    b: Object.fromEntries(entries.map(([line, , taken]) => [line, taken])),
  };
}
