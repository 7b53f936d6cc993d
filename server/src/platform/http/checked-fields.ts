import { z } from 'zod';
import { MAX_REASON } from '../../core/builds/acceptance.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { fieldWrong } from '../sentences.ts';

/** How many problems an answer names. */
const MAX_PROBLEMS = 10;

/** What a description of the API says of a value, in the words of JSON Schema; its form in words is added. */
export type Described = Readonly<Record<string, unknown>>;

export const A_TEXT: Described = { type: 'string' };
export const A_SWITCH: Described = { type: 'boolean' };
export const A_SWITCH_OR_NULL: Described = { type: ['boolean', 'null'] };
export const A_LIMIT: Described = { type: ['number', 'null'], minimum: 0, maximum: 100 };

/** A value that `fits`, else a problem that says what it must be and the value seen. */
export const field = <T>(form: string, fits: (value: unknown) => value is T, described: Described) =>
  z
    .custom<T>(fits, {
      error: ({ input }) =>
        input === undefined ? `is missing; it must be ${form}` : fieldWrong(form, quoteValue(input)),
    })
    .meta({ description: form, ...described });

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isSwitch = (value: unknown): value is boolean => typeof value === 'boolean';

/** Keys that a read answer has and that may be sent back: whatever they hold is ignored. */
export const ignored = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.unknown().optional().meta({ description: 'Part of the response to GET; ignored.' })]),
  );

/** How the answer about wrong fields names them. */
export interface FieldNames {
  /** Put before each name: `repo.`, or nothing. */
  readonly prefix: string;
  /** The names that may be given. */
  readonly known: readonly string[];
}

/**
 * The checked fields. Throws a Failure `payload-invalid` that names every field that does not fit, with the value seen.
 */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { prefix, known }: FieldNames,
): z.output<Schema> {
  const holder = prefix.slice(0, -1);
  if (!isObject(value)) {
    throw invalidFields(`${holder || 'The body'} must be an object, not ${quoteValue(value)}.`, holder);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const problems = issues.map((issue) => describe(issue, { prefix, known }));
  throw invalidFields(`${problems.slice(0, MAX_PROBLEMS).join('; ')}.`, `${prefix}${placeOf(issues[0]?.path ?? [])}`);
}

/** The Failure of a body that does not fit. */
export function invalidFields(sentence: string, name?: string): Failure {
  return new Failure('payload-invalid', sentence, name === undefined ? {} : { field: name });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(issue: z.core.$ZodIssue, { prefix, known }: FieldNames): string {
  const place = placeOf(issue.path);
  if (issue.code !== 'unrecognized_keys') return `${prefix}${place} ${issue.message}`;
  const before = prefix + (place === '' ? '' : `${place}.`);
  const names = issue.keys.slice(0, 20).map((name) => quoteValue(`${before}${name}`, 60));
  const allowed = place === '' ? ` (known: ${known.join(', ')})` : '';
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} unknown${allowed}`;
}

/** `flag_settings[3].minimum` */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

/** Why somebody overrides what a check says. */
export const REASON = field(
  `a text of 1 to ${MAX_REASON} characters`,
  (value): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= MAX_REASON,
  A_TEXT,
);
