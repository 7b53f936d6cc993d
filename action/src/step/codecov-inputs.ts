import { isAbsolute, posix } from 'node:path';
import { badInput, type InputTexts, isOff, listed, readSwitch } from './input-values.ts';

const TOKEN_TAKEN =
  'Input token is read as repo-token: it has to be the token that your coverage server shows for this repo.';

const EXCLUDE_IGNORED =
  'Input exclude has no effect together with inputs of codecov/codecov-action, because the step does not search ' +
  'for reports. In this action, it names files of the repo that do not count.';

/** The inputs of a step as this action reads them, whichever action's names they were given by. */
export interface OwnInputs extends InputTexts {
  /** Sentences about inputs that do nothing here. */
  readonly notices: readonly string[];
  /** Folder of the workspace in which reports are searched; undefined: all of it. */
  readonly searched?: string | undefined;
  /** The number of a pull request that the step states itself; empty: it states none. */
  readonly pullRequest: string;
}

/**
 * Inputs of codecov/codecov-action@v5 that mean the same here under another name. Source: its action.yml, as is all of
 * this file.
 */
export const OURS: Readonly<Record<string, string>> = {
  token: 'repo-token',
  flags: 'flag-name',
  dry_run: 'dry-run',
  fail_ci_if_error: 'fail-on-error',
  handle_no_reports_found: 'allow-empty',
  override_branch: 'git-branch',
  override_build: 'build-number',
  override_commit: 'git-commit',
};

/** Those that are about Codecov's own program, its site, or what it shows there. */
export const IGNORED: readonly string[] = [
  ...['base_sha', 'binary', 'codecov_yml_path', 'commit_parent', 'disable_file_fixes', 'disable_safe_directory'],
  ...['disable_telem', 'env_vars', 'force', 'git_service', 'job_code', 'name', 'network_filter', 'os'],
  ...['override_build_url', 'recurse_submodules', 'report_code', 'skip_validation', 'swift_project', 'url'],
  ...['use_legacy_upload_endpoint', 'use_pypi', 'verbose', 'version'],
];

/** Those by which Codecov's program makes reports itself, or renames files in them. */
export const REFUSED: readonly string[] = [
  ...['gcov_args', 'gcov_executable', 'gcov_ignore', 'gcov_include', 'network_prefix', 'plugins', 'run_command'],
];

const SPECIAL = ['directory', 'disable_search', 'override_pr', 'report_type', 'root_dir', 'slug', 'use_oidc'];
const WORKING_DIRECTORY = 'working-directory';

/** Every input that Codecov's action has and this one does not. */
export const CODECOV_INPUTS: readonly string[] = [
  ...Object.keys(OURS),
  ...IGNORED,
  ...REFUSED,
  ...SPECIAL,
  WORKING_DIRECTORY,
];

/**
 * Reads inputs that are named as Codecov's action names them, so that a workflow may change its `uses:` alone. Throws
 * `bad-input` for what would upload something else than there. `repository`: `<owner>/<name>` of the run.
 */
export function readCodecovInputs(given: InputTexts, repository: string): OwnInputs {
  const used = CODECOV_INPUTS.filter((name) => given.input(name) !== '');
  const files = splitFiles(given.input('files'));
  if (used.length === 0)
    return { input: (name) => (name === 'files' ? files.join('\n') : given.input(name)), notices: [], pullRequest: '' };
  check(given, { used, files, repository });
  const folder = given.input(WORKING_DIRECTORY);
  const translated: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(OURS).map(([theirs, ours]) => [ours, given.input(theirs)])),
    // If the token is to be left out, the run's ID token takes its place.
    'repo-token': isOn(given, 'use_oidc') ? '' : given.input('repo-token') || given.input('token'),
    'fail-on-server-error': given.input('fail_ci_if_error'),
    files: files.map((file) => within(folder, file)).join('\n'),
    file: given.input('file') && within(folder, given.input('file')),
  };
  const hasFiles = [...files, given.input('file'), given.input('path-to-lcov')].some((name) => name !== '');
  const directory = given.input('directory');
  return {
    input: (name) => (name === 'exclude' ? '' : translated[name] || (name === 'repo-token' ? '' : given.input(name))),
    notices: noticesOf(given, { used, hasFiles }),
    searched: folder === '' && directory === '' ? undefined : within(folder, directory),
    pullRequest: given.input('override_pr'),
  };
}

export function within(folder: string, name: string): string {
  return isAbsolute(name) ? name : posix.join(folder, name);
}

/** Separated by blanks or commas, or one a line; a comma within braces belongs to a pattern. */
export function splitFiles(text: string): string[] {
  const lines = listed(text, text.includes('\n') ? /\r?\n/ : /\s+/);
  return lines.flatMap((line) => (line.includes('{') ? [line] : listed(line, /,/)));
}

function isOn(given: InputTexts, name: string): boolean {
  return readSwitch(given, name);
}

interface Seen {
  readonly used: readonly string[];
  readonly files: readonly string[];
  readonly repository: string;
}

function check(given: InputTexts, { used, files, repository }: Seen): void {
  const text = (name: string): string => given.input(name).trim();
  const refused = used.find((name) => REFUSED.includes(name) && !(name === 'plugins' && text(name) === 'noop'));
  if (refused !== undefined)
    throw badInput(
      `Input ${refused}: expected nothing, got "${text(refused)}". This action does not create reports or rename ` +
        'files with it: run the tool (gcov, for example) in its own step, and name its reports in files. ' +
        'path-map changes the names in a report.',
    );
  if (text('flags').includes(','))
    throw badInput(
      `Input flags: expected one flag, got "${text('flags')}". ` +
        'An upload has one flag here: give each part of the tests its own step with parallel: true and its ' +
        'flag-name, and close the build in a last step (parallel-finished).',
    );
  if (!['', 'coverage'].includes(text('report_type').toLowerCase()))
    throw badInput(
      `Input report_type: expected coverage, got "${text('report_type')}". ` +
        'This action only uploads coverage: remove the step.',
    );
  if (text('slug') !== '' && text('slug').toLowerCase() !== repository.toLowerCase())
    throw badInput(
      `Input slug: expected ${repository || 'the repo of this run'}, got "${text('slug')}". ` +
        'An upload always belongs to the repo of its run.',
    );
  if (!['', '.', './'].includes(text('root_dir')))
    throw badInput(
      `Input root_dir: expected the root of the checkout, got "${text('root_dir')}". Give base-path if the names ` +
        'in the reports begin in a folder of the repo, or path-map if they have to change.',
    );
  if (!/^\d*$/.test(text('override_pr')))
    throw badInput(`Input override_pr: expected the number of a pull request, got "${text('override_pr')}".`);
  if (isOn(given, 'disable_search') && files.length === 0 && text('file') === '')
    throw badInput('Input disable_search: nothing would be uploaded, since files is empty. Name the reports in files.');
  if (text('exclude') !== '' && !isOn(given, 'disable_search') && files.length === 0)
    throw badInput(
      `Input exclude: got "${text('exclude')}" beside inputs of codecov/codecov-action, ` +
        'which does not search those folders. Here it would leave files of the repo out of the numbers. ' +
        'Name the reports in files, or remove the input.',
    );
}

function noticesOf(given: InputTexts, { used, hasFiles }: Pick<Seen, 'used'> & { readonly hasFiles: boolean }) {
  const ignored = used.filter((name) => IGNORED.includes(name) && !isOff(given.input(name)));
  const isToken = given.input('token') !== '' && given.input('repo-token') === '' && !isOn(given, 'use_oidc');
  return [
    ...(isToken ? [TOKEN_TAKEN] : []),
    ...(hasFiles && !isOn(given, 'disable_search')
      ? ['Only the files that you name are uploaded; the step does not search for others.']
      : []),
    ...(given.input('exclude') === '' ? [] : [EXCLUDE_IGNORED]),
    ...(ignored.length === 0
      ? []
      : [`Inputs of codecov/codecov-action that have no effect here: ${ignored.join(', ')}.`]),
  ];
}
