import { createGit } from '../context/git.ts';
import * as say from '../messages/command/doctor.ts';
import { SUBJECTS } from '../messages/command/doctor.ts';
import { ActionFailure } from '../runner/failure.ts';
import { withGitFolders } from '../step/run.ts';
import { readLocalReports } from './local-reports.ts';
import { knowsBase } from './runner-of-ci.ts';
import type { Settings } from './settings.ts';
import type { Arguments, Shell } from './shell/command.ts';
import { EXIT, type ExitCode, exitCodeOf } from './shell/exit-codes.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly subject: string;
  readonly text: string;
  /** What to do about it; empty where nothing is. */
  readonly remedy: string;
  /** What "report" would end with for it. */
  readonly code: ExitCode;
}

export const good = (subject: string, text: string, remedy = ''): Finding => ({
  subject,
  text,
  remedy,
  code: EXIT.good,
});

/** What is known of the run without asking anybody. */
export function runFindings({ run, checkout }: Settings): Finding[] {
  const { ci, facts } = run;
  const parts = say.RUN_PARTS.flatMap(([name, key]) => (facts[key] === undefined ? [] : [`${name} ${facts[key]}`]));
  const commit = facts.headSha ?? facts.sha ?? checkout.headSha;
  const branch = facts.branch ?? checkout.branch;
  const merge = facts.headSha !== undefined && facts.headSha !== facts.sha ? [`merge ${facts.sha}`] : [];
  const named = [commit ?? say.COMMIT_MISSING, ...merge, ...(branch === undefined ? [] : [`branch ${branch}`])];
  const baseRemedy = knowsBase(run, checkout) ? '' : say.BASE_UNKNOWN_REMEDY;
  return [
    ci === undefined ? good(SUBJECTS.ci, say.NO_CI, say.NO_CI_REMEDY) : good(SUBJECTS.ci, ci.title),
    good(
      SUBJECTS.run,
      [facts.serviceName ?? '—', ...parts].join(', '),
      facts.number === undefined ? say.NUMBER_MISSING_REMEDY : '',
    ),
    good(SUBJECTS.commit, named.join(', '), commit === undefined ? say.COMMIT_MISSING_REMEDY : baseRemedy),
  ];
}

/** Whether git lists the files that names in reports are looked for in. */
export async function checkoutFinding({ checkout }: Settings): Promise<Finding> {
  const { root, bounds } = checkout;
  const inputs = { githubToken: '', runner: { workspace: bounds, serverUrl: '' } };
  const files = await withGitFolders(inputs, {}, (folders) => createGit(folders).listFiles(root));
  if (files.length === 0) return good(SUBJECTS.git, say.noGit(root), say.NO_GIT_REMEDY);
  return good(SUBJECTS.git, say.checkout(root, files.length));
}

/** Reads the reports as "report" would. */
export async function reportsFinding(given: Arguments, shell: Shell): Promise<Finding> {
  try {
    const { files, reports } = await readLocalReports(given, shell);
    const names = reports.map(({ path, format }) => `${path} (${format.name})`).join(', ');
    if (files.length === 0) return { ...good(SUBJECTS.reports, say.nothingOf(names)), code: EXIT.wrongUse };
    const lines = files.reduce((sum, file) => sum + file.countLines().all, 0);
    return good(SUBJECTS.reports, say.read(files.length, { lines, names }));
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    // Its message says what to do too.
    return { subject: SUBJECTS.reports, text: error.message, remedy: '', code: exitCodeOf(error.code) };
  }
}
