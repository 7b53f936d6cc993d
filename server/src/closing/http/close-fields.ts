import type { CarryforwardRequest } from '../../core/builds/build.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { isObject } from '../../platform/http/checked-fields.ts';
import { readJsonObject } from '../../platform/http/read-json.ts';
import type { RequestCloseInput } from '../request-close.ts';
import type { RequestRerunInput } from '../request-rerun.ts';

/** Flags that one close may name: each is looked up. */
const MAX_CARRIED = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A close as clients send it (wire.md "Close"): fields in the query or the body, the payload as an object, as form
 * pairs, as a JSON string, or missing. Throws a Failure `payload-invalid` for what does not fit.
 */
export function readClosePayload(query: Fields, body: unknown): Omit<RequestCloseInput, 'address'> {
  const fields = asFields(body ?? {}, 'the body');
  const payload = readPayload(fields.payload);
  const status = readText(payload.status, 'payload.status') ?? 'done';
  if (status !== 'done') {
    throw new Failure('payload-invalid', `payload.status must be "done", but is ${quoteValue(status)}.`, {
      field: 'payload.status',
    });
  }
  // An empty text in one place does not hide the value in the other.
  const either = (field: string): string | undefined => readText(query[field], field) ?? readText(fields[field], field);
  return {
    token: either('repo_token'),
    repoName: either('repo_name'),
    buildNumber: readText(payload.build_num, 'payload.build_num'),
    carryforward:
      readCarryforward(query.carryforward) ??
      readCarryforward(fields.carryforward) ??
      readCarryforward(payload.carryforward),
  };
}

/**
 * A rerun's fields, in the query or the body, `build_num` bare or within a payload as a close has it. Throws a Failure
 * `payload-invalid` for what does not fit.
 */
export function readRerun(query: Fields, body: unknown): Omit<RequestRerunInput, 'address'> {
  const fields = isObject(body) ? body : {};
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  const bare = [query.build_num, fields.build_num].find(isGiven);
  const payload = bare === undefined ? fields.payload : { build_num: bare };
  const read = readClosePayload(query, isObject(body) ? { ...fields, payload } : (body ?? { payload }));
  return { token: read.token, repoName: read.repoName, buildNumber: read.buildNumber };
}

function readPayload(value: unknown): Fields {
  if (value === null || value === undefined || value === '') return {};
  if (typeof value !== 'string') return asFields(value, 'payload');
  const read = readJsonObject(value);
  if ('value' in read) return read.value;
  const sentence = `payload must be an object or its JSON, but is ${quoteValue(value)}.`;
  throw new Failure('payload-invalid', sentence, { field: 'payload' });
}

function asFields(value: unknown, name: string): Fields {
  if (isObject(value)) return value;
  throw new Failure('payload-invalid', `${name} must be an object, but is ${quoteValue(value)}.`, { field: name });
}

function readText(value: unknown, field: string): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  if (one === null || one === undefined) return undefined;
  if (typeof one !== 'string' && typeof one !== 'number') {
    throw new Failure('payload-invalid', `${field} must be a text or a number, but is ${quoteValue(one)}.`, { field });
  }
  const trimmed = String(one).trim().toWellFormed();
  return trimmed === '' ? undefined : trimmed;
}

/**
 * A comma list, a list, or `all`; nothing named means none asked for. A comma list stays one entry: which of its commas
 * are of a name, the repo's flags tell.
 */
export function readCarryforward(value: unknown): CarryforwardRequest | undefined {
  const entries = (Array.isArray(value) ? value : [value]).flatMap((entry) => readText(entry, 'carryforward') ?? []);
  const named = [...new Set(entries)].filter((entry) => /[^,\s]/.test(entry));
  if (named.length === 0) return undefined;
  const flags = named.reduce((sum, entry) => sum + entry.split(',').length, 0);
  if (flags > MAX_CARRIED) {
    const sentence =
      `carryforward names ${flags} flags; at most ${MAX_CARRIED} are taken. ` +
      'Name fewer, or send "all" for every flag of the base.';
    throw new Failure('payload-invalid', sentence, { field: 'carryforward' });
  }
  return named.length === 1 && named[0] === 'all' ? 'all' : named;
}
