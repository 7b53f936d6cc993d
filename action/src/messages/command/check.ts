export const PULL_OPTIONS = {
  base: 'the branch that the pull request goes to; else the main branch of origin',
  repo: 'which repo, with a personal token; else COVERAGE_REPO',
  flag: 'a flag of all reports, or of the reports behind "="; as unit=coverage/unit/lcov.info',
  carryforward: 'flags that did not run and keep their last report, with commas, or "all"',
  pullRequest: 'the number of the pull request, where it is there already',
  testedAt: "which commit the pull request's CI tests; else as the repo's last one was",
  json: 'everything as JSON',
} as const;

export const MCP = {
  summary: 'answer coding agents over the Model Context Protocol, on standard input and output',
  usage: '[options] [report...]',
  explanation:
    'Three read-only tools: the uncovered lines of the change, the coverage of a file, and what would make the\n' +
    'check pass. Reports and git are read again for each question.',
  examples: [
    ['mcp', 'For the settings of an agent: {"command": "node", "args": ["coverage.mjs", "mcp"]}.'],
    ['mcp --base=develop', 'Of a change that goes to develop.'],
  ],
  changed: 'Lines that this change added or changed and that no test reaches, with their text',
  ofFile: 'Coverage of one source file: its counts, and its lines without a test',
  file: 'Path of the file in the repo',
  wouldPass: 'The verdict that the pull request of this change will get, and what has to be covered to make it pass',
} as const;

export const NO_BASE =
  'It is not known which branch the change goes to: there is no checkout of git here, or origin has neither a main ' +
  'branch nor main or master. Name it with --base=<branch>.';

export function uncoveredAt(lines: number): string {
  return lines === 1 ? 'This line has no test.' : `These ${lines} lines have no test.`;
}

export const BRANCH_MISSED = 'A branch of this line has no test.';
