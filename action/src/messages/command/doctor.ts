import { counted } from '../counted.ts';
import type { Texts } from '../values.ts';
// What the command "doctor" says of itself and finds.

export const DOCTOR = {
  summary: 'say what "report" would see and send, and what is wrong',
  usage: '[options] [report...]',
  explanation:
    'Shows which CI was recognised and what it says of the run, which reports were found and taken for what, and\n' +
    'whether the server answers, takes the token and has the same time. What is wrong comes with its remedy.\n' +
    'Nothing is uploaded. It ends with 0 where "report" would have what it needs.',
  examples: [
    ['doctor', 'Look at everything.'],
    ['doctor --endpoint=https://coverage.example', 'Ask this server.'],
    ['doctor --json', 'The findings for a program.'],
  ],
} as const;

export const SUBJECTS = {
  command: 'Command',
  ci: 'CI',
  run: 'Run',
  commit: 'Commit',
  git: 'Checkout',
  reports: 'Reports',
  server: 'Server',
  token: 'Token',
  clock: 'Clock',
} as const;

/** What is said of a run, and by which fact. */
export const RUN_PARTS = [
  ['number', 'number'],
  ['job id', 'jobId'],
  ['job number', 'jobNumber'],
  ['attempt', 'attempt'],
  ['pull request', 'pullRequest'],
  ['address', 'buildUrl'],
] as const;

export const NO_CI = 'none is recognised';

export const NO_CI_REMEDY =
  'On a machine of your own that is right. In a CI set COVERALLS_SERVICE_NAME, COVERALLS_SERVICE_NUMBER and ' +
  'COVERALLS_GIT_BRANCH, or the options of the same meaning.';

export const NUMBER_MISSING_REMEDY =
  'A single report needs none. Parallel ones do: give the same --build-number to each "report" and to "done".';

export const COMMIT_MISSING = 'not known';

export const COMMIT_MISSING_REMEDY = 'Run it in a git checkout, or give --git-commit and --service-branch.';

export const BASE_UNKNOWN_REMEDY =
  'The changed lines cannot be sent: fetch the branch that the pull request goes into ("git fetch origin <branch>").';

export function checkout(root: string, files: number): string {
  return `${root}, ${counted(files, 'tracked file')}`;
}

export function noGit(root: string): string {
  return `${root} is no git checkout that can be read`;
}

export const NO_GIT_REMEDY =
  'Every file counts then, and names in reports are taken as they are. Install git, or run it in the checkout.';

export function read(files: number, { lines, names }: Texts<'names'> & { readonly lines: number }): string {
  return `${counted(files, 'file')} with ${counted(lines, 'relevant line')}, of ${names}`;
}

export function nothingOf(names: string): string {
  return `read, but no line of any file of the checkout: ${names}`;
}

export const NO_ENDPOINT = 'not named';

export function answers(url: string): string {
  return `${url} answers`;
}

export function answersStrangely(url: string, status: number): string {
  return `${url} answers (${status}), but not as a coverage server does`;
}

export const STRANGE_REMEDY = 'Check the address: a proxy or a sign-in page may stand before the server.';

export const SAME_COMMAND = 'is what this server hands out';

export function otherCommand(url: string): string {
  return `Its server hands out another version: curl -fsS ${url}/cli.mjs -o coverage.mjs`;
}

export const TOKEN_GOOD = 'is the token of a repo there';

export const TOKEN_MISSING = 'none is known';

export const OF_GITHUB = 'none is known; the job may ask GitHub for an id-token';

export const PROVIDER_TOKEN =
  'is a token of GitHub, which counts for the repo of the run: only an upload shows whether it does';

export function tokenRefused(said: string): string {
  return `is not taken: ${said}`;
}

export const TOKEN_REMEDY =
  "Copy the repo's token from its page on the server into COVERALLS_REPO_TOKEN; a secret that is empty for pull " +
  'requests of forks is no fault.';

export function clockOff(seconds: number): string {
  return `differs by ${counted(seconds, 'second')} from the server's`;
}

export const CLOCK_GOOD = "is the server's";

export const CLOCK_REMEDY = 'Set the time of this machine by NTP: certificates and id-tokens are of a time.';

export function version(command: string, node: string): string {
  return `${command}, on Node ${node}`;
}
