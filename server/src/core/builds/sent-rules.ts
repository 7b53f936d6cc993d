import { FILE_PLACES, MAX_FILE_BYTES } from '@coverage/shared/coverage-file/declared';

/** A `coverage.yml` that came with an upload. */
export interface SentRules {
  /** One of the places where a repo has it. */
  readonly path: string;
  /** Its text is stored under it, as a source text is. */
  readonly digest: string;
}

/** A file as it was sent, or what keeps it from being used: what `of` must be. */
export type CheckedRules =
  | { readonly path: string; readonly text: string }
  | { readonly of: string; readonly must: string; readonly value: unknown };

/** Checks a file that an upload brings. A part of one could ask for less than all of it, so nothing is cut. */
export function checkRules(value: object): CheckedRules {
  const { path, text } = value as Partial<Record<string, unknown>>;
  const place = FILE_PLACES.find((one) => one === path);
  if (place === undefined) return { of: 'path', must: FILE_PLACES.join(' or '), value: path };
  if (typeof text !== 'string') return { of: 'text', must: 'a string', value: text };
  const fits = new TextEncoder().encode(text).length <= MAX_FILE_BYTES && !text.includes('\0');
  return fits
    ? { path: place, text }
    : { of: 'text', must: `${MAX_FILE_BYTES} bytes at most, without NUL`, value: text };
}
