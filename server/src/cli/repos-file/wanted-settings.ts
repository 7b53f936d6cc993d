import { isDeepStrictEqual } from 'node:util';
import { ALL_SETTINGS, type RepoSettings } from '../../core/repo/settings.ts';
import { readRepoChange } from '../../repos/http/repo-fields.ts';
import { readSettingsChange, SETTINGS_NAMES } from '../../repos/http/settings-fields.ts';

/** Settings by the names that the API has for them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Those that the repo's own address takes; the others have an address of their own. */
const OF_REPO: readonly string[] = ALL_SETTINGS.filter(({ setAt }) => setAt === 'repo').map(({ key }) => key);

export const KNOWN_SETTINGS: readonly string[] = [...OF_REPO, ...SETTINGS_NAMES];

/** The settings of the repo's own address, and the others. */
export function splitFields(fields: Fields): { readonly ofRepo: Fields; readonly others: Fields } {
  const pick = (isWanted: (name: string) => boolean): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
  return { ofRepo: pick((name) => OF_REPO.includes(name)), others: pick((name) => !OF_REPO.includes(name)) };
}

/** A setting as the server understands it. Throws its Failure if the value does not fit. */
export function readSetting(name: string, value: unknown): Partial<RepoSettings> {
  return OF_REPO.includes(name) ? readRepoChange({ [name]: value }) : readSettingsChange({ [name]: value });
}

/** Whether two values of a setting mean the same, however they are written (`30m` and `1800s`). */
export function isSame(name: string, one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(readSetting(name, one), readSetting(name, other));
}
