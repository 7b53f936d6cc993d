import { type FirstTag, readFirstTag } from './xml-markup.ts';

/** A format that is recognized and not read, and what to make instead. */
export interface OtherFormat {
  readonly name: string;
  readonly advice: string;
}

interface XmlFormat extends OtherFormat {
  readonly hasRoot: (root: FirstTag) => boolean;
}

interface TextFormat extends OtherFormat {
  readonly pattern: RegExp;
}

const XML_FORMATS: readonly XmlFormat[] = [
  {
    ...{ name: 'Crap4J XML', advice: 'it carries no lines: let PHPUnit write --coverage-cobertura' },
    hasRoot: ({ name }) => name === 'crap_result',
  },
  {
    ...{
      name: "gcovr's JaCoCo XML",
      advice: 'it does not say which lines ran: let gcovr write --cobertura or --lcov',
    },
    hasRoot: ({ name, attributes }) => name === 'report' && /\sname="GCOVR/.test(attributes),
  },
  {
    ...{
      name: 'dotCover XML without lines',
      advice: 'let dotCover write --ReportType=DetailedXML',
    },
    hasRoot: ({ name, attributes }) => name === 'Root' && /\sDotCoverVersion=/.test(attributes),
  },
  {
    ...{
      name: "Bullseye's XML",
      advice:
        'it names functions and decisions, not all lines that ran: ' +
        'build with gcc --coverage or clang, and let gcovr or llvm-cov write LCOV',
    },
    hasRoot: ({ name }) => name === 'BullseyeCoverage',
  },
  {
    ...{
      name: "Visual Studio's coverage data set",
      advice: 'run "dotnet-coverage merge -f cobertura" on the .coverage file instead',
    },
    hasRoot: ({ name }) => name === 'CoverageDSPriv',
  },
];

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: data of tools begins with such bytes.
const TEXT_FORMATS: readonly TextFormat[] = [
  {
    ...{
      name: 'an Istanbul summary (json-summary)',
      advice: 'it carries no lines: add the reporter lcov',
    },
    pattern: /^\s*\{\s*"total"\s*:\s*\{\s*"lines"\s*:\s*\{/,
  },
  {
    ...{ name: "gcovr's JSON summary", advice: 'it carries no lines: run gcovr with --json or --lcov' },
    pattern: /^\s*\{[^{[]*"gcovr\/summary_format_version"/,
  },
  {
    ...{
      name: "V8's raw coverage (NODE_V8_COVERAGE)",
      advice: 'it carries no lines: let c8 make a report of it, "c8 report --reporter=lcov"',
    },
    pattern: /^\s*\{\s*"result"\s*:\s*\[\s*\{\s*"scriptId"/,
  },
  {
    ...{
      name: "xccov's JSON report",
      advice: 'it carries no lines: run "xcrun xccov view --archive --json" on the .xcresult',
    },
    pattern: /^\s*\{\s*"(?:coveredLines|executableLines|lineCoverage|targets)"\s*:/,
  },
  {
    ...{
      name: "JaCoCo's data (jacoco.exec)",
      advice: 'run "mvn jacoco:report" or "gradle jacocoTestReport" with reports.xml, and take its XML',
    },
    pattern: /^\x01\xc0\xc0/,
  },
  {
    ...{
      name: "Go's coverage data",
      advice: 'run "go tool covdata textfmt -i=<folder> -o=cover.out" and take cover.out',
    },
    pattern: /^\0c[vw]m/,
  },
  {
    ...{
      name: "GCC's coverage data (.gcda, .gcno)",
      advice: 'run "lcov --capture --directory . --output-file coverage.info" or "gcovr --lcov coverage.info"',
    },
    pattern: /^(?:adcg|gcda|oncg|gcno)/,
  },
  {
    ...{
      name: "LLVM's profile data",
      advice: 'run "llvm-profdata merge", then "llvm-cov export -format=lcov" with the program',
    },
    pattern: /^(?:\x81[rR]forpl\xff|\xfflprofi\x81)/,
  },
  {
    ...{
      name: "Haskell's tick counts (.tix)",
      advice: 'let hpc-lcov make LCOV of it, or hpc-codecov Codecov JSON',
    },
    pattern: /^\s*Tix\s*\[/,
  },
  {
    ...{ name: "scoverage's data", advice: 'run "sbt coverageReport" and take scoverage.xml' },
    pattern: /^# Coverage data, format version: /,
  },
  {
    ...{ name: 'coverage.py data', advice: 'run "coverage lcov" or "coverage xml" first' },
    pattern: /^SQLite format 3\0/,
  },
  {
    ...{
      name: "Devel::Cover's JSON",
      advice: 'it carries no lines: run "cover -report lcov" (Devel::Cover::Report::Lcov)',
    },
    pattern: /^\s*\{\s*"(?:runs|summary)"\s*:/,
  },
  {
    ...{
      name: "Devel::Cover's text",
      advice: 'run "cover -report clover" (Devel::Cover::Report::Clover) instead',
    },
    pattern: /^-[ -]*\r?\nFile +stmt /,
  },
  {
    ...{
      name: 'luacov.stats.out',
      advice: 'it cannot tell missed lines from lines that are not code: run "luacov" and take luacov.report.out',
    },
    pattern: /^\d+:[^\n]+\n[\d ]+\n/,
  },
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** The known format that a file's first 64 KiB (as Latin-1) look like, of those that are not read. */
export function otherFormat(head: string): OtherFormat | undefined {
  const root = readFirstTag(head);
  return root === undefined
    ? TEXT_FORMATS.find(({ pattern }) => pattern.test(head))
    : XML_FORMATS.find(({ hasRoot }) => hasRoot(root));
}
