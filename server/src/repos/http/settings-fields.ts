import { z } from 'zod';
import { findStatusNamesProblems, STATUS_NAME_SETS } from '../../core/announce/status-names.ts';
import { DURATION_FORM, parseDuration } from '../../core/duration.ts';
import { quoteValue } from '../../core/failure.ts';
import type { FlagSettings, PatchMinimum, RepoSettings, StatusNames } from '../../core/repo/repo.ts';
import { PERCENT_FORM, SWITCH_FORM } from '../../core/repo/sentences.ts';
import { isThreshold } from '../../core/repo/settings.ts';
import {
  A_LIMIT,
  A_SWITCH,
  A_TEXT,
  A_TEXT_OR_NULL,
  checkFields,
  field,
  ignored,
  isSwitch,
} from '../../platform/http/checked-fields.ts';
import { fieldWrong } from '../../platform/sentences.ts';
import { oneOf } from './sentences.ts';

/** Keys of the answer that cannot be set, so that read, change, write back works. */
const READ_ONLY = ['former_status_names', 'effective'];
/** A repo's flags: each costs a look-up and a context. */
const MAX_FLAGS = 500;
const MAX_FLAG_LENGTH = 500;
const MAX_QUIET_PERIOD = 30 * 86_400_000;

const MAX_BRANCH_LENGTH = 250;
/** git's own rules for names of branches (git-check-ref-format). */
const BRANCH = {
  mayHold: /^[^\p{Cc} ~^:?*[\\]+$/u,
  mustNotBegin: ['-', '/', '.', 'refs/'],
  mustNotHold: ['..', '//', '/.', '@{', '.lock/'],
  mustNotEnd: ['.', '/', '.lock'],
};

const aSwitch = field(SWITCH_FORM, isSwitch, A_SWITCH).optional();
const isLimit = (value: unknown): value is number | null => value === null || isThreshold(value);
const limit = field(PERCENT_FORM, isLimit, A_LIMIT);
const isPatchMinimum = (value: unknown): value is PatchMinimum => value === 'base' || isLimit(value);
const choice = <const Choice extends string | null>(choices: readonly Choice[]) => {
  const isChoice = (value: unknown): value is Choice => choices.some((one) => one === value);
  return field(oneOf(choices.map(String).join(', ')), isChoice, { enum: choices }).optional();
};
const wholeOrNull = (most: number, form: string) => {
  const isOne = (value: unknown): value is number | null =>
    value === null || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most);
  return field(form, isOne, { type: ['integer', 'null'], minimum: 1, maximum: most }).optional();
};
const flagName = field(`a flag's name, 1 to ${MAX_FLAG_LENGTH} characters without blanks around it`, isFlag, A_TEXT);

const list = <Entry extends z.ZodType>(entry: Entry, form: string) =>
  z.array(entry, { error: ({ input }) => fieldWrong(form, quoteValue(input)) }).max(MAX_FLAGS, {
    error: ({ input }) => `has ${(input as unknown[]).length} entries; at most ${MAX_FLAGS} are taken`,
  });

const oneFlag = z.strictObject(
  { flag: flagName, minimum: limit.optional(), allowed_drop: limit.optional(), informational: aSwitch },
  { error: ({ input }) => `must be {"flag", "minimum", "allowed_drop", "informational"}, not ${quoteValue(input)}` },
);

const statusNames = z
  .unknown()
  .transform((value, context): StatusNames | null => {
    if (value === null) return null;
    if (value === 'coveralls' || value === 'codecov') return STATUS_NAME_SETS[value];
    const problems =
      typeof value === 'object'
        ? findStatusNamesProblems(value)
        : [`must be null, "coveralls", "codecov", or {"build", "flag", "patch"}, not ${quoteValue(value)}`];
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return problems.length > 0 ? z.NEVER : (value as StatusNames);
  })
  .meta({
    description: 'null, "coveralls", "codecov", or three templates; `<flag>` stands for the flag',
    anyOf: [
      { type: 'null' },
      { enum: ['coveralls', 'codecov'] },
      {
        type: 'object',
        properties: { build: { type: 'string' }, flag: { type: 'string' }, patch: { type: 'string' } },
        required: ['build', 'flag', 'patch'],
      },
    ],
  });

const FIELDS = {
  patch_status: aSwitch,
  patch_minimum: field('a number from 0 to 100, "base" for the total of the base build, or null', isPatchMinimum, {
    anyOf: [A_LIMIT, { const: 'base' }],
  }).optional(),
  quiet_period: field(`${DURATION_FORM}, at most 30d; or null`, isQuietPeriod, A_TEXT_OR_NULL).optional(),
  expected_flags: list(flagName, 'a list of flags, or null').nullable().optional(),
  flag_settings: list(oneFlag, 'a list of what single flags are judged by').superRefine(refuseRepeats).optional(),
  status_names: statusNames.optional(),
  default_branch: field("a branch's name, or null", isBranchOrNull, A_TEXT_OR_NULL).optional(),
  visibility: choice(['private', 'public', null]),
  accept_forks: aSwitch.nullable(),
  retention_days: wholeOrNull(36_500, 'a whole number of days from 1 to 36500, or null'),
  retention_builds: wholeOrNull(10_000_000, 'a whole number of builds from 1 to 10000000, or null'),
  annotations: aSwitch,
  comment_mode: choice(['always', 'on-change']),
  informational: aSwitch,
  ignore_removed_code: aSwitch,
  ignore_untouched_files: aSwitch,
};
/** The settings that `PUT …/settings` takes. */
export const SETTINGS_NAMES: readonly string[] = Object.keys(FIELDS);
export const settingsSchema = z.strictObject({ ...ignored(READ_ONLY), ...FIELDS });

/**
 * The body of a change of settings: those that are given, nothing else. Throws a Failure `payload-invalid` that names
 * every problem.
 */
export function readSettingsChange(body: unknown): Partial<RepoSettings> {
  const fields = checkFields(settingsSchema, body ?? {}, { prefix: '', known: SETTINGS_NAMES });
  const plain = {
    patchStatus: fields.patch_status,
    patchMinimum: fields.patch_minimum,
    flagSettings: fields.flag_settings?.map(toFlagSettings),
    annotations: fields.annotations,
    commentMode: fields.comment_mode,
    informational: fields.informational,
    ignoreRemovedCode: fields.ignore_removed_code,
    ignoreUntouchedFiles: fields.ignore_untouched_files,
  };
  // Null unsets these: then the server or the provider says.
  const clearable = {
    quietPeriod: fields.quiet_period && parseDuration(fields.quiet_period),
    expectedFlags: fields.expected_flags && [...new Set(fields.expected_flags)],
    statusNames: fields.status_names,
    defaultBranch: fields.default_branch,
    visibility: fields.visibility,
    acceptForks: fields.accept_forks,
    retentionDays: fields.retention_days,
    retentionBuilds: fields.retention_builds,
  };
  const given = [...Object.entries(plain), ...Object.entries(clearable).map(unset)].filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given.map(([name, value]) => [name, value === UNSET ? undefined : value]));
}

const UNSET = Symbol('unset');

function unset([name, value]: readonly [string, unknown]): [string, unknown] {
  return [name, value === null ? UNSET : value];
}

function toFlagSettings({
  flag,
  minimum = null,
  allowed_drop = null,
  informational = false,
}: z.output<typeof oneFlag>): FlagSettings {
  return { flag, minimum, allowedDrop: allowed_drop, informational };
}

function refuseRepeats(flags: readonly { readonly flag: string }[], context: z.RefinementCtx): void {
  const names = flags.map(({ flag }) => flag);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    context.addIssue({ code: 'custom', message: `names ${quoteValue(repeated, 40)} more than once` });
}

function isFlag(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MAX_FLAG_LENGTH &&
    value === value.trim() &&
    value.isWellFormed()
  );
}

function isQuietPeriod(value: unknown): value is string | null {
  const period = typeof value === 'string' ? parseDuration(value) : undefined;
  return value === null || (period !== undefined && period >= 1 && period <= MAX_QUIET_PERIOD);
}

function isBranchOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value !== '@' && value.isWellFormed() && isBranch(value));
}

function isBranch(name: string): boolean {
  const { mayHold, mustNotBegin, mustNotHold, mustNotEnd } = BRANCH;
  return (
    mayHold.test(name) &&
    [...name].length <= MAX_BRANCH_LENGTH &&
    !mustNotBegin.some((text) => name.startsWith(text)) &&
    !mustNotHold.some((text) => name.includes(text)) &&
    !mustNotEnd.some((text) => name.endsWith(text))
  );
}
