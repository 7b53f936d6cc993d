import * as say from '../messages/damage.ts';
import { type Block, damage, lineAt, type ReportBytes, scanBlocks } from './report-bytes.ts';
import { skipMarkup } from './xml-markup.ts';
import { decodeXmlText } from './xml-text.ts';

const NEWLINE = 10;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const EXCLAMATION = 33;
const QUESTION = 63;
const ZERO = 48;
const NINE = 57;
/** More of them make no exact number. */
const MOST_DIGITS = 15;
/** Numbers of one attribute. */
const WIDTH = 5;
/** By byte: 1 where the name of an attribute ends before it. */
const ENDS_NAME = Uint8Array.from({ length: 256 }, (_, byte) => (endsName(byte) || byte === EQUALS ? 1 : 0));

/** What a reader of XML receives. */
export interface XmlReader {
  /** A start tag, also one that closes itself. `tag` is valid during the call only. */
  open(tag: XmlTag): void;
  /** The end of an element, also of one that closed itself. */
  close(name: string): void;
  /** Elements whose text is wanted; it comes in pieces between their start and end. */
  readonly textOf: ReadonlySet<string>;
  text(piece: string): void;
}

/** The start tag at hand. Attribute values are decoded only when asked for. */
export interface XmlTag {
  readonly name: string;
  /** Undefined where the tag has no such attribute. */
  attribute(name: string): string | undefined;
  /** An attribute that is plain digits, without making a string of it; -1 where it is missing or anything else. */
  digits(name: string): number;
  /** Whether an attribute has that value, given in small letters, however it is written there. */
  says(name: string, value: string): boolean;
  /** The failure for damage in this tag. */
  damaged(expected: string): Error;
}

/** Reads the tags of a whole XML document. Throws `report-damaged` where it is not well formed, or cut off. */
export function readXml(report: ReportBytes, reader: XmlReader, chunkBytes?: number): void {
  const scanner = new TagScanner(report, reader);
  scanBlocks(report, (block) => scanner.scan(block), chunkBytes);
}

/**
 * A tag scanner over bytes: it allocates nothing for the tags it passes over, does not validate, never looks at a DTD
 * and never fetches anything.
 */
class TagScanner implements XmlTag {
  name = '';
  readonly #report: ReportBytes;
  readonly #reader: XmlReader;
  readonly #stack: string[] = [];
  /** Five numbers for each: where its name and its value begin and end, and what `digits` answers. */
  readonly #attributes: number[] = [];
  #attributesEnd = 0;
  /** Of the attribute that was found last: they are asked for in the order in which they stand. */
  #lastFound = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #position = 0;
  #tagStart = 0;
  #sawRoot = false;
  /** Of the element at hand. */
  #wantsText = false;

  constructor(report: ReportBytes, reader: XmlReader) {
    this.#report = report;
    this.#reader = reader;
  }

  /** Reads all that is whole in the block; returns where the rest begins. */
  scan({ bytes, end, position, last }: Block): number {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#position = position;
    let at = 0;
    while (at < end) {
      let tag = at;
      while (tag < end && bytes[tag] !== LESS) tag += 1;
      const found = tag < end;
      const wantsText = this.#wantsText;
      if (!found && wantsText && !last) return at;
      if (wantsText) this.#reader.text(decodeXmlText(this.#slice(at, found ? tag : end)));
      if (!found) break;
      this.#tagStart = tag;
      at = this.#markup(tag, end);
      if (at < 0 && !last) return tag;
      if (at < 0) throw this.damaged(say.TAG_CUT_OFF);
    }
    if (last) this.#finish(end);
    return end;
  }

  attribute(name: string): string | undefined {
    const at = this.#find(name);
    if (at < 0) return undefined;
    return decodeXmlText(this.#slice(this.#attributes[at + 2] as number, this.#attributes[at + 3] as number));
  }

  digits(name: string): number {
    const at = this.#find(name);
    return at < 0 ? -1 : (this.#attributes[at + 4] as number);
  }

  says(name: string, value: string): boolean {
    const at = this.#find(name);
    if (at < 0) return false;
    const [start, end] = [this.#attributes[at + 2] as number, this.#attributes[at + 3] as number];
    return end - start === value.length && this.#slice(start, end).toLowerCase() === value;
  }

  damaged(expected: string): Error {
    return damage(this.#report, lineAt(this.#report, this.#position + this.#tagStart), expected);
  }

  #finish(end: number): void {
    this.#tagStart = end - 1;
    const open = this.#stack.at(-1);
    if (open !== undefined) throw this.damaged(say.elementCutOff(open));
    if (!this.#sawRoot) throw this.damaged(say.NO_ELEMENT);
  }

  /** Reads what begins with `<` at `start`; returns where it ends, or -1 where the block ends first. */
  #markup(start: number, end: number): number {
    const next = this.#bytes[start + 1];
    if (start + 1 >= end) return -1;
    if (next === EXCLAMATION || next === QUESTION) {
      const skipped = skipMarkup(this.#bytes, start, end);
      if (skipped.text !== undefined && this.#wantsText) this.#reader.text(skipped.text);
      return skipped.next;
    }
    return next === SLASH ? this.#endTag(start + 2, end) : this.#startTag(start + 1, end);
  }

  #endTag(start: number, end: number): number {
    const close = this.#bytes.indexOf(GREATER, start);
    if (close < 0 || close >= end) return -1;
    const name = this.#slice(start, close).trimEnd();
    const open = this.#stack.pop();
    if (open !== name) {
      throw this.damaged(say.wrongEnd(name, open));
    }
    this.#reader.close(name);
    this.#wantsText = this.#reader.textOf.has(this.#stack.at(-1) ?? '');
    return close + 1;
  }

  #startTag(start: number, end: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (at < end && !endsName(bytes[at] as number)) at += 1;
    if (at >= end) return -1;
    if (at === start) throw this.damaged(say.ELEMENT_NAME_MISSING);
    const nameEnd = at;
    at = this.#readAttributes(at, end);
    if (at < 0) return -1;
    const selfClosing = bytes[at] === SLASH;
    if (selfClosing && at + 1 >= end) return -1;
    if (selfClosing && bytes[at + 1] !== GREATER) throw this.damaged(say.SLASH_INSIDE);
    this.#open(this.#elementName(start, nameEnd), selfClosing);
    return at + (selfClosing ? 2 : 1);
  }

  #open(name: string, selfClosing: boolean): void {
    if (this.#sawRoot && this.#stack.length === 0) throw this.damaged(say.afterRoot(name));
    this.#sawRoot = true;
    this.name = name;
    if (!selfClosing) {
      this.#stack.push(name);
      this.#wantsText = this.#reader.textOf.has(name);
    }
    this.#reader.open(this);
    if (selfClosing) this.#reader.close(name);
  }

  /** Notes where names and values lie; returns where the tag's `/` or `>` is, or -1 where the block ends first. */
  #readAttributes(start: number, end: number): number {
    const bytes = this.#bytes;
    const attributes = this.#attributes;
    let count = 0;
    let at = start;
    for (;;) {
      at = skipBlanks(bytes, at, end);
      if (at >= end) return -1;
      if (bytes[at] === GREATER || bytes[at] === SLASH) break;
      const nameStart = at;
      while (ENDS_NAME[bytes[at] as number] === 0) at += 1;
      const nameEnd = at;
      if (bytes[at] !== EQUALS) at = skipBlanks(bytes, at, end);
      if (at >= end) return -1;
      if (bytes[at] !== EQUALS || nameEnd === nameStart) throw this.damaged(say.ATTRIBUTE_BROKEN);
      at = skipBlanks(bytes, at + 1, end);
      if (at >= end) return -1;
      const quote = bytes[at] as number;
      if (quote !== QUOTE && quote !== APOSTROPHE) throw this.damaged(say.QUOTE_MISSING);
      const valueStart = at + 1;
      at = valueStart;
      let number = 0;
      for (let byte = bytes[at] as number; byte >= ZERO && byte <= NINE; byte = bytes[++at] as number)
        number = number * 10 + (byte - ZERO);
      const isNumber = bytes[at] === quote && at > valueStart && at - valueStart <= MOST_DIGITS;
      while (at < end && bytes[at] !== quote && bytes[at] !== LESS) at += 1;
      if (at >= end) return -1;
      if (bytes[at] === LESS) throw this.damaged(say.QUOTE_OPEN);
      attributes[count] = nameStart;
      attributes[count + 1] = nameEnd;
      attributes[count + 2] = valueStart;
      attributes[count + 3] = at;
      attributes[count + 4] = isNumber ? number : -1;
      count += WIDTH;
      at += 1;
    }
    this.#attributesEnd = count;
    this.#lastFound = 0;
    return at;
  }

  #find(name: string): number {
    const found = this.#findIn(name, this.#lastFound, this.#attributesEnd);
    if (found >= 0) this.#lastFound = found;
    return found >= 0 ? found : this.#findIn(name, 0, this.#lastFound);
  }

  #findIn(name: string, from: number, to: number): number {
    for (let at = from; at < to; at += WIDTH) {
      const start = this.#attributes[at] as number;
      if ((this.#attributes[at + 1] as number) - start === name.length && this.#spells(start, name)) return at;
    }
    return -1;
  }

  #spells(start: number, name: string): boolean {
    for (let index = 0; index < name.length; index += 1)
      if (this.#bytes[start + index] !== name.charCodeAt(index)) return false;
    return true;
  }

  /** Nearly all of a report is one element again and again, so its name is not made again each time. */
  #elementName(start: number, end: number): string {
    return end - start === this.name.length && this.#spells(start, this.name) ? this.name : this.#slice(start, end);
  }

  #slice(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }
}

function endsName(byte: number): boolean {
  return byte <= 32 || byte === SLASH || byte === GREATER;
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === NEWLINE || bytes[at] === 13)) at += 1;
  return at;
}
