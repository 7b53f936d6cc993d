import type { FormFields } from '../../access/browser/forms.ts';
import { Failure } from '../../core/failure.ts';
import type { Setting } from '../../core/repo/setting.ts';
import {
  type NamedSetting,
  type RepoSettings,
  type SettingName,
  type SettingsSection,
  settingsOf,
} from '../../core/repo/settings.ts';
import { readRepoChange } from './repo-fields.ts';
import { readSettingsChange } from './settings-fields.ts';

/** Rows of a form of flags that are read. */
const MAX_ROWS = 501;

/**
 * What one part of the form says, checked as the API checks it: throws a Failure `payload-invalid` that names every
 * problem.
 */
export function readSettingsForm(section: SettingsSection, field: FormFields): Partial<RepoSettings> {
  const given = settingsOf(section).map((setting) => ({ ...setting, said: readInput(setting, field) }));
  const fieldsOf = (setAt: Setting['setAt']) =>
    Object.fromEntries(given.filter((one) => one.setAt === setAt).map(({ key, said }) => [key, said]));
  const failures: Failure[] = [];
  const read = (part: () => Partial<RepoSettings>): Partial<RepoSettings> => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'payload-invalid') throw error;
      failures.push(error);
      return {};
    }
  };
  const settings = {
    ...read(() => readRepoChange(fieldsOf('repo'))),
    ...read(() => readSettingsChange(fieldsOf(undefined))),
  };
  const [first] = failures;
  if (first === undefined) return settings;
  const message = failures.map((one) => one.message.replace(/\.$/, '')).join('; ');
  throw new Failure('payload-invalid', `${message}.`, first.field === undefined ? {} : { field: first.field });
}

/** Settings that the page shows in its own way. */
const OWN_INPUTS: { readonly [Name in SettingName]?: (field: FormFields) => unknown } = {
  commentOnPullRequests: (field) => field('comment') !== 'never',
  commentMode: (field) => (field('comment') === 'never' ? undefined : field('comment')),
  // A page that was opened before there was this field leaves it as it is.
  configFile: (field) => field('config_file') || undefined,
  statusNames: namesOf,
  flagSettings: flagRows,
};

/** What an input says, as the API takes it; undefined: nothing. */
function readInput(setting: NamedSetting, field: FormFields): unknown {
  const own = OWN_INPUTS[setting.name];
  if (own !== undefined) return own(field);
  const input = field(setting.input ?? setting.key);
  switch (setting.kind) {
    case 'switch':
      return setting.default === undefined ? ({ yes: true, no: false }[input] ?? null) : isOn(input);
    case 'limit':
    case 'count':
      return numberOf(input);
    case 'limit-or-base':
      return input.trim().toLowerCase() === 'base' ? 'base' : numberOf(input);
    case 'choice':
      return input || null;
    case 'flags':
      return listOf(input);
    default:
      return input.trim() || null;
  }
}

function isOn(value: string): boolean {
  return value !== '';
}

/** A text that is no number continues as it is: then the sentence that refuses it quotes it. */
function numberOf(text: string): number | string | null {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/** One on each line; undefined list: learned from the base. */
function listOf(text: string): readonly string[] | null {
  const flags = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return flags.length === 0 ? null : flags;
}

function namesOf(field: FormFields): object | string | null {
  const chosen = field('names');
  if (chosen === 'coveralls' || chosen === 'codecov') return chosen;
  if (chosen !== 'own') return null;
  return { build: field('name_build').trim(), flag: field('name_flag').trim(), patch: field('name_patch').trim() };
}

/** The numbers of the rows of flags that count: one whose name was cleared is left out. */
export function filledRows(field: FormFields): readonly number[] {
  return Array.from({ length: MAX_ROWS }, (_, row) => row).filter((row) => field(`flag_${row}`).trim() !== '');
}

function flagRows(field: FormFields): readonly object[] {
  return filledRows(field).map((row) => ({
    flag: field(`flag_${row}`).trim(),
    minimum: numberOf(field(`minimum_${row}`)),
    allowed_drop: numberOf(field(`allowed_drop_${row}`)),
    informational: isOn(field(`informational_${row}`)),
  }));
}
