// What is said of inputs that are named as codecov/codecov-action names them.

export const TOKEN_TAKEN =
  'Input token is read as repo-token: it has to be the token that your coverage server shows for this repo.';

export const NAMED_ALONE = 'Only the files that are named are uploaded; no others are searched.';

export const EXCLUDE_IGNORED =
  'Input exclude has no effect beside the inputs of codecov/codecov-action, since no reports are searched. In this ' +
  'action it names files of the repo that do not count.';

export const NOTHING_NAMED =
  'Input disable_search: nothing would be uploaded, since files is empty. Name the reports in files.';

export function ignored(names: readonly string[]): string {
  return `Inputs of codecov/codecov-action that have no effect here: ${names.join(', ')}.`;
}

export function refused(name: string, text: string): string {
  return (
    `Input ${name}: expected nothing, got "${text}". This action makes no reports and renames no files by it: run ` +
    'the tool (gcov, for example) in a step of its own, and name its reports in files. path-map changes the names in ' +
    'a report.'
  );
}

export function severalFlags(text: string): string {
  return (
    `Input flags: expected one flag, got "${text}". An upload has one flag here: give each part of the tests a step ` +
    'of its own with parallel: true and its flag-name, and close the build in a last step (parallel-finished).'
  );
}

export function otherReports(text: string): string {
  return `Input report_type: expected coverage, got "${text}". This action uploads coverage alone: remove the step.`;
}

export function otherRepo(text: string, own: string): string {
  return `Input slug: expected ${own || 'the repo of this run'}, got "${text}". The upload is of the run's own repo.`;
}

export function otherRoot(text: string): string {
  return (
    `Input root_dir: expected the root of the checkout, got "${text}". Give base-path if the names in the reports ` +
    'begin in a folder of the repo, or path-map if they have to change.'
  );
}

export function notAPullRequest(text: string): string {
  return `Input override_pr: expected the number of a pull request, got "${text}".`;
}

export function otherExclude(text: string): string {
  return (
    `Input exclude: got "${text}" beside inputs of codecov/codecov-action, where it keeps folders from being ` +
    'searched. Here it would leave files of the repo out of the numbers. Name the reports in files, or remove the ' +
    'input.'
  );
}
