/** What becomes of one input of another action. */
export type Fate =
  /** The same name and meaning. */
  | { readonly kind: 'same' }
  | { readonly kind: 'renamed'; readonly to: string; readonly value?: (text: string) => string }
  /** Taken out: here it is needless, or has no equal. */
  | { readonly kind: 'removed'; readonly why: 'needless' | 'no-equal' };

const SAME: Fate = { kind: 'same' };
const NEEDLESS: Fate = { kind: 'removed', why: 'needless' };
const NO_EQUAL: Fate = { kind: 'removed', why: 'no-equal' };
const renamed = (to: string, value?: (text: string) => string): Fate => ({
  kind: 'renamed',
  to,
  ...(value === undefined ? {} : { value }),
});

/** Of coverallsapp/github-action: our action takes them all, so only names that mean nothing go. */
export const COVERALLS_INPUTS: Readonly<Record<string, Fate>> = {
  'path-to-lcov': renamed('file'),
  debug: NEEDLESS,
  measure: NEEDLESS,
  'coverage-reporter-version': NEEDLESS,
  'coverage-reporter-platform': NEEDLESS,
};

/** Of codecov/codecov-action, versions 1 to 5. */
export const CODECOV_INPUTS: Readonly<Record<string, Fate>> = {
  token: renamed('repo-token'),
  url: NEEDLESS,
  file: renamed('file'),
  files: renamed('files', (text) => text.replaceAll(/,\s*/g, ' ')),
  flags: renamed('flag-name'),
  fail_ci_if_error: renamed('fail-on-error'),
  handle_no_reports_found: renamed('allow-empty'),
  override_branch: renamed('git-branch'),
  override_commit: renamed('git-commit'),
  override_build: renamed('build-number'),
  commit_parent: renamed('compare-sha'),
  exclude: renamed('exclude', (text) => text.replaceAll(/,\s*/g, ' ')),
  dry_run: renamed('dry-run'),
  use_oidc: NEEDLESS,
  disable_search: NEEDLESS,
  verbose: NEEDLESS,
  binary: NEEDLESS,
  version: NEEDLESS,
  skip_validation: NEEDLESS,
  use_legacy_upload_endpoint: NEEDLESS,
  use_pypi: NEEDLESS,
  os: NEEDLESS,
  slug: NEEDLESS,
  git_service: NEEDLESS,
  directory: NO_EQUAL,
  root_dir: NO_EQUAL,
  'working-directory': NO_EQUAL,
  name: NO_EQUAL,
  override_pr: NO_EQUAL,
  override_build_url: NO_EQUAL,
  job_code: NO_EQUAL,
  env_vars: NO_EQUAL,
  codecov_yml_path: NO_EQUAL,
  network_filter: NO_EQUAL,
  network_prefix: NO_EQUAL,
  plugins: NO_EQUAL,
  plugin: NO_EQUAL,
  disable_file_fixes: NO_EQUAL,
  disable_safe_directory: NEEDLESS,
  disable_telem: NEEDLESS,
  force: NO_EQUAL,
  gcov_args: NO_EQUAL,
  gcov_executable: NO_EQUAL,
  gcov_ignore: NO_EQUAL,
  gcov_include: NO_EQUAL,
  swift_project: NO_EQUAL,
  recurse_submodules: NO_EQUAL,
  report_code: NO_EQUAL,
  report_type: NEEDLESS,
};

export const UNKNOWN_TO_COVERALLS = SAME;
export const UNKNOWN_TO_CODECOV = NO_EQUAL;
