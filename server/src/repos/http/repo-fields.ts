import { z } from 'zod';
import { DURATION_FORM, parseDuration } from '../../core/duration.ts';
import { quoteValue } from '../../core/failure.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import type { RepoSettings } from '../../core/repo/settings.ts';
import { SETTINGS_FIELDS, toSettings } from '../../core/repo/settings-fields.ts';
import {
  A_LIMIT,
  A_SWITCH_OR_NULL,
  A_TEXT,
  checkFields,
  type FieldNames,
  field,
  ignored,
  invalidFields,
  isObject,
  isText,
} from '../../platform/http/checked-fields.ts';

/** Keys of the answer that cannot be set: read, change, write back has to work (wire.md, "Other paths"). */
const READ_ONLY = [
  'created_at',
  'updated_at',
  'id',
  'has_badge',
  'token',
  'token_last_used_at',
  'token_last_client',
  'badge_token',
  'warnings',
] as const;
const MAX_GRACE = 90 * 86_400_000;

const isService = (value: unknown): value is RepoAddress['service'] =>
  REPO_SERVICES.some((service) => service === value);

const settingsShape = Object.fromEntries(
  [...SETTINGS_FIELDS].map(([name, { kind, form, fits }]) => [
    name,
    field(form, (value): value is unknown => fits(value), kind === 'switch' ? A_SWITCH_OR_NULL : A_LIMIT).optional(),
  ]),
);
export const updateSchema = z.strictObject({ ...ignored([...READ_ONLY, 'service', 'name']), ...settingsShape });
export const createSchema = z.strictObject({
  ...ignored(READ_ONLY),
  service: field(oneOf(REPO_SERVICES.join(', ')), isService, { enum: REPO_SERVICES }),
  name: field('a text, <owner>/<name>', isText, A_TEXT),
  ...settingsShape,
});
export const graceSchema = z.strictObject({
  grace_period: field(`${DURATION_FORM}, at most 90d`, (value): value is string => isGrace(value), A_TEXT).optional(),
});

function isGrace(value: unknown): boolean {
  const period = typeof value === 'string' ? parseDuration(value) : undefined;
  return period !== undefined && period <= MAX_GRACE;
}

/** The body of a create: `{"repo": {...}}`. Throws a Failure `payload-invalid` that names every problem. */
export function readNewRepo(body: unknown): {
  readonly address: RepoAddress;
  readonly settings: Partial<RepoSettings>;
} {
  const { service, name, ...settings } = checkFields(createSchema, unwrap(body), namesOf('repo.'));
  return { address: { service, name }, settings: toSettings(settings) };
}

/** The body of an update: `{"repo": {...}}` or, as one client sends it, the bare fields. */
export function readRepoChange(body: unknown): Partial<RepoSettings> {
  const wrapped = isObject(body) && Object.hasOwn(body, 'repo');
  return toSettings(checkFields(updateSchema, wrapped ? unwrap(body) : body, namesOf(wrapped ? 'repo.' : '')));
}

/** The body of a new token: nothing, or `{"grace_period": "24h"}`. Milliseconds. */
export function readGracePeriod(body: unknown): number {
  return (
    parseDuration(checkFields(graceSchema, body ?? {}, { prefix: '', known: ['grace_period'] }).grace_period ?? '0s') ??
    0
  );
}

function unwrap(body: unknown): unknown {
  if (!isObject(body)) throw invalidFields(`The body must be {"repo": {…}}, not ${quoteValue(body)}.`);
  const { repo, ...others } = body;
  const strange = Object.keys(others);
  if (repo === undefined) throw invalidFields('The body must be {"repo": {…}}; the key repo is missing.', 'repo');
  if (strange.length > 0)
    throw invalidFields(
      `Unknown next to repo: ${strange.map((name) => quoteValue(name, 40)).join(', ')}. Put settings inside repo.`,
      strange[0],
    );
  return repo;
}

/** Bare fields are an update's, which names no repo. */
function namesOf(prefix: '' | 'repo.'): FieldNames {
  return { prefix, known: [...(prefix === '' ? [] : ['service', 'name']), ...Object.keys(settingsShape)] };
}

function oneOf(known: string): string {
  return `one of ${known}`;
}
