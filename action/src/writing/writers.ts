import { posix } from 'node:path';
import type { Counts, FileHits } from '../formats/file-hits.ts';
import { ActionFailure } from '../runner/failure.ts';

/** For a report that is written. */
interface WritingOptions {
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

/** The JSON that clients send to Coveralls, and that our server takes: its files alone. */
export const coverallsWriter: ReportWriter = {
  name: 'coveralls',
  endings: ['.json'],
  *write(files) {
    let separator = '{"source_files":[\n';
    for (const file of files) {
      const branches = file.branches();
      const entry = { name: file.name, coverage: file.coverage(), ...(branches.length === 0 ? {} : { branches }) };
      yield separator + JSON.stringify(entry);
      separator = ',\n';
    }
    yield files.length === 0 ? `${separator}]}\n` : '\n]}\n';
  },
};

/** LCOV tracefiles (geninfo(1)), with branches; functions are in no report of ours. */
export const lcovWriter: ReportWriter = {
  name: 'lcov',
  endings: ['.info', '.lcov'],
  *write(files) {
    for (const file of files) yield recordOf(file);
  },
};

function recordOf(file: FileHits): string {
  if (/[\r\n]/.test(file.name))
    throw new ActionFailure(
      'bad-input',
      `A name with a line break cannot be written in LCOV: ${JSON.stringify(file.name)}. Write cobertura or coveralls.`,
    );
  let text = `TN:\nSF:${file.name}\n`;
  file.eachLine((line, hits) => {
    text += `DA:${line},${hits}\n`;
  });
  text += branchesOf(file);
  const branches = file.countBranches();
  if (branches.all > 0) text += `BRF:${branches.all}\nBRH:${branches.covered}\n`;
  const lines = file.countLines();
  return `${text}LF:${lines.all}\nLH:${lines.covered}\nend_of_record\n`;
}

function branchesOf(file: FileHits): string {
  const groups = file.branches();
  const coverage = groups.length === 0 ? [] : file.coverage();
  let text = '';
  for (let start = 0; start < groups.length; ) {
    const line = groups[start] as number;
    let end = start;
    // "-" says that the decision was never reached.
    let isReached = (coverage[line - 1] ?? 0) > 0;
    for (; groups[end] === line; end += 4) isReached ||= (groups[end + 3] as number) > 0;
    for (; start < end; start += 4)
      text += `BRDA:${line},${groups[start + 1]},${groups[start + 2]},${isReached ? groups[start + 3] : '-'}\n`;
  }
  return text;
}

const DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">';

/**
 * Cobertura XML (coverage-04.dtd), a package for each folder and a class for each file. It says how many arms of a line
 * were taken, not which; and only of lines that have hits.
 */
export const coberturaWriter: ReportWriter = {
  name: 'cobertura',
  endings: ['.xml'],
  *write(files, options) {
    const packages = Map.groupBy(files, (file) => posix.dirname(file.name));
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield `${DOCTYPE}\n`;
    yield `<coverage ${rates(files)} ${totals(files)} complexity="0" version="1" timestamp="${options.now}">\n`;
    yield '  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n';
    for (const [folder, own] of packages) {
      yield `    <package name="${attribute(folder.replaceAll('/', '.'))}" ${rates(own)} complexity="0">\n`;
      yield '      <classes>\n';
      for (const file of own) yield classOf(file, options);
      yield '      </classes>\n    </package>\n';
    }
    yield '  </packages>\n</coverage>\n';
  },
};

function classOf(file: FileHits, { warn }: WritingOptions): string {
  const name = posix.basename(file.name);
  const coverage = file.coverage();
  const arms = armsByLine(file, coverage, warn);
  const lines = coverage.flatMap((hits, index) => {
    if (hits === null) return [];
    const counted = arms.get(index + 1);
    const start = `            <line number="${index + 1}" hits="${hits}"`;
    if (counted === undefined) return [`${start}/>\n`];
    const { covered, all } = counted;
    const percent = Math.floor((100 * covered) / all);
    return [`${start} branch="true" condition-coverage="${percent}% (${covered}/${all})"/>\n`];
  });
  return [
    `        <class name="${attribute(name)}" filename="${attribute(file.name)}" ${rates([file])} complexity="0">\n`,
    '          <methods/>\n          <lines>\n',
    ...lines,
    '          </lines>\n        </class>\n',
  ].join('');
}

/** Arms on a line without hits are counted on the nearest line that has some, so that the total stays what it is. */
function armsByLine(
  file: FileHits,
  coverage: readonly (number | null)[],
  warn: (line: string) => void,
): Map<number, Counts> {
  const byLine = new Map<number, Counts>();
  for (const [line, branches] of branchesByLine(file)) {
    const at = nearestRelevant(line, coverage);
    if (at === 0) {
      warn(
        `${file.name} has branches but no line with hits: Cobertura cannot represent such branches, so they are ` +
          'left out.',
      );
      break;
    }
    const { covered, all } = byLine.get(at) ?? { covered: 0, all: 0 };
    const taken = branches.filter(([, , hits]) => hits > 0).length;
    byLine.set(at, { covered: covered + taken, all: all + branches.length });
  }
  return byLine;
}

/** The line itself, else the last one before it, else the first one; 0 if none is relevant. */
function nearestRelevant(line: number, coverage: readonly (number | null)[]): number {
  for (let at = Math.min(line, coverage.length); at > 0; at -= 1) if (coverage[at - 1] !== null) return at;
  return coverage.findIndex((hits) => hits !== null) + 1;
}

function rates(files: readonly FileHits[]): string {
  const { lines, branches } = sums(files);
  return `line-rate="${rate(lines)}" branch-rate="${rate(branches)}"`;
}

function totals(files: readonly FileHits[]): string {
  const { lines, branches } = sums(files);
  return (
    `lines-covered="${lines.covered}" lines-valid="${lines.all}" ` +
    `branches-covered="${branches.covered}" branches-valid="${branches.all}"`
  );
}

function sums(files: readonly FileHits[]): { readonly lines: Counts; readonly branches: Counts } {
  const sum = (counts: readonly Counts[]): Counts => ({
    covered: counts.reduce((total, { covered }) => total + covered, 0),
    all: counts.reduce((total, { all }) => total + all, 0),
  });
  return {
    lines: sum(files.map((file) => file.countLines())),
    branches: sum(files.map((file) => file.countBranches())),
  };
}

/** Rounded down, so that 1 means that nothing is missed. */
function rate({ covered, all }: Counts): string {
  return all === 0 ? '1' : String(Math.floor((10_000 * covered) / all) / 10_000);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML holds none of these
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function attribute(text: string): string {
  return text
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
    .replace(/[\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
