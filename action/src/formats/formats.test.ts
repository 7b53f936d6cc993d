import { expect, test } from 'vitest';
import { FORMAT_NAMES, formatNamed, recognize } from './formats.ts';

const reason = (head: string): string => {
  const found = recognize(head);
  return found.format === undefined ? found.reason : `taken for ${found.format.name}`;
};

test('the content decides', () => {
  expect(reason('TN:\nSF:a.c\n')).toBe('taken for lcov');
  expect(reason('<coverage line-rate="1">')).toBe('taken for cobertura');
  expect(reason('<coverage generated="1" clover="3">')).toBe('taken for clover');
  expect(reason('<coverage version="1">\n<file path="a">')).toBe('taken for sonarqube');
});

test('a format by its name, in any case', () => {
  expect(formatNamed('LCOV')?.name).toBe('lcov');
  expect(formatNamed('golang')?.name).toBe('go');
  expect(formatNamed('python')?.name).toBe('coveragepy');
  expect(formatNamed('')).toBeUndefined();
});

test('an unknown name is refused with the known ones', () => {
  expect(() => formatNamed('jacocoo')).toThrow(
    `Input format: "jacocoo" is not a format that can be read. Known formats: ${FORMAT_NAMES}.`,
  );
});

test.each([
  ['', 'it is empty'],
  [' \n', 'it is empty'],
  ['\xff\xfe<\0', 'it is UTF-16 text; write it as UTF-8'],
  ['hello', `its content is none of the known formats (${FORMAT_NAMES})`],
  [
    '<?xml version="1.0"?>\n<crap_result>',
    'it looks like Crap4J XML; it carries no lines: let PHPUnit write --coverage-cobertura',
  ],
  [
    '<!DOCTYPE report><report name="GCOVR report"><package name="src"><sourcefile name="a.c"><line nr="6"/>',
    "it looks like gcovr's JaCoCo XML; it does not say which lines ran: let gcovr write --cobertura or --lcov",
  ],
  [
    '<Root CoveredStatements="1" ReportType="Xml" DotCoverVersion="2023.3">',
    'it looks like dotCover XML without lines; let dotCover write --ReportType=DetailedXML',
  ],
  [
    '{"total": {"lines":{"total":1',
    'it looks like an Istanbul summary (json-summary); it carries no lines: add the reporter lcov',
  ],
  [
    '{"result":[{"scriptId":"1","url":"file:///a.js"',
    "it looks like V8's raw coverage (NODE_V8_COVERAGE); it carries no lines: let c8 make a report of it, " +
      '"c8 report --reporter=lcov"',
  ],
  [
    '{"root": ".", "gcovr/summary_format_version": "0.6"',
    "it looks like gcovr's JSON summary; it carries no lines: run gcovr with --json or --lcov",
  ],
  [
    '{"coveredLines":1,"targets":[',
    'it looks like xccov\'s JSON report; it carries no lines: run "xcrun xccov view --archive --json" on the .xcresult',
  ],
  [
    '<?xml version="1.0"?>\n<!-- BullseyeCoverage XML 8.23.15 -->\n<BullseyeCoverage name="test.cov">',
    "it looks like Bullseye's XML; it names functions and decisions, not all lines that ran: build with gcc " +
      '--coverage or clang, and let gcovr or llvm-cov write LCOV',
  ],
  [
    '\x01\xc0\xc0\x10\x07',
    "it looks like JaCoCo's data (jacoco.exec); " +
      'run "mvn jacoco:report" or "gradle jacocoTestReport" with reports.xml, and take its XML',
  ],
  [
    '\0cvm\x01\0',
    'it looks like Go\'s coverage data; run "go tool covdata textfmt -i=<folder> -o=cover.out" and take cover.out',
  ],
  [
    'adcg*21B',
    "it looks like GCC's coverage data (.gcda, .gcno); " +
      'run "lcov --capture --directory . --output-file coverage.info" or "gcovr --lcov coverage.info"',
  ],
  [
    '\x81rforpl\xff\x08',
    "it looks like LLVM's profile data; " +
      'run "llvm-profdata merge", then "llvm-cov export -format=lcov" with the program',
  ],
  [
    'Tix [ TixModule "Main" 3221592375 7 [1,0]]',
    "it looks like Haskell's tick counts (.tix); let hpc-lcov make LCOV of it, or hpc-codecov Codecov JSON",
  ],
  [
    '# Coverage data, format version: 3.0\n# Statement data:',
    'it looks like scoverage\'s data; run "sbt coverageReport" and take scoverage.xml',
  ],
  ['SQLite format 3\0', 'it looks like coverage.py data; run "coverage lcov" or "coverage xml" first'],
  [
    '{"runs":[{',
    'it looks like Devel::Cover\'s JSON; it carries no lines: run "cover -report lcov" (Devel::Cover::Report::Lcov)',
  ],
  [
    '---------- ------\nFile         stmt   bran\n',
    'it looks like Devel::Cover\'s text; run "cover -report clover" (Devel::Cover::Report::Clover) instead',
  ],
  [
    '12:src/a.lua\n0 1 2 0\n',
    'it looks like luacov.stats.out; it cannot tell missed lines from lines that are not code: run ' +
      '"luacov" and take luacov.report.out',
  ],
])('%j: %s', (head, expected) => {
  expect(reason(head)).toBe(expected);
});
