import { quoteValue } from '../failure.ts';
import { PERCENT_FORM, SWITCH_FORM } from './sentences.ts';
import { ALL_SETTINGS, type NamedSetting, type RepoSettings } from './settings.ts';
import { isThreshold } from './threshold.ts';

/** What a value must be, in words, and whether it is that. */
export interface SettingsField {
  readonly kind: 'switch' | 'limit';
  readonly form: string;
  fits(value: unknown): boolean;
}

/** A null switch means not given: the documented sample holds one (api.md "Repos"). */
const SWITCH: SettingsField = {
  kind: 'switch',
  form: SWITCH_FORM,
  fits: (value) => typeof value === 'boolean' || value === null,
};
const LIMIT: SettingsField = {
  kind: 'limit',
  form: PERCENT_FORM,
  fits: (value) => isThreshold(value) || value === null,
};

const OF_REPO = ALL_SETTINGS.filter(({ setAt }) => setAt === 'repo');

/** The settings of a repo that its own address and DEFAULT_REPO_SETTINGS take, by every name that they have there. */
export const SETTINGS_FIELDS: ReadonlyMap<string, SettingsField> = new Map(
  OF_REPO.flatMap((setting) => namesOf(setting).map((name) => [name, setting.kind === 'switch' ? SWITCH : LIMIT])),
);

/** What is wrong with fields that are meant to be settings, one text each; none: toSettings takes them. */
export function findSettingsProblems(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = SETTINGS_FIELDS.get(name);
    if (field === undefined)
      return [`${quoteValue(name, 40)} is unknown (known: ${[...SETTINGS_FIELDS.keys()].join(', ')})`];
    return field.fits(value) ? [] : [`${name} must be ${field.form}, not ${quoteValue(value)}`];
  });
}

/** The settings that are given, of fields that fit. */
export function toSettings(fields: Readonly<Record<string, unknown>>): Partial<RepoSettings> {
  return Object.fromEntries(
    OF_REPO.flatMap((setting) => {
      const given = namesOf(setting).map((name) => fields[name]);
      const value = given.find((one) => one !== undefined && (one !== null || setting.kind !== 'switch'));
      return value === undefined ? [] : [[setting.name, value]];
    }),
  );
}

function namesOf({ key, alias }: NamedSetting): readonly string[] {
  return alias === undefined ? [key] : [key, alias];
}
