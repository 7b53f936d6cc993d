import { ActionFailure } from '../../runner/failure.ts';

// Answers of other services are read field by field: what is not as it should be is named, or left out.

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `answer-not-understood` for anything but an object. */
export function objectOf(value: unknown, what: string): Json {
  if (!isObject(value)) throw notUnderstood(what, 'an object');
  return value;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw notUnderstood(what, 'a list');
  return value;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A whole number of 0 or more. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** From 0 to 100; services write it as a number or as a text. */
export function percentOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 100 ? number : undefined;
}

/** Milliseconds since 1970. Times without a zone are UTC. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(value);
  const at = Date.parse(hasZone ? value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : `${value}Z`);
  return Number.isNaN(at) || at < 0 ? undefined : at;
}

export function commitOf(value: unknown): string | undefined {
  const commit = textOf(value)?.toLowerCase();
  return commit !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit : undefined;
}

/** The first line of a commit's message, as much of it as anybody shows. */
export function subjectOf(value: unknown): string | undefined {
  return textOf(value)?.split(/\r?\n/, 1)[0]?.slice(0, 1_000).toWellFormed();
}

export function notUnderstood(what: string, expected: string): ActionFailure {
  return new ActionFailure('answer-not-understood', oddAnswer(what, expected));
}

function oddAnswer(what: string, expected: string): string {
  return (
    `${what} is not ${expected}. The service may have changed its responses: please report this, with the ` +
    'command that you ran.'
  );
}
