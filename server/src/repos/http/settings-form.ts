import type { FormFields } from '../../access/browser/forms.ts';
import type { RepoSettings } from '../../core/repo/repo.ts';
import { readRepoChange } from './repo-fields.ts';
import { readSettingsChange } from './settings-fields.ts';

/** The parts of the settings page that are saved by themselves. */
export const SECTIONS = ['thresholds', 'statuses', 'comment', 'builds', 'flags'] as const;
export type SettingsSection = (typeof SECTIONS)[number];

/** Rows of a form of flags that are read. */
const MOST_ROWS = 501;

/**
 * What one part of the form says, checked as the API checks it: throws a Failure `payload-invalid` that names every
 * problem.
 */
export function readSettingsForm(section: SettingsSection, field: FormFields): Partial<RepoSettings> {
  const { repo = {}, settings = {} } = READ[section](field);
  return { ...readRepoChange(repo), ...readSettingsChange(settings) };
}

interface Bodies {
  readonly repo?: object;
  readonly settings?: object;
}

const READ: Readonly<Record<SettingsSection, (field: FormFields) => Bodies>> = {
  thresholds: (field) => ({
    repo: {
      commit_status_fail_threshold: numberOf(field('minimum')),
      commit_status_fail_change_threshold: numberOf(field('allowed_drop')),
    },
    settings: {
      patch_minimum: numberOrBase(field('patch_minimum')),
      ignore_removed_code: isOn(field('ignore_removed_code')),
      ignore_untouched_files: isOn(field('ignore_untouched_files')),
    },
  }),
  statuses: (field) => ({
    repo: { send_build_status: isOn(field('send_build_status')) },
    settings: {
      informational: isOn(field('informational')),
      patch_status: isOn(field('patch_status')),
      status_names: namesOf(field),
    },
  }),
  comment: (field) => ({
    repo: { comment_on_pull_requests: field('comment') !== 'never' },
    settings: {
      ...(field('comment') === 'never' ? {} : { comment_mode: field('comment') }),
      annotations: isOn(field('annotations')),
    },
  }),
  builds: (field) => ({
    settings: {
      expected_flags: listOf(field('expected_flags')),
      default_branch: field('default_branch').trim() || null,
      quiet_period: field('quiet_period').trim() || null,
      retention_days: numberOf(field('retention_days')),
      retention_builds: numberOf(field('retention_builds')),
      visibility: field('visibility') || null,
      accept_forks: { yes: true, no: false }[field('accept_forks')] ?? null,
    },
  }),
  flags: (field) => ({ settings: { flag_settings: flagRows(field) } }),
};

function isOn(value: string): boolean {
  return value !== '';
}

/** A text that is no number goes on as it is: then the sentence that refuses it quotes it. */
function numberOf(text: string): number | string | null {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return Number.isFinite(Number(plain)) ? Number(plain) : text;
}

function numberOrBase(text: string): number | string | null {
  return text.trim().toLowerCase() === 'base' ? 'base' : numberOf(text);
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

/** A row whose name was cleared is left out. */
function flagRows(field: FormFields): readonly object[] {
  const rows: object[] = [];
  for (let row = 0; row < MOST_ROWS; row += 1) {
    const flag = field(`flag_${row}`).trim();
    if (flag === '') continue;
    rows.push({
      flag,
      minimum: numberOf(field(`minimum_${row}`)),
      allowed_drop: numberOf(field(`allowed_drop_${row}`)),
      informational: isOn(field(`informational_${row}`)),
    });
  }
  return rows;
}
