import { z } from 'zod';
import { findStatusNamesProblems, STATUS_NAME_SETS } from '../../core/announce/contexts.ts';
import { DURATION_FORM, formatDuration, parseDuration } from '../../core/duration.ts';
import { quoteValue } from '../../core/failure.ts';
import { PERCENT_FORM, SWITCH_FORM } from '../../core/repo/sentences.ts';
import type { FlagSettings, FormerStatusNames, PatchMinimum, RatchetReset, Setting } from '../../core/repo/setting.ts';
import type { NamedSetting, RepoSettings } from '../../core/repo/settings.ts';
import { isThreshold } from '../../core/repo/threshold.ts';
import { fieldWrong } from '../sentences.ts';
import { A_LIMIT, A_SWITCH, A_TEXT, field, isSwitch } from './checked-fields.ts';

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

const isLimit = (value: unknown): value is number | null => value === null || isThreshold(value);
const isPatchMinimum = (value: unknown): value is PatchMinimum => value === 'base' || isLimit(value);
const aSwitch = field(SWITCH_FORM, isSwitch, A_SWITCH);
const limit = field(PERCENT_FORM, isLimit, A_LIMIT);
const limitOrBase = field('a number from 0 to 100, "base" for the total of the base build, or null', isPatchMinimum, {
  anyOf: [A_LIMIT, { const: 'base' }],
});
const duration = field(`${DURATION_FORM}, at most 30d; or null`, isQuietPeriod, A_TEXT);
const branch = field("a branch's name, or null", isBranch, A_TEXT);
const flagName = field(`a flag's name, 1 to ${MAX_FLAG_LENGTH} characters without blanks around it`, isFlag, A_TEXT);

const count = ({ max, of }: Extract<Setting, { kind: 'count' }>) => {
  const isOne = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;
  return field(`a whole number of ${of} from 1 to ${max}, or null`, isOne, {
    type: 'integer',
    minimum: 1,
    maximum: max,
  });
};
const choice = ({ choices, default: unset }: Extract<Setting, { kind: 'choice' }>) => {
  const words = Object.keys(choices);
  const isWord = (value: unknown): value is string => words.some((word) => word === value);
  return field(oneOf(unset === undefined ? [...words, 'null'] : words), isWord, { type: 'string', enum: words });
};

const list = <Entry extends z.ZodType>(entry: Entry, form: string) =>
  z.array(entry, { error: ({ input }) => fieldWrong(form, quoteValue(input)) }).max(MAX_FLAGS, {
    error: ({ input }) => `has ${(input as unknown[]).length} entries; at most ${MAX_FLAGS} are taken`,
  });
const oneFlag = z.strictObject(
  { flag: flagName, minimum: limit, allowed_drop: limit, informational: aSwitch },
  { error: ({ input }) => `must be {"flag", "minimum", "allowed_drop", "informational"}, not ${quoteValue(input)}` },
);
const someOfFlags = list(
  oneFlag.partial({ minimum: true, allowed_drop: true, informational: true }),
  'a list of what single flags are judged by',
);

const statusNames = z
  .unknown()
  .superRefine(refuseStatusNames)
  .meta({
    description: 'null, "coveralls", "codecov", or three templates; `<flag>` stands for the flag',
    anyOf: [
      { enum: Object.keys(STATUS_NAME_SETS) },
      {
        type: 'object',
        properties: { build: A_TEXT, flag: A_TEXT, patch: A_TEXT },
        required: ['build', 'flag', 'patch'],
      },
    ],
  });

/** What a setting must be in a request or a file: its check, and what a description of the API says of it. */
export function writtenForm(setting: Setting): z.ZodType {
  return setting.default === undefined ? formOf(setting).nullable() : formOf(setting);
}

/** What it is in an answer: nothing is left out, and later servers may say more. */
export function answeredForm(setting: Setting): z.ZodType {
  return setting.kind === 'flag-settings' ? z.array(z.object(oneFlag.shape)) : writtenForm(setting);
}

function formOf(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'switch':
      return aSwitch;
    case 'limit':
      return limit;
    case 'limit-or-base':
      return limitOrBase;
    case 'count':
      return count(setting);
    case 'choice':
      return choice(setting);
    case 'duration':
      return duration;
    case 'branch':
      return branch;
    case 'flags':
      return list(flagName, 'a list of flags, or null');
    case 'flag-settings':
      return someOfFlags.superRefine(refuseRepeats);
    case 'status-names':
      return statusNames;
    case 'ratchet-reset':
      return z.object({ at: z.iso.datetime(), by: z.string(), reason: z.string() });
    case 'former-names':
      return z.array(z.object({ names: statusNames.nullable(), at: z.iso.datetime() }));
  }
}

/** A setting as it is kept, of a value that fits; null leaves open what may be left open. */
export function keepSetting(setting: NamedSetting, written: unknown): Partial<RepoSettings> {
  return {
    [setting.name]: written === null && setting.default === undefined ? undefined : keep(setting.kind, written),
  };
}

function keep(kind: Setting['kind'], written: unknown): unknown {
  switch (kind) {
    case 'duration':
      return parseDuration(written as string);
    case 'flags':
      return [...new Set(written as readonly string[])];
    case 'flag-settings':
      return (written as z.output<typeof someOfFlags>).map(
        ({ flag, minimum = null, allowed_drop = null, informational = false }): FlagSettings => ({
          flag,
          minimum,
          allowedDrop: allowed_drop,
          informational,
        }),
      );
    case 'status-names':
      return typeof written === 'string' ? STATUS_NAME_SETS[written as keyof typeof STATUS_NAME_SETS] : written;
    default:
      return written;
  }
}

/** A setting as it is answered, by its key. */
export function writeSetting({ name, key, kind }: NamedSetting, settings: RepoSettings): readonly [string, unknown] {
  const kept = settings[name];
  return [key, kept === undefined ? null : write(kind, kept)];
}

function write(kind: Setting['kind'], kept: unknown): unknown {
  switch (kind) {
    case 'duration':
      return formatDuration(kept as number);
    case 'flag-settings':
      return (kept as readonly FlagSettings[]).map(({ flag, minimum, allowedDrop, informational }) => ({
        flag,
        minimum,
        allowed_drop: allowedDrop,
        informational,
      }));
    case 'ratchet-reset':
      return { ...(kept as RatchetReset), at: new Date((kept as RatchetReset).at).toISOString() };
    case 'former-names':
      return (kept as readonly FormerStatusNames[]).map(({ names, at }) => ({
        names: names ?? null,
        at: new Date(at).toISOString(),
      }));
    default:
      return kept;
  }
}

function refuseStatusNames(value: unknown, context: z.RefinementCtx): void {
  if (typeof value === 'string' && Object.hasOwn(STATUS_NAME_SETS, value)) return;
  const problems =
    typeof value === 'object'
      ? findStatusNamesProblems(value)
      : [`must be null, "coveralls", "codecov", or {"build", "flag", "patch"}, not ${quoteValue(value)}`];
  for (const message of problems) context.addIssue({ code: 'custom', message });
}

function refuseRepeats(flags: readonly { readonly flag: string }[], context: z.RefinementCtx): void {
  const names = flags.map(({ flag }) => flag);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    context.addIssue({ code: 'custom', message: `names ${quoteValue(repeated, 40)} more than once` });
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`;
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

function isQuietPeriod(value: unknown): value is string {
  const period = typeof value === 'string' ? parseDuration(value) : undefined;
  return period !== undefined && period >= 1 && period <= MAX_QUIET_PERIOD;
}

function isBranch(value: unknown): value is string {
  if (typeof value !== 'string' || value === '@' || !value.isWellFormed()) return false;
  const { mayHold, mustNotBegin, mustNotHold, mustNotEnd } = BRANCH;
  return (
    mayHold.test(value) &&
    [...value].length <= MAX_BRANCH_LENGTH &&
    !mustNotBegin.some((text) => value.startsWith(text)) &&
    !mustNotHold.some((text) => value.includes(text)) &&
    !mustNotEnd.some((text) => value.endsWith(text))
  );
}
