/** A format that is recognised and not read, and what to make instead. */
export interface OtherFormat {
  readonly name: string;
  readonly advice: string;
}

interface Recogniser extends OtherFormat {
  readonly pattern: RegExp;
}

const XML_START = String.raw`^\s*(?:<\?[\s\S]*?\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*`;
const NO_LINES = 'it carries no lines';

const OTHER_FORMATS: readonly Recogniser[] = [
  {
    name: 'Crap4J XML',
    pattern: new RegExp(`${XML_START}<crap_result`),
    advice: `${NO_LINES}: let PHPUnit write --coverage-cobertura`,
  },
  {
    name: 'Clover XML',
    pattern: new RegExp(`${XML_START}<coverage[^>]*\\s(?:generated|clover)=`),
    advice: 'make lcov or cobertura instead',
  },
  { name: 'JaCoCo XML', pattern: new RegExp(`${XML_START}<report[\\s>]`), advice: 'make cobertura instead' },
  {
    name: 'SonarQube XML',
    pattern: new RegExp(`${XML_START}<coverage[^>]*>\\s*<file[\\s>]`),
    advice: 'make lcov or cobertura instead',
  },
  { name: 'a Go cover profile', pattern: /^mode: (?:set|count|atomic)\s/, advice: 'make lcov of it with gcov2lcov' },
  {
    name: 'an Istanbul summary (json-summary)',
    pattern: /^\s*\{\s*"total"\s*:\s*\{\s*"lines"\s*:\s*\{/,
    advice: `${NO_LINES}: add the reporter lcov`,
  },
  { name: 'Istanbul JSON', pattern: /^\s*\{\s*"[^"]+"\s*:\s*\{\s*"path"\s*:/, advice: 'add the reporter lcov' },
  {
    name: 'coverage.py JSON',
    pattern: /^\s*\{\s*"meta"\s*:\s*\{/,
    advice: 'run "coverage lcov" or "coverage xml" instead',
  },
  { name: 'coverage.py data', pattern: /^SQLite format 3\0/, advice: 'run "coverage lcov" or "coverage xml" first' },
  {
    name: "Devel::Cover's JSON",
    pattern: /^\s*\{\s*"(?:runs|summary)"\s*:/,
    advice: `${NO_LINES}: run "cover -report lcov" (Devel::Cover::Report::Lcov)`,
  },
  {
    name: 'luacov.stats.out',
    pattern: /^\d+:[^\n]+\n[\d ]+\n/,
    advice: 'it can not tell missed lines from lines that are not code: use luacov-reporter-lcov',
  },
];

/** The known format that a file's first 64 KiB (as Latin-1) look like, of those that are not read. */
export function otherFormat(head: string): OtherFormat | undefined {
  return OTHER_FORMATS.find((format) => format.pattern.test(head));
}
