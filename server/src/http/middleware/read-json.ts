import * as say from '../../messages/bodies.ts';
import { locateJsonError } from './json-position.ts';

/** Objects and arrays within each other: far more than any client sends, and parsed in a millisecond. */
const MAX_NESTING = 10_000;

/**
 * The value of a JSON text, or what is wrong with it, without any piece of it. What is broken or nested too deep is
 * found by a walk and never parsed: parsing a megabyte of `[` takes a tenth of a second.
 */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  const wrong = locateJsonError(text, MAX_NESTING);
  if (wrong === undefined) return { value: JSON.parse(text) };
  const { offset, line, column, isTooDeep } = wrong;
  if (isTooDeep) return { problem: say.nestedTooDeep(MAX_NESTING) };
  const where = offset >= text.length ? say.endsTooEarly(offset) : say.goesWrong(offset + 1);
  return { problem: say.notJson({ why: where, line, column }) };
}
