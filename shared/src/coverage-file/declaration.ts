import {
  day,
  either,
  type Form,
  key,
  list,
  map,
  mapOrOff,
  named,
  oneWord,
  onOff,
  percent,
  points,
  text,
  type ValueOf,
  whole,
} from './form.ts';

/** Where a repo keeps its file, the first that is there. */
export const FILE_PLACES = ['.github/coverage.yml', '.coverage-service.yml'] as const;
export const MAX_FILE_BYTES = 64 * 1024;
export const MAX_GROUPS = 100;
/** Groups that `each` finds. */
export const MAX_EACH = 500;
/** Groups with a commit status of their own. */
export const MAX_GROUP_STATUSES = 20;

const PATTERNS = list(
  text(500, 'a pattern of at most 500 characters'),
  500,
  'a list of patterns, at most 500',
) satisfies Form;

const informational = key(onOff, 'The result is shown, and never fails.', ['advisory']);
const until = key(day, 'Informational until this day begins (UTC). Afterwards the rule decides.', [
  'informational_until',
]);
const off = key(onOff, 'Not judged. The same as the word `off` in place of the rule.', ['enabled', 'disabled']);
const drop = key(points, 'How many percentage points it may fall below the base.', ['threshold', 'allowed_drop']);
const minimum = key(percent, 'What must be covered at least.', ['target', 'min', 'fail_under']);

const RULE = { minimum, drop, informational, until, off };

/** Rules of the total, of a build or a group. */
const TOTAL_RULE = mapOrOff(RULE);

/** Rules of changed lines. */
const CHANGES_RULE = mapOrOff({
  ...RULE,
  minimum: key(
    either(percent, oneWord('base')),
    'What must be covered of the changed lines at least. `base`: as much as the total of the base.',
    ['target', 'min'],
  ),
  drop: key(points, 'With `minimum: base`: how many points the changed lines may be below the total of the base.', [
    'threshold',
  ]),
});

const FLAG = mapOrOff({
  ...RULE,
  carry: key(onOff, 'Take the newest earlier report of this flag into builds that have none of it.', ['carryforward']),
  paths: key(PATTERNS, 'The files that count of this flag’s reports. Without it, all.'),
  uploads: key(whole(1, 1000), 'How many uploads of this flag a build has. With fewer the build is incomplete.', [
    'after_n_builds',
  ]),
  changes: key(CHANGES_RULE, 'Rules for the changed lines, by this flag’s reports alone.', ['patch']),
});

const GROUP = map({
  id: key(
    text(64, 'at most 64 of the characters a-z, 0-9, `.`, `_` and `-`', /^[a-z0-9._-]{1,64}$/),
    'What addresses call it. Without it, the name in lower case, with `-` in place of other characters.',
    ['component_id'],
  ),
  name: key(
    text(60, 'a text of at most 60 characters'),
    'What it is called. With `each`, `{1}` stands for what the `*` found. Not needed with `owner` and `each`.',
  ),
  paths: key(PATTERNS, 'Its files. The last pattern that fits decides; one that begins with `!` takes out.', ['files']),
  each: key(
    text(500, 'a pattern with one `*`', /^[^*]*\*[^*]*$/),
    'A group for each folder that the pattern finds, such as `packages/*`. At most 500 groups.',
  ),
  owner: key(
    text(200, 'an owner as CODEOWNERS names it'),
    'Its files are those that CODEOWNERS gives to this owner, such as `@acme/backend`.',
    ['owners', 'team'],
  ),
  flags: key(
    list(text(200, 'the name of a flag'), 50, 'a list of names of flags, at most 50'),
    'Only what the reports of these flags cover. Without it, all.',
    ['flag_regexes'],
  ),
  total: key(TOTAL_RULE, 'Rules for its total.', ['coverage']),
  changes: key(CHANGES_RULE, 'Rules for the changed lines in its files.', ['patch']),
  informational,
  until,
  untouched: key(
    oneWord('pass', 'judge'),
    '`pass` (the default): it passes where the change touches none of its files. `judge`: its rules always decide.',
  ),
  status: key(onOff, 'Give it a commit status of its own. At most 20 groups have one.', ['statuses']),
});

/** All that a `coverage.yml` may hold. */
export const COVERAGE_FILE = map({
  version: key(whole(1, 1), 'The version of this format: 1.'),
  ignore: key(PATTERNS, 'Files that do not count. The last pattern that fits decides; `!` makes an exception.', [
    'exclude',
  ]),
  paths: key(
    named(text(500, 'a folder of the repo'), 100, 'a map of at most 100 beginnings of names to folders of the repo'),
    'What names in reports begin with, and the folder of the repo that it stands for.',
    ['fixes'],
  ),
  uploads: key(
    either(whole(1, 1000), oneWord('run')),
    'How many uploads a build has: no verdict before the last. `run` (the default): the end of the run.',
    ['after_n_builds', 'expected_jobs'],
  ),
  total: key(
    mapOrOff({
      ...RULE,
      ratchet: key(
        map({ tolerance: key(points, 'How many points below the best total a build may be. 0 without it.') }),
        'The minimum rises with the total: the best total of the default branch that stood for 3 builds in the last ' +
          '90 days.',
      ),
    }),
    'Rules for the total of a build.',
    ['project', 'coverage'],
  ),
  changes: key(CHANGES_RULE, 'Rules for the changed lines.', ['patch']),
  elsewhere: key(
    oneWord('off', 'show', 'fail'),
    'Lines that the change leaves as they are and that lost coverage: not listed, listed, or a failure.',
  ),
  flags: key(named(FLAG, 500, 'a map of names of flags, at most 500'), 'Rules for flags, by their names.', [
    'flag_management',
  ]),
  groups: key(list(GROUP, MAX_GROUPS, 'a list of at most 100 groups'), 'Parts of the repo with their own numbers.', [
    'components',
    'component_management',
  ]),
  owners: key(onOff, 'Show the numbers by owner, as CODEOWNERS of the base commit names them.', ['codeowners']),
  untouched: key(
    oneWord('pass', 'judge'),
    'What all groups do where the change touches none of their files, unless a group says otherwise.',
  ),
  branches: key(PATTERNS, 'Base branches whose pull requests are judged. On others everything is informational.'),
  comment: key(
    oneWord('off', 'always', 'on-change', 'on-drop', 'on-missed'),
    'When there is a comment: never; always; when coverage changes or a check fails; when it falls or a check fails; ' +
      'when a changed line is missed or a check fails.',
  ),
  annotations: key(onOff, 'Mark missed changed lines beside the code, where the host can do so.', ['github_checks']),
  informational: key(onOff, 'Everything is shown, and nothing fails.'),
  ignore_removed_code: key(onOff, 'Let a drop pass that only removed code causes.', ['removed_code_behavior']),
  ignore_untouched_files: key(onOff, 'Let a drop pass that only files outside the change cause.'),
  ignore_unstable_lines: key(onOff, 'Let a drop pass that only lines that flip without a change cause.'),
});

export type CoverageFile = ValueOf<typeof COVERAGE_FILE>;
export type FileRule = ValueOf<typeof TOTAL_RULE>;
export type ChangesRule = ValueOf<typeof CHANGES_RULE>;
export type FileFlag = ValueOf<typeof FLAG>;
export type FileGroup = ValueOf<typeof GROUP>;
