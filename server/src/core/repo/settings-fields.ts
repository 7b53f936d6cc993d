import { quoteValue } from '../failure.ts';
import type { RepoSettings } from './repo.ts';
import { PERCENT_FORM, SWITCH_FORM } from './sentences.ts';
import { isThreshold } from './settings.ts';

/** A null switch means not given: the documented sample holds one (api.md "Repos"). */
const SWITCH = {
  form: SWITCH_FORM,
  fits: (value: unknown): value is boolean | null => typeof value === 'boolean' || value === null,
};
const LIMIT = {
  form: PERCENT_FORM,
  fits: (value: unknown): value is number | null => isThreshold(value) || value === null,
};

/**
 * The settings of a repo as the API and DEFAULT_REPO_SETTINGS spell them: what each must be, and whether a value is
 * that.
 */
export const SETTINGS_FIELDS = {
  comment_on_pull_requests: SWITCH,
  send_build_status: SWITCH,
  /** The same as send_build_status, as the documented update answer names it (api.md "Repos"). */
  use_status: SWITCH,
  commit_status_fail_threshold: LIMIT,
  commit_status_fail_change_threshold: LIMIT,
} as const;

/** Fields that fit; those that are not given change nothing. */
export interface SettingsFields {
  readonly comment_on_pull_requests?: boolean | null | undefined;
  readonly send_build_status?: boolean | null | undefined;
  readonly use_status?: boolean | null | undefined;
  readonly commit_status_fail_threshold?: number | null | undefined;
  readonly commit_status_fail_change_threshold?: number | null | undefined;
}

/** What is wrong with fields that are meant to be settings, one text each; none: they are SettingsFields. */
export function findSettingsProblems(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const known: Readonly<Record<string, { readonly form: string; fits(value: unknown): boolean }>> = SETTINGS_FIELDS;
  return Object.entries(fields).flatMap(([name, value]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) return [`${quoteValue(name, 40)} is unknown (known: ${Object.keys(known).join(', ')})`];
    return field.fits(value) ? [] : [`${name} must be ${field.form}, not ${quoteValue(value)}`];
  });
}

/** The settings that are given. */
export function toSettings(fields: SettingsFields): Partial<RepoSettings> {
  const sendBuildStatus = fields.send_build_status ?? fields.use_status ?? undefined;
  const commentOnPullRequests = fields.comment_on_pull_requests ?? undefined;
  const { commit_status_fail_threshold: minimum, commit_status_fail_change_threshold: allowedDrop } = fields;
  return {
    ...(commentOnPullRequests === undefined ? {} : { commentOnPullRequests }),
    ...(sendBuildStatus === undefined ? {} : { sendBuildStatus }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(allowedDrop === undefined ? {} : { allowedDrop }),
  };
}
