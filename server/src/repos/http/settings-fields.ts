import { z } from 'zod';
import { ALL_SETTINGS, type RepoSettings } from '../../core/repo/settings.ts';
import { checkFields, ignored } from '../../platform/http/checked-fields.ts';
import { keepSetting, writtenForm } from '../../platform/http/written-settings.ts';

const TAKEN = ALL_SETTINGS.filter(({ setAt }) => setAt === undefined);
/** Keys of the answer that cannot be set, so that read, change, write back works. */
const READ_ONLY = [...ALL_SETTINGS.filter(({ setAt }) => setAt === 'nowhere').map(({ key }) => key), 'effective'];

/** The settings that `PUT …/settings` takes. */
export const SETTINGS_NAMES: readonly string[] = TAKEN.map(({ key }) => key);
export const settingsSchema = z.strictObject({
  ...ignored(READ_ONLY),
  ...Object.fromEntries(TAKEN.map((setting) => [setting.key, writtenForm(setting).optional()])),
});

/**
 * The body of a change of settings: those that are given, nothing else. Throws a Failure `payload-invalid` that names
 * every problem.
 */
export function readSettingsChange(body: unknown): Partial<RepoSettings> {
  const fields: Readonly<Record<string, unknown>> = checkFields(settingsSchema, body ?? {}, {
    prefix: '',
    known: SETTINGS_NAMES,
  });
  const given = TAKEN.filter(({ key }) => fields[key] !== undefined);
  return Object.assign({}, ...given.map((setting) => keepSetting(setting, fields[setting.key])));
}
