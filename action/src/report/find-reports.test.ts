import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FORMATS, formatNamed } from '../formats/formats.ts';
import type { Log } from '../runner/log.ts';
import { findReports, type ReportSearch } from './find-reports.ts';

const LCOV = 'TN:\nSF:a.c\nend_of_record\n';
const V8 = '{"result":[{"scriptId":"1"}]}';
const COBERTURA = '<coverage line-rate="1"><packages/></coverage>';

let workspace = '';
let lines: string[] = [];
const log: Log = { info: (line) => lines.push(line), warning: (line) => lines.push(`warning: ${line}`) };

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'find-reports-'));
  lines = [];
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
}

function find(search: Partial<ReportSearch> = {}): string[] {
  const found = findReports({ workspace, patterns: [], format: undefined, allowEmpty: false, ...search }, log);
  return found.map(({ path, format }) => `${path}: ${format.name}`);
}

test('usual names anywhere, decided by content, sorted; other people’s folders are passed over', () => {
  write({
    'b/lcov.info': LCOV,
    'a/coverage.xml': COBERTURA,
    'unit.lcov': LCOV,
    'coverage/cobertura-coverage.xml': COBERTURA,
    'node_modules/x/lcov.info': LCOV,
    'vendor/x/lcov.info': LCOV,
    '.git/lcov.info': LCOV,
    'src/other.xml': COBERTURA,
  });
  expect(find()).toEqual([
    'a/coverage.xml: cobertura',
    'b/lcov.info: lcov',
    'coverage/cobertura-coverage.xml: cobertura',
    'unit.lcov: lcov',
  ]);
  expect(lines).toContain('Report: b/lcov.info (lcov)');
});

test('a file that is named like a report and is none is said, and passed over', () => {
  write({ 'lcov.info': LCOV, 'clover/coverage.xml': '<crap_result>', 'x/coverage.xml': '' });
  expect(find()).toEqual(['lcov.info: lcov']);
  expect(lines).toContain(
    'Not a report: clover/coverage.xml: it looks like Crap4J XML; it carries no lines: let PHPUnit write ' +
      '--coverage-cobertura',
  );
  expect(lines).toContain('Not a report: x/coverage.xml: it is empty');
});

test('what c8 left of many processes is said once a folder', () => {
  const raw = Object.fromEntries(
    ['tmp', 'tmp', 'tmp', 'more'].map((folder, at) => [`${folder}/coverage-${at}.json`, V8]),
  );
  write({ 'lcov.info': LCOV, ...raw });
  expect(find({ patterns: ['**/*.json', 'lcov.info'] })).toEqual(['lcov.info: lcov']);
  const said = lines.filter((line) => line.startsWith('Not a report'));
  expect(said.map((line) => line.split(': ', 2)[1])).toEqual(['more/coverage-3.json', '3 files in tmp']);
});

test('one run in two formats counts once: of one folder, the first format is taken', () => {
  write({ 'coverage/lcov.info': LCOV, 'coverage/cobertura-coverage.xml': COBERTURA, 'other/coverage.xml': COBERTURA });
  expect(find()).toEqual(['coverage/lcov.info: lcov', 'other/coverage.xml: cobertura']);
  expect(lines.filter((line) => line.startsWith('Skipped'))).toEqual([
    expect.stringContaining('coverage/cobertura-coverage.xml'),
  ]);
});

test('sbt-scoverage writes one run into two folders, of which the first format is taken', () => {
  write({ 'target/coverage-report/cobertura.xml': COBERTURA, 'target/scoverage-report/scoverage.xml': '<scoverage/>' });
  expect(find()).toEqual(['target/coverage-report/cobertura.xml: cobertura']);
  rmSync(join(workspace, 'target/coverage-report'), { recursive: true });
  expect(find()).toEqual(['target/scoverage-report/scoverage.xml: scoverage']);
});

test('both are taken where both are named', () => {
  write({ 'coverage/lcov.info': LCOV, 'coverage/cobertura-coverage.xml': COBERTURA });
  expect(find({ patterns: ['coverage/*'] })).toHaveLength(2);
});

test('paths and patterns; a file that both name is taken once', () => {
  write({ 'out/a.txt': LCOV, 'out/deep/b.txt': LCOV, 'out/[id].txt': LCOV, 'c d.xml': COBERTURA });
  expect(
    find({ patterns: ['out/a.txt', 'out/**/*.txt', 'c d.xml', join(workspace, 'out/a.txt'), 'out/[id].txt'] }),
  ).toEqual(['c d.xml: cobertura', 'out/[id].txt: lcov', 'out/a.txt: lcov', 'out/deep/b.txt: lcov']);
});

test('a given format limits the search, and is believed of a file that is no other format', () => {
  write({ 'lcov.info': LCOV, 'x/coverage.xml': COBERTURA, 'odd.txt': '<!-- odd -->' });
  expect(find({ format: formatNamed('cobertura') })).toEqual(['x/coverage.xml: cobertura']);
  expect(find({ format: formatNamed('cobertura'), patterns: ['odd.txt'] })).toEqual(['odd.txt: cobertura']);
  expect(() => find({ format: formatNamed('cobertura'), patterns: ['lcov.info'] })).toThrow(
    /^lcov\.info cannot be read as coverage: it is lcov, another format than the input format names\.$/,
  );
  write({ 'two.json': '{"gcovr/format_version":"0.15","source_files":[{"name":"a.c"}]}' });
  for (const name of ['gcovr', 'coveralls'])
    expect(find({ format: formatNamed(name), patterns: ['two.json'] })).toEqual([`two.json: ${name}`]);
});

test('a named file that is missing: what is there instead', () => {
  write({ 'coverage/lcov.info': LCOV });
  expect(() => find({ patterns: ['lcov.info'] })).toThrow(
    `There is no file lcov.info in ${workspace}. Files there that are named like reports: coverage/lcov.info.`,
  );
});

test('a named file that is missing is allowed where nothing is', () => {
  write({ 'coverage/lcov.info': LCOV });
  expect(find({ patterns: ['gone.info', 'coverage/lcov.info'], allowEmpty: true })).toEqual([
    'coverage/lcov.info: lcov',
  ]);
  expect(lines).toContain(`There is no file gone.info in ${workspace}. Treated as empty: allow-empty is set.`);
});

test('a named file of another format: what to make instead', () => {
  write({ 'clover.xml': '<crap_result>' });
  expect(() => find({ patterns: ['clover.xml'] })).toThrow(
    'clover.xml cannot be read as coverage: it looks like Crap4J XML',
  );
});

test('a named file that is empty', () => {
  write({ 'lcov.info': '\n' });
  expect(() => find({ patterns: ['lcov.info'] })).toThrow(
    'lcov.info cannot be read as coverage: it is empty. Check that the tests ran',
  );
  expect(find({ patterns: ['lcov.info'], allowEmpty: true })).toEqual([]);
});

test('nothing found: all that was searched', () => {
  const usual = FORMATS.map(({ name, globs }) => `${globs.map((glob) => `**/${glob}`).join(', ')} (${name})`);
  const searched = usual.join(', ');
  expect(searched).toContain('**/lcov*.info, **/coverage*.info, **/*.lcov (lcov), ');
  expect(() => find()).toThrow(
    `No coverage report: searched ${workspace} for ${searched}, but no such file was found. node_modules, vendor and ` +
      '.git were left out.',
  );
  expect(() => find({ patterns: ['out/*.xml'] })).toThrow(
    `searched ${workspace} for out/*.xml, but no such file was found. There is no file with a common report name ` +
      'either.',
  );
  expect(find({ allowEmpty: true })).toEqual([]);
});

test('the known formats are named once, whatever was searched and found', () => {
  const said = (search: Parameters<typeof find>[0]): number => {
    let message = '';
    try {
      find(search);
    } catch (error) {
      message = (error as Error).message;
    }
    return [...lines, message].join('\n').split(' gcov-json').length - 1;
  };
  expect(said({})).toBe(0);
  expect(said({ patterns: ['out/*.xml'] })).toBe(1);
  write({ 'lcov.info': 'no report' });
  expect(said({})).toBe(1);
});

test("where only coverage.py's data lies, the log says what makes a report of it", () => {
  write({ '.coverage': 'SQLite format 3\0' });
  expect(() => find()).toThrow('No coverage report: searched');
  expect(lines).toContain(
    'Not a report: .coverage: it looks like coverage.py data; run "coverage lcov" or "coverage xml" first',
  );
});

test('a file of a usual name that is of another format than the one asked for is left out', () => {
  write({ 'a/coverage.json': '{"coverage":{"a.x":{"1":1}}}', 'b/coverage.json': '{"gcovr/format_version":"0.15"' });
  expect(find({ format: formatNamed('codecov') })).toEqual(['a/coverage.json: codecov']);
  expect(lines).toContain('Not a report: b/coverage.json: it is gcovr, another format than the input format names');
});

test("of SimpleCov's two files of one run one is read", () => {
  const coverage = '"coverage":{"a.rb":{"lines":[1]}}';
  write({
    'coverage/.resultset.json': `{"RSpec":{${coverage},"timestamp":1}}`,
    'coverage/coverage.json': `{"meta":{"simplecov_version":"0.22.0"},${coverage}}`,
  });
  expect(find()).toEqual(['coverage/coverage.json: simplecov']);
});
