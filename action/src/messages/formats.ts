import type { Texts } from './values.ts';
// Why a file is not read as coverage: clauses that follow its name.

export const EMPTY = 'it is empty';

export const UTF_16 = 'it is UTF-16 text; write it as UTF-8';

export function looksLike({ name, advice }: Texts<'name' | 'advice'>): string {
  return `it looks like ${name}; ${advice}`;
}

export function unknownContent(formats: string): string {
  return `its content is none of the known formats (${formats})`;
}

/** Formats that are recognised and not read, and what to make instead. */
export const OTHER_FORMATS = {
  crap4j: { name: 'Crap4J XML', advice: 'it carries no lines: let PHPUnit write --coverage-cobertura' },
  jacoco: {
    name: "gcovr's JaCoCo XML",
    advice: 'it does not say which lines ran: let gcovr write --cobertura or --lcov',
  },
  dotCover: {
    name: 'dotCover XML without lines',
    advice: 'let dotCover write --ReportType=DetailedXML',
  },
  visualStudio: {
    name: "Visual Studio's coverage data set",
    advice: 'run "dotnet-coverage merge -f cobertura" on the .coverage file instead',
  },
  bullseye: {
    name: "Bullseye's XML",
    advice:
      'it names functions and decisions, not all lines that ran: build with gcc --coverage or clang, and let gcovr ' +
      'or llvm-cov write LCOV',
  },
  istanbulSummary: {
    name: 'an Istanbul summary (json-summary)',
    advice: 'it carries no lines: add the reporter lcov',
  },
  gcovrSummary: { name: "gcovr's JSON summary", advice: 'it carries no lines: run gcovr with --json or --lcov' },
  v8: {
    name: "V8's raw coverage (NODE_V8_COVERAGE)",
    advice: 'it carries no lines: let c8 make a report of it, "c8 report --reporter=lcov"',
  },
  xccovReport: {
    name: "xccov's JSON report",
    advice: 'it carries no lines: run "xcrun xccov view --archive --json" on the .xcresult',
  },
  jacocoData: {
    name: "JaCoCo's data (jacoco.exec)",
    advice: 'run "mvn jacoco:report" or "gradle jacocoTestReport" with reports.xml, and take its XML',
  },
  goData: {
    name: "Go's coverage data",
    advice: 'run "go tool covdata textfmt -i=<folder> -o=cover.out" and take cover.out',
  },
  gccData: {
    name: "GCC's coverage data (.gcda, .gcno)",
    advice: 'run "lcov --capture --directory . --output-file coverage.info" or "gcovr --lcov coverage.info"',
  },
  llvmData: {
    name: "LLVM's profile data",
    advice: 'run "llvm-profdata merge", then "llvm-cov export -format=lcov" with the program',
  },
  hpcData: {
    name: "Haskell's tick counts (.tix)",
    advice: 'let hpc-lcov make LCOV of it, or hpc-codecov Codecov JSON',
  },
  scoverageData: { name: "scoverage's data", advice: 'run "sbt coverageReport" and take scoverage.xml' },
  coveragePyData: { name: 'coverage.py data', advice: 'run "coverage lcov" or "coverage xml" first' },
  develCover: {
    name: "Devel::Cover's JSON",
    advice: 'it carries no lines: run "cover -report lcov" (Devel::Cover::Report::Lcov)',
  },
  develCoverText: {
    name: "Devel::Cover's text",
    advice: 'run "cover -report clover" (Devel::Cover::Report::Clover) instead',
  },
  luacovStats: {
    name: 'luacov.stats.out',
    advice: 'it cannot tell missed lines from lines that are not code: run "luacov" and take luacov.report.out',
  },
} as const;
