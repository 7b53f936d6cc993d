import { skipMarkup } from './xml-markup.ts';

/** A start tag at the beginning of a text, behind comments, processing instructions and declarations. */
export interface FirstTag {
  readonly name: string;
  /** All between the name and the tag's end, or the end of the text. */
  readonly attributes: string;
  /** What follows the tag; undefined where the text ends inside it. */
  readonly rest: string | undefined;
}

/** The first tag of a text in Latin-1, in one pass; undefined where something else comes first, or no tag at all. */
export function readFirstTag(text: string): FirstTag | undefined {
  const start = afterMisc(text);
  if (start < 0 || text[start] !== '<') return undefined;
  let nameEnd = start + 1;
  while (nameEnd < text.length && !endsName(text, nameEnd)) nameEnd += 1;
  const close = text.indexOf('>', nameEnd);
  return {
    name: text.slice(start + 1, nameEnd),
    attributes: text.slice(nameEnd, close < 0 ? undefined : close),
    rest: close < 0 ? undefined : text.slice(close + 1),
  };
}

/** Where blanks and markup that is no tag end; -1 where the text ends inside it. */
function afterMisc(text: string): number {
  const bytes = Buffer.from(text, 'latin1');
  let at = afterBlanks(text, 0);
  while (text[at] === '<' && (text[at + 1] === '!' || text[at + 1] === '?')) {
    const { next } = skipMarkup(bytes, at, bytes.length);
    if (next < 0) return -1;
    at = afterBlanks(text, next);
  }
  return at;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function endsName(text: string, at: number): boolean {
  return text[at] === '>' || text[at] === '/' || isBlank(text.charCodeAt(at));
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0;
}
