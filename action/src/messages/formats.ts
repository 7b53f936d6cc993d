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
  istanbulSummary: {
    name: 'an Istanbul summary (json-summary)',
    advice: 'it carries no lines: add the reporter lcov',
  },
  istanbul: { name: 'Istanbul JSON', advice: 'add the reporter lcov' },
  coveragePyJson: { name: 'coverage.py JSON', advice: 'run "coverage lcov" or "coverage xml" instead' },
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
