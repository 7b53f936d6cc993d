// What the commands "check", "uncovered" and "mcp" say of themselves and of a change.
import type { NoChange } from '../../change/local-change.ts';
import { counted } from '../counted.ts';

export const PULL_OPTIONS = {
  base: 'the branch that the pull request goes to; else the main branch of origin',
  repo: 'which repo, with a personal token; else COVERAGE_REPO',
  flag: 'a flag of all reports, or of the reports behind "="; as unit=coverage/unit/lcov.info',
  carryforward: 'flags that did not run and keep their last report, with commas, or "all"',
  pullRequest: 'the number of the pull request, where it is there already',
  testedAt: "which commit the pull request's CI tests; else as the repo's last one was",
  json: 'everything as JSON',
} as const;

export const CHECK = {
  summary: 'say before the push which verdict the pull request will get',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports of this folder and what git says has changed since the branch that the pull request goes to,\n' +
    'committed or not. The server judges them by the same rules as the upload that comes, and stores nothing.\n' +
    'Ends with 0 where every commit status will succeed, with 1 where one will not.',
  examples: [
    ['check', 'The verdict on what is here now.'],
    ['check --base=develop --flag=unit', 'For a pull request to develop, whose CI uploads under a flag.'],
    ['check --flag=unit=unit/lcov.info --flag=e2e=e2e/lcov.info', 'Reports of two flags.'],
    ['check --carryforward=all --json', 'With the other flags as they were reported last, for a program.'],
  ],
} as const;

export const UNCOVERED = {
  summary: 'list the lines that still need a test, with their text',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports of this folder. With --changed only lines count that changed since the branch that the pull\n' +
    'request goes to, committed or not. Nothing is sent anywhere.',
  options: {
    changed: 'only lines that changed',
    json: 'as JSON',
    sarif: 'as SARIF 2.1.0, for editors and code scanning',
    github: "as GitHub's workflow commands, which mark the lines",
  },
  examples: [
    ['uncovered --changed', 'What the change does not cover yet.'],
    ['uncovered --json --include="src/**"', 'All lines of src that need a test, for a program.'],
    ['uncovered --changed --sarif > coverage.sarif', 'For an editor.'],
    ['uncovered --changed --github', 'In a step of a workflow.'],
  ],
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

export function noSuchBase(name: string): string {
  return `Neither origin nor this clone has a branch ${name}. Fetch it, or name another one with --base.`;
}

export function noChange(why: NoChange, base: string): string {
  const reasons: Record<NoChange, string> = {
    'no-checkout': 'git knows no commit here',
    'no-merge-base': 'the clone does not show where both part: fetch more of the history (git fetch --unshallow)',
    'not-compared': 'git could not compare them within its time',
  };
  return `What changed since ${base} is not known: ${reasons[why]}.`;
}

export const NO_COMMIT = 'There is no commit here to judge: run it in a checkout of the repo.';

export const CHANGE_NEEDED = 'Without the change there is nothing to list; leave out --changed to list all lines.';

export const PASSES = 'Will pass';
export const FAILS = 'Will fail';

export function comparedWith({ build, chosen }: { readonly build: string; readonly chosen: string }): string {
  return `Compared with build ${build}: ${chosen}.`;
}

export const NOT_COMPARED = 'Compared with nothing: there is no build to compare with.';

export const HEADINGS = {
  statuses: 'Commit statuses:',
  remedies: 'What would pass:',
  uncovered: 'Changed lines without a test:',
  all: 'Lines without a test:',
} as const;

export function remedyOf(of: string): string {
  return of === 'build' ? 'the build' : of === 'patch' ? 'the changed lines' : of.replace(/^flag:/, 'flag ');
}

export function uncoveredAt(lines: number): string {
  return lines === 1 ? 'This line has no test.' : `These ${lines} lines have no test.`;
}

export const BRANCH_MISSED = 'A branch of this line has no test.';

export const SARIF_RULES = {
  line: 'Lines that no test reaches',
  branch: 'Lines of which a branch is not reached',
} as const;

export const TITLES = { line: 'No test', branch: 'A branch without a test' } as const;

export function summaryOf({
  lines,
  branches,
  files,
}: Readonly<Record<'lines' | 'branches' | 'files', number>>): string {
  const ofBranches = branches === 0 ? '' : ` and ${counted(branches, 'line')} with a branch`;
  return `${counted(lines, 'line')}${ofBranches} without a test in ${counted(files, 'file')}.`;
}

export function notInReports(file: string): string {
  return `No report names ${file}. Look at the path, and whether its tests have run.`;
}

export function noSuchTool(name: string): string {
  return `There is no tool ${name}.`;
}

export function notAPullRequest(text: string): string {
  return `A pull request has a number from 1 on, not "${text}".`;
}
