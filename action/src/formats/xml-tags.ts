import { type Block, damage, lineAt, type ReportBytes, scanBlocks } from './report-bytes.ts';
import { decodeXmlText, endsName, TagAttributes } from './xml-attributes.ts';
import { skipMarkup } from './xml-markup.ts';

const SLASH = 47;
const LESS = 60;
const GREATER = 62;
const EXCLAMATION = 33;
const QUESTION = 63;

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
  /** Undefined if the tag has no such attribute. */
  attribute(name: string): string | undefined;
  /** An attribute that is plain digits, without making a string of it; -1 where it is missing or anything else. */
  digits(name: string): number;
  /** Whether an attribute has that value, given in small letters, however it is written there. */
  says(name: string, value: string): boolean;
  /** What the end of an attribute is like; a plain fraction is in `fraction` then, without making a string of it. */
  readFraction(name: string): 'missing' | 'plain' | 'other';
  /** The two numbers of the plain fraction that was read last. */
  readonly fraction: readonly [number, number];
  /** The failure for damage in this tag. */
  damaged(expected: string): Error;
}

/** Reads the tags of a whole XML document. Throws `report-damaged` if it is not well formed, or cut off. */
export function readXml(report: ReportBytes, reader: XmlReader): void {
  const scanner = new TagScanner(report, reader);
  scanBlocks(report, (block) => scanner.scan(block));
}

/**
 * A tag scanner over bytes: it allocates nothing for the tags it passes over, does not validate, never looks at a DTD
 * and never fetches anything.
 */
class TagScanner extends TagAttributes implements XmlTag {
  name = '';
  readonly #report: ReportBytes;
  readonly #reader: XmlReader;
  readonly #stack: string[] = [];
  #position = 0;
  #tagStart = 0;
  #sawRoot = false;
  /** For the element at hand. */
  #wantsText = false;

  constructor(report: ReportBytes, reader: XmlReader) {
    super();
    this.#report = report;
    this.#reader = reader;
  }

  /** Reads all that is whole in the block; returns where the rest begins. */
  scan({ bytes, end, position, last }: Block): number {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#position = position;
    let at = 0;
    while (at < end) {
      let tag = at;
      while (tag < end && bytes[tag] !== LESS) tag += 1;
      const found = tag < end;
      const wantsText = this.#wantsText;
      if (!found && wantsText && !last) return at;
      if (wantsText) this.#reader.text(decodeXmlText(this.slice(at, found ? tag : end)));
      if (!found) break;
      this.#tagStart = tag;
      at = this.#markup(tag, end);
      if (at < 0 && !last) return tag;
      if (at < 0) throw this.damaged('expected the end of a tag, but the file ends inside it');
    }
    if (last) this.#finish(end);
    return end;
  }

  damaged(expected: string): Error {
    return damage(this.#report, lineAt(this.#report, this.#position + this.#tagStart), expected);
  }

  #finish(end: number): void {
    this.#tagStart = end - 1;
    const open = this.#stack.at(-1);
    if (open !== undefined) throw this.damaged(`expected </${open}>, but the file ends`);
    if (!this.#sawRoot) throw this.damaged('expected an XML element, but the file has none');
  }

  /** Reads what begins with `<` at `start`; returns where it ends, or -1 where the block ends first. */
  #markup(start: number, end: number): number {
    const next = this.bytes[start + 1];
    if (start + 1 >= end) return -1;
    if (next === EXCLAMATION || next === QUESTION) {
      const skipped = skipMarkup(this.bytes, start, end);
      if (skipped.text !== undefined && this.#wantsText) this.#reader.text(skipped.text);
      return skipped.next;
    }
    return next === SLASH ? this.#endTag(start + 2, end) : this.#startTag(start + 1, end);
  }

  #endTag(start: number, end: number): number {
    const close = this.bytes.indexOf(GREATER, start);
    if (close < 0 || close >= end) return -1;
    const name = this.slice(start, close).trimEnd();
    const open = this.#stack.pop();
    if (open !== name) {
      throw this.damaged(wrongEnd(name, open));
    }
    this.#reader.close(name);
    this.#wantsText = this.#reader.textOf.has(this.#stack.at(-1) ?? '');
    return close + 1;
  }

  #startTag(start: number, end: number): number {
    const bytes = this.bytes;
    let at = start;
    while (at < end && !endsName(bytes[at] as number)) at += 1;
    if (at >= end) return -1;
    if (at === start) throw this.damaged('expected the name of an element after <');
    const nameEnd = at;
    at = this.readAttributes(at, end);
    if (at < 0) return -1;
    const selfClosing = bytes[at] === SLASH;
    if (selfClosing && at + 1 >= end) return -1;
    if (selfClosing && bytes[at + 1] !== GREATER) throw this.damaged('expected > after / in a tag');
    this.#open(this.#elementName(start, nameEnd), selfClosing);
    return at + (selfClosing ? 2 : 1);
  }

  #open(name: string, selfClosing: boolean): void {
    if (this.#sawRoot && this.#stack.length === 0)
      throw this.damaged(`expected nothing after the root element, got <${name}>`);
    this.#sawRoot = true;
    this.name = name;
    if (!selfClosing) {
      this.#stack.push(name);
      this.#wantsText = this.#reader.textOf.has(name);
    }
    this.#reader.open(this);
    if (selfClosing) this.#reader.close(name);
  }

  /** Nearly all of a report is one element again and again, so its name is not made again each time. */
  #elementName(start: number, end: number): string {
    return end - start === this.name.length && this.spells(start, this.name) ? this.name : this.slice(start, end);
  }
}

/** `open`: the element that is open there; undefined if none is. */
function wrongEnd(name: string, open: string | undefined): string {
  return open === undefined ? `expected no </${name}> here: nothing is open` : `expected </${open}>, got </${name}>`;
}
