import { createGit } from '../context/git.ts';
import { ActionFailure } from '../runner/failure.ts';
import { counted } from '../runner/words.ts';
import { withGitFolders } from '../step/run.ts';
import { readLocalReports } from './local-reports.ts';
import { knowsBase } from './runner-of-ci.ts';
import type { Settings } from './settings.ts';
import { type Arguments, EXIT, type ExitCode, exitCodeOf, type Shell } from './shell/command.ts';

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

/** What the CI says about a run, and which fact it is. */
const RUN_PARTS = [
  ['number', 'number'],
  ['job id', 'jobId'],
  ['job number', 'jobNumber'],
  ['attempt', 'attempt'],
  ['pull request', 'pullRequest'],
  ['address', 'buildUrl'],
] as const;

const NO_CI_REMEDY =
  'That is fine on your own machine. In CI, set COVERALLS_SERVICE_NAME, COVERALLS_SERVICE_NUMBER and ' +
  'COVERALLS_GIT_BRANCH, or the equivalent options.';

const NUMBER_MISSING_REMEDY =
  'A single report does not need one. Parallel reports do: give the same --build-number to each "report" and to ' +
  '"done".';

const BASE_UNKNOWN_REMEDY =
  'The changed lines cannot be sent: fetch the target branch of the pull request ("git fetch origin <branch>").';

/** One check. */
export interface Finding {
  readonly subject: string;
  readonly text: string;
  /** What to do about it; empty if nothing is wrong. */
  readonly remedy: string;
  /** The exit code of "report" because of it. */
  readonly code: ExitCode;
}

export const good = (subject: string, text: string, remedy = ''): Finding => ({
  subject,
  text,
  remedy,
  code: EXIT.good,
});

/** What is known about the run without a request. */
export function runFindings({ run, checkout }: Settings): Finding[] {
  const { ci, facts } = run;
  const parts = RUN_PARTS.flatMap(([name, key]) => (facts[key] === undefined ? [] : [`${name} ${facts[key]}`]));
  const commit = facts.headSha ?? facts.sha ?? checkout.headSha;
  const branch = facts.branch ?? checkout.branch;
  const merge = facts.headSha !== undefined && facts.headSha !== facts.sha ? [`merge ${facts.sha}`] : [];
  const named = [commit ?? 'not known', ...merge, ...(branch === undefined ? [] : [`branch ${branch}`])];
  const baseRemedy = knowsBase(run, checkout) ? '' : BASE_UNKNOWN_REMEDY;
  return [
    ci === undefined ? good(SUBJECTS.ci, 'none is recognized', NO_CI_REMEDY) : good(SUBJECTS.ci, ci.title),
    good(
      SUBJECTS.run,
      [facts.serviceName ?? '—', ...parts].join(', '),
      facts.number === undefined ? NUMBER_MISSING_REMEDY : '',
    ),
    good(
      SUBJECTS.commit,
      named.join(', '),
      commit === undefined ? 'Run it in a git checkout, or give --git-commit and --service-branch.' : baseRemedy,
    ),
  ];
}

/** Whether git lists the files that the names in reports stand for. */
export async function checkoutFinding({ checkout }: Settings): Promise<Finding> {
  const { root, bounds } = checkout;
  const inputs = { githubToken: '', runner: { workspace: bounds, serverUrl: '' } };
  const files = await withGitFolders(inputs, {}, (folders) => createGit(folders).listFiles(root));
  if (files.length === 0)
    return good(
      SUBJECTS.git,
      `${root} is no git checkout that can be read`,
      'Every file counts then, and names in reports are used as they are. Install git, or run it in the checkout.',
    );
  return good(SUBJECTS.git, `${root}, ${counted(files.length, 'tracked file')}`);
}

/** Reads the reports as "report" would. */
export async function reportsFinding(given: Arguments, shell: Shell): Promise<Finding> {
  try {
    const { files, reports } = await readLocalReports(given, shell);
    const names = reports.map(({ path, format }) => `${path} (${format.name})`).join(', ');
    if (files.length === 0)
      return {
        ...good(SUBJECTS.reports, `read, but no line of any file of the checkout: ${names}`),
        code: EXIT.wrongUse,
      };
    const lines = files.reduce((sum, file) => sum + file.countLines().all, 0);
    return good(
      SUBJECTS.reports,
      `${counted(files.length, 'file')} with ${counted(lines, 'relevant line')}, of ${names}`,
    );
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    // Its message says what to do too.
    return { subject: SUBJECTS.reports, text: error.message, remedy: '', code: exitCodeOf(error.code) };
  }
}
