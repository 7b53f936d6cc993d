import { counted } from '../../core/sentences.ts';
import { locateJsonError } from './json-position.ts';

/** Each key has one, and so has each level: twice those of the largest settings, and parsed in a few milliseconds. */
const MAX_VALUES = 10_000;

/**
 * The object that a JSON text holds, or what is wrong with it, without any piece of it. A list, what is broken, and
 * what has too many values is found by a walk and never parsed: a megabyte of `{},` takes a tenth of a second.
 */
export function readJsonObject(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  if (!/^[ \t\r\n]*\{/.test(text)) return { problem: 'not a JSON object: it must begin with {' };
  const wrong = locateJsonError(text, MAX_VALUES);
  if (wrong === undefined) return { value: JSON.parse(text) };
  const { offset, line, column, isTooMuch } = wrong;
  if (isTooMuch) return { problem: `made of more than ${MAX_VALUES} values, beside or within each other; send fewer` };
  const where =
    offset >= text.length
      ? `it ends too early, after ${counted(offset, 'character')}`
      : `it goes wrong at character ${offset + 1}`;
  return { problem: `not JSON: ${where} (line ${line}, column ${column})` };
}
