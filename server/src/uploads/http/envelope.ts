import { z } from 'zod';
import { MAX_EXPECTED_JOBS } from '../../core/builds/expected-jobs.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import { strayToken } from '../../platform/http/refuse-stray-tokens.ts';
import { MAX_TOKEN } from '../../reports/ingest/early-fields.ts';
import { SCALAR_KEYS } from '../../reports/ingest/envelope.ts';

const MAX_TEXT = 1_000;
const MAX_MESSAGE = 20_000;

/** Texts come as strings, numbers or booleans, as null or missing; trimmed, empty means absent (wire.md). */
function text(limit = MAX_TEXT): z.ZodType<string | undefined> {
  return z.unknown().transform((value, context) => {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      context.addIssue({ code: 'custom', message: `must be a text or a number, but is ${quoteValue(value)}` });
      return z.NEVER;
    }
    const trimmed = String(value).trim();
    return trimmed === '' ? undefined : cut(trimmed, limit);
  }) as z.ZodType<string | undefined>;
}

/** Cutting may halve a surrogate pair, and clients send halves of their own: stores and addresses take neither. */
function cut(text: string, limit: number): string {
  return text.slice(0, limit).toWellFormed();
}

const ON: readonly unknown[] = [true, 1, '1', 'true'];
const OFF: readonly unknown[] = [false, 0, '0', 'false', '', null, undefined];

const flagOnOff = z.unknown().transform((value, context) => {
  const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (ON.includes(plain)) return true;
  if (OFF.includes(plain)) return false;
  context.addIssue({ code: 'custom', message: `must be true or false, but is ${quoteValue(value)}` });
  return z.NEVER;
}) as z.ZodType<boolean>;

const expectedJobs = text().transform((value, context) => {
  const jobs = value === undefined ? undefined : Number(value);
  if (jobs === undefined || (Number.isInteger(jobs) && jobs >= 1 && jobs <= MAX_EXPECTED_JOBS)) return jobs;
  context.addIssue({
    code: 'custom',
    message: `must be a whole number from 1 to ${MAX_EXPECTED_JOBS}, but is ${quoteValue(value)}`,
  });
  return z.NEVER;
}) as z.ZodType<number | undefined>;

const gitHead = z.record(z.string(), z.unknown()).transform((head) => {
  const read = (snake: string, camel: string, limit = MAX_TEXT): string | undefined => {
    const value = head[snake] ?? head[camel];
    return typeof value === 'string' && value.trim() !== '' ? cut(value.trim(), limit) : undefined;
  };
  return {
    id: read('id', 'id'),
    authorName: read('author_name', 'authorName'),
    authorEmail: read('author_email', 'authorEmail'),
    committerName: read('committer_name', 'committerName'),
    committerEmail: read('committer_email', 'committerEmail'),
    message: read('message', 'message', MAX_MESSAGE),
  };
});

const gitSchema = z.object({
  head: gitHead.optional().catch(undefined),
  branch: text().optional().catch(undefined),
  remotes: z.string().max(MAX_TEXT).optional().catch(undefined),
});

/** `{}`, `[{}]`, null and what does not fit mean no such object: git is for display, and never refuses an upload. */
const git = z.unknown().transform((value) => {
  const plain = gitSchema.safeParse(Array.isArray(value) ? value[0] : value);
  return plain.success ? plain.data : { head: undefined, branch: undefined, remotes: undefined };
});

const environment = z
  .unknown()
  .transform(
    (value) =>
      z.object({ commit_sha: z.string() }).safeParse(value).data?.commit_sha.trim().slice(0, MAX_TEXT).toWellFormed() ||
      undefined,
  );

const texts = Object.fromEntries(SCALAR_KEYS.map((key) => [key, text()])) as Record<
  (typeof SCALAR_KEYS)[number],
  z.ZodType<string | undefined>
>;

/** The known keys of an upload, except for its source files. Unknown ones were removed before. */
const envelopeSchema = z.object({
  ...texts,
  repo_token: text(MAX_TOKEN),
  parallel: flagOnOff,
  expected_jobs: expectedJobs,
  git,
  environment,
});

export type Envelope = z.infer<typeof envelopeSchema>;

const EVERY_KEY = Object.fromEntries(Object.keys(envelopeSchema.shape).map((key) => [key, undefined]));

/**
 * Checks an envelope. Throws a Failure `payload-invalid` that names the first field that does not fit, and the value
 * seen.
 */
export function checkEnvelope(envelope: Readonly<Record<string, unknown>>): Envelope {
  const checked = envelopeSchema.safeParse({ ...EVERY_KEY, ...envelope });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new Failure('payload-invalid', `${field} ${issue?.message ?? 'does not fit'}.`, { field });
}

/** Texts that are shown and decide nothing: a commit message may tell of a token. */
const ONLY_SHOWN = /^(?:git\.(?:head\.(?!id$)|remotes$)|service_(?:build|job)_url$)/;

interface Checked {
  readonly envelope: Envelope;
  /** Some quote what was sent. */
  readonly warnings: readonly string[];
}

/**
 * A checked envelope without tokens, except for `repo_token`. One in a text that is only shown is left out, with a
 * warning; one in any other field is refused (Failure `payload-invalid`). `token` is the request's own: one client
 * sends it as its job id too, which then is none (wire.md).
 */
export function withoutTokens(
  { envelope, warnings: quoting }: Checked,
  { secretTexts, token }: { readonly secretTexts: SecretTexts; readonly token: string | undefined },
): Checked {
  const warnings = quoting.map((text) => (secretTexts.find(text) === undefined ? text : secretTexts.hide(text)));
  const clean = (place: string, value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) return cleanAll(`${place}.`, value);
    if (typeof value !== 'string' || place === 'repo_token') return value;
    if (place === 'service_job_id' && value === token) return undefined;
    const kind = secretTexts.find(value);
    if (kind === undefined) return value;
    if (!ONLY_SHOWN.test(place)) throw strayToken(place, kind);
    warnings.push(`${place} held what looks like ${kind}; it was left out. Revoke it if it is real.`);
    return secretTexts.hide(value);
  };
  const cleanAll = (before: string, fields: object): object =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(before + name, value)]));
  return { envelope: cleanAll('', envelope) as Envelope, warnings };
}
