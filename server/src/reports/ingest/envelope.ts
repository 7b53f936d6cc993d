import { readRemotes } from './git-remotes.ts';
import { describeValue } from './refusals.ts';

/** Top-level keys that are passed on as they came, where they are not objects or arrays. */
export const SCALAR_KEYS = [
  'repo_token',
  'repo_name',
  'service_name',
  'service_number',
  'service_job_id',
  'service_job_number',
  'service_run_id',
  'service_attempt',
  'service_pull_request',
  'service_branch',
  'service_base_branch',
  'service_base_sha',
  'service_tested_sha',
  'service_event_type',
  'service_build_url',
  'service_job_url',
  'commit_sha',
  'compare_ref',
  'compare_sha',
  'parallel',
  'expected_jobs',
  'flag_name',
  'run_at',
] as const;

const HEAD_KEYS = [
  'id',
  'author_name',
  'author_email',
  'committer_name',
  'committer_email',
  'message',
  'authorName',
  'authorEmail',
  'committerName',
  'committerEmail',
] as const;

/** UTF-16 code units of one string of the envelope: more than any commit message, little enough to store and show. */
export const MAX_ENVELOPE_STRING = 65_536;

/**
 * Every top-level key that is read, except for source_files. `json` may hold the whole job as a string (wire.md, E7);
 * `diff`, `left_out` and `coverage_yml` are read apart (diff-field.ts, ingest-job.ts, rules-field.ts) and are no part
 * of the reduced envelope.
 */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  ...SCALAR_KEYS,
  'git',
  'environment',
  'json',
  'diff',
  'left_out',
  'coverage_yml',
]);

/** Whether a top-level key is read. */
export function isEnvelopeKey(key: string): boolean {
  return ENVELOPE_KEYS.has(key);
}

/** The keys of a job that are read. By name: a hostile job has millions of others. */
export function pickEnvelope(job: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = [...ENVELOPE_KEYS].filter((key) => Object.hasOwn(job, key));
  return Object.fromEntries(known.map((key) => [key, job[key]]));
}

/**
 * What the service keeps of the envelope. For remotes the bare addresses stay, since eight clients send them with
 * credentials; the environment is dropped except for its commit, since it names paths of the CI machine (wire.md).
 * Answers warnings for strings that were cut.
 */
export function reduceEnvelope(raw: Readonly<Record<string, unknown>>): {
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const keep = (object: object, keys: readonly string[], path = ''): Record<string, unknown> => {
    const given = keys.filter((key) => ownValue(object, key) !== undefined);
    return Object.fromEntries(given.map((key) => [key, scalar(ownValue(object, key), path + key, warnings)]));
  };
  const envelope = keep(raw, SCALAR_KEYS);
  const git = firstObject(raw.git);
  if (git !== undefined) {
    const head = firstObject(ownValue(git, 'head'));
    const remotes = readRemotes(ownValue(git, 'remotes'));
    envelope.git = {
      ...(head === undefined ? {} : { head: keep(head, HEAD_KEYS, 'git.head.') }),
      ...keep(git, ['branch'], 'git.'),
      ...(remotes !== undefined && { remotes }),
    };
  }
  const environment = firstObject(raw.environment);
  if (environment !== undefined) envelope.environment = keep(environment, ['commit_sha'], 'environment.');
  return { envelope, warnings };
}

/** An object, or the first of a list: one client sends `[{}]` for git (wire.md). */
function firstObject(value: unknown): object | undefined {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? first : undefined;
}

function ownValue(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

function scalar(value: unknown, path: string, warnings: string[]): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object' && value !== null) return {};
  if (typeof value !== 'string' || value.length <= MAX_ENVELOPE_STRING) return value;
  warnings.push(
    `${path} has ${value.length} characters, of which ${MAX_ENVELOPE_STRING} were kept: ${describeValue(value)}.`,
  );
  return value.slice(0, MAX_ENVELOPE_STRING);
}
