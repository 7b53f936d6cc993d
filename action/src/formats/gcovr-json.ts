import type { CoverageFormat } from './coverage-format.ts';
import { readGcovFiles } from './gcov-lines.ts';
import { readJsonHead } from './json-head.ts';
import { parseJson } from './json-hits.ts';

/** What `gcovr --json` writes: gcov's own lines, merged, with what it does not count marked. */
export const gcovrJson: CoverageFormat = {
  name: 'gcovr',
  globs: ['*gcovr*.json', 'coverage*.json'],
  matches: (head) => readJsonHead(head).has('gcovr/format_version'),
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'files' ? readGcovFiles(hits) : undefined),
    })),
};
