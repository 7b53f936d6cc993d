import { isTooDeep } from '../../ingest/json-walker.ts';

/** Objects and arrays within each other: far more than any client sends, and parsed in a millisecond. */
export const MAX_NESTING = 10_000;

/** Whether the text may be nested so deep that parsing it would hold up other requests. */
export function isNestedTooDeep(text: string): boolean {
  return isTooDeep(Buffer.from(text), MAX_NESTING);
}

/** The value of a JSON text; undefined for one that is not JSON or is nested too deep. */
export function tryJson(text: string): { readonly value: unknown } | undefined {
  if (isNestedTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
