import { type FirstTag, readFirstTag } from './xml-root.ts';

/** A format that is recognised and not read, and what to make instead. */
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

const NO_LINES = 'it carries no lines';

const XML_FORMATS: readonly XmlFormat[] = [
  {
    name: 'Crap4J XML',
    hasRoot: ({ name }) => name === 'crap_result',
    advice: `${NO_LINES}: let PHPUnit write --coverage-cobertura`,
  },
  {
    name: 'Clover XML',
    hasRoot: ({ name, attributes }) => name === 'coverage' && /\s(?:generated|clover)=/.test(attributes),
    advice: 'make lcov or cobertura instead',
  },
  { name: 'JaCoCo XML', hasRoot: ({ name }) => name === 'report', advice: 'make cobertura instead' },
  {
    name: 'SonarQube XML',
    hasRoot: ({ name, rest = '' }) => name === 'coverage' && readFirstTag(rest)?.name === 'file',
    advice: 'make lcov or cobertura instead',
  },
];

const TEXT_FORMATS: readonly TextFormat[] = [
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
  const root = readFirstTag(head);
  return root === undefined
    ? TEXT_FORMATS.find(({ pattern }) => pattern.test(head))
    : XML_FORMATS.find(({ hasRoot }) => hasRoot(root));
}
