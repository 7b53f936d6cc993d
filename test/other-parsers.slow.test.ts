import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ParsedReport } from '../action/src/formats/coverage-format.ts';
import { formatNamed } from '../action/src/formats/formats.ts';
import { fixtures, listFixtureReports, readFixtureReport } from './support/fixture-reports.ts';
import { isHere } from './support/packages/tools.ts';
import { reportInMemory } from './support/report-in-memory.ts';

/** Parsers of others, in a package of their own: `npm ci --prefix bench/references` installs them. */
const references = join(import.meta.dirname, '../bench/references/package.json');
const isInstalled = isHere(
  existsSync(join(references, '../node_modules')),
  'parsers of others are missing (npm ci --prefix bench/references)',
);
const requireReference = createRequire(references);

/** What lcov-parse answers, and the others like it. */
interface LcovLike {
  readonly file: string;
  readonly lines: { readonly details: readonly { readonly line: number; readonly hit: number }[] };
}

/** Whether a line was hit, by `file:line`; files by the last part of their name, which all of them know. */
type Lines = ReadonlyMap<string, boolean>;
type Reader = (text: string) => Promise<Lines>;

function linesOf(files: Iterable<readonly [string, Iterable<readonly [number, number]>]>): Lines {
  const lines = new Map<string, boolean>();
  for (const [file, hits] of files)
    for (const [line, count] of hits) {
      const key = `${basename(file)}:${line}`;
      lines.set(key, (lines.get(key) ?? false) || count > 0);
    }
  return lines;
}

function fromLcovLike(files: readonly LcovLike[]): Lines {
  return linesOf(files.map(({ file, lines }) => [file, lines.details.map(({ line, hit }) => [line, hit] as const)]));
}

function lcovLike(load: () => (text: string, done: (error: unknown, files: LcovLike[]) => void) => void): Reader {
  return async (text) => fromLcovLike((await promisify(load())(text)) as LcovLike[]);
}

/** `require` gives what has no types here. */
function parserOf<T>(name: string): T {
  return requireReference(name) as T;
}

type WithContent = { readonly parseContent: Parameters<typeof lcovLike>[0] extends () => infer T ? T : never };

async function readIstanbul(text: string): Promise<Lines> {
  interface Coverage {
    files(): string[];
    fileCoverageFor(file: string): { getLineCoverage(): Record<string, number> };
  }
  const { createCoverageMap } = parserOf<{ createCoverageMap(json: unknown): Coverage }>('istanbul-lib-coverage');
  const map = createCoverageMap(JSON.parse(text));
  const hits = (file: string) => Object.entries(map.fileCoverageFor(file).getLineCoverage());
  return linesOf(map.files().map((file) => [file, hits(file).map(([line, count]) => [Number(line), count] as const)]));
}

/** The plain way: the elements that name a file, and those that name its lines, with what says their hits. */
function overSaxes(file: string, ofFile: string[], [number, hits]: [string, string]): Reader {
  interface Parser {
    on(event: 'opentag', take: (tag: { name: string; attributes: Record<string, string> }) => void): void;
    write(text: string): this;
    close(): void;
  }
  return async (text) => {
    const { SaxesParser } = parserOf<{ SaxesParser: new () => Parser }>('saxes');
    const files: [string, [number, number][]][] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => {
      if (name === file) files.push([ofFile.map((each) => attributes[each]).find(Boolean) ?? '', []]);
      else if (name === 'line' && attributes.type !== 'method')
        files.at(-1)?.[1].push([Number(attributes[number]), Number(attributes[hits])]);
    });
    parser.write(text).close();
    return linesOf(files);
  };
}

async function readLcovParser(text: string): Promise<Lines> {
  interface Section {
    readonly path: string;
    readonly lines: { readonly details: readonly { readonly line: number; readonly hit: number }[] };
  }
  const { lcovParser } = parserOf<{ lcovParser(options: { from: string }): Promise<Section[]> }>(
    '@friedemannsommer/lcov-parser',
  );
  return fromLcovLike((await lcovParser({ from: text })).map(({ path, lines }) => ({ file: path, lines })));
}

const OTHERS: readonly (readonly [format: string, parser: string, Reader])[] = [
  ['lcov', 'lcov-parse', lcovLike(() => parserOf('lcov-parse'))],
  ['lcov', '@friedemannsommer/lcov-parser', readLcovParser],
  ['cobertura', 'cobertura-parse', lcovLike(() => parserOf<WithContent>('cobertura-parse').parseContent)],
  ['clover', 'saxes', overSaxes('file', ['path', 'name'], ['num', 'count'])],
  ['jacoco', 'saxes', overSaxes('sourcefile', ['name'], ['nr', 'ci'])],
  ['go', 'golang-cover-parse', lcovLike(() => parserOf<WithContent>('golang-cover-parse').parseContent)],
  ['istanbul', 'istanbul-lib-coverage', readIstanbul],
];

/** Reports that a parser does not know how to read, and why. */
const UNREAD: Readonly<Record<string, string>> = {
  'saxes openclover-4.5.2-clover': 'its lines have no count there',
  'cobertura-parse nyc-18.0.0-cobertura': 'it never answers',
  'cobertura-parse vitest-5.1.0-cobertura': 'it never answers',
};

function ours({ files }: ParsedReport): Lines {
  return linesOf(
    files.map((file) => {
      const lines: [number, number][] = [];
      file.eachLine((line, hits) => lines.push([line, hits]));
      return [file.name, lines] as const;
    }),
  );
}

const reports = await Promise.all((await listFixtureReports()).map(readFixtureReport));

describe.skipIf(!isInstalled).each(OTHERS)('%s, as %s reads it', (format, parser, read) => {
  const own = reports.filter(({ name, expected }) => expected.format === format && !UNREAD[`${parser} ${name}`]);
  test.each(own.map((report) => [report.name, report] as const))('%s', async (name, { text, expected }) => {
    const bytes = readFileSync(join(fixtures, 'reports', name, expected.report));
    const parsed = formatNamed(format)?.parse(reportInMemory(expected.report, bytes));
    expect(parsed && Object.fromEntries(ours(parsed))).toEqual(Object.fromEntries(await read(text)));
  });
});
