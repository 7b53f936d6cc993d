const NEWLINE = 10;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const ZERO = 48;
/** More of them make no exact number. */
const MAX_DIGITS = 15;
/** Numbers of one attribute. */
const WIDTH = 5;
/** By byte: 1 where the name of an attribute ends before it. */
const ENDS_NAME = Uint8Array.from({ length: 256 }, (_, byte) => (endsName(byte) || byte === EQUALS ? 1 : 0));

/** The attributes of the start tag at hand. A value is decoded only when it is asked for. */
export abstract class TagAttributes {
  readonly fraction: [number, number] = [0, 0];
  protected bytes: Buffer = Buffer.alloc(0);
  /** Five numbers for each: where its name and its value begin and end, and what `digits` answers. */
  readonly #attributes: number[] = [];
  #attributesEnd = 0;
  /** For the attribute that was found last: they are asked for in the order in which they stand. */
  #lastFound = 0;

  abstract damaged(expected: string): Error;

  attribute(name: string): string | undefined {
    const at = this.#find(name);
    if (at < 0) return undefined;
    return decodeXmlText(this.slice(this.#attributes[at + 2] as number, this.#attributes[at + 3] as number));
  }

  digits(name: string): number {
    const at = this.#find(name);
    return at < 0 ? -1 : (this.#attributes[at + 4] as number);
  }

  says(name: string, value: string): boolean {
    const at = this.#find(name);
    if (at < 0) return false;
    const [start, end] = [this.#attributes[at + 2] as number, this.#attributes[at + 3] as number];
    return end - start === value.length && this.slice(start, end).toLowerCase() === value;
  }

  readFraction(name: string): 'missing' | 'plain' | 'other' {
    const found = this.#find(name);
    if (found < 0) return 'missing';
    const [start, end] = [this.#attributes[found + 2] as number, this.#attributes[found + 3] as number];
    return readFraction(this.bytes, { start, end }, this.fraction) ? 'plain' : 'other';
  }

  /** Notes where names and values lie; returns where the tag's `/` or `>` is, or -1 where the block ends first. */
  protected readAttributes(start: number, end: number): number {
    const bytes = this.bytes;
    const attributes = this.#attributes;
    let count = 0;
    let at = start;
    for (;;) {
      let byte = bytes[at] as number;
      if (byte === 32) byte = bytes[++at] as number;
      if (isBlank(byte)) {
        at = skipBlanks(bytes, at, end);
        byte = bytes[at] as number;
      }
      if (at >= end) return -1;
      if (byte === GREATER || byte === SLASH) break;
      const nameStart = at;
      while (ENDS_NAME[byte] === 0) byte = bytes[++at] as number;
      const nameEnd = at;
      // Nearly every attribute: without a look for blanks a report took a tenth less.
      if (byte === EQUALS && bytes[at + 1] === QUOTE && nameEnd > nameStart) at += 1;
      else at = this.#quoteBehind({ start: nameStart, end: nameEnd }, end);
      if (at < 0) return -1;
      const quote = bytes[at] as number;
      const valueStart = at + 1;
      at = valueStart;
      let number = 0;
      byte = bytes[at] as number;
      for (let digit = byte ^ ZERO; digit < 10; digit = byte ^ ZERO) {
        number = number * 10 + digit;
        byte = bytes[++at] as number;
      }
      const isNumber = byte === quote && at > valueStart && at - valueStart <= MAX_DIGITS;
      while (byte !== quote && byte !== LESS && at < end) byte = bytes[++at] as number;
      if (at >= end) return -1;
      if (byte === LESS) throw this.damaged('expected the closing quote of an attribute before <');
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

  /** Where the quote of a value is, with blanks around the equals sign; -1 where the block ends first. */
  #quoteBehind(name: { readonly start: number; readonly end: number }, end: number): number {
    const equals = skipBlanks(this.bytes, name.end, end);
    if (equals >= end) return -1;
    if (this.bytes[equals] !== EQUALS || name.end === name.start)
      throw this.damaged('expected name="value" in the tag');
    const at = skipBlanks(this.bytes, equals + 1, end);
    if (at >= end) return -1;
    if (this.bytes[at] !== QUOTE && this.bytes[at] !== APOSTROPHE)
      throw this.damaged('expected a quote around the value of an attribute');
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
      if ((this.#attributes[at + 1] as number) - start === name.length && this.spells(start, name)) return at;
    }
    return -1;
  }

  protected spells(start: number, name: string): boolean {
    for (let index = 0; index < name.length; index += 1)
      if (this.bytes[start + index] !== name.charCodeAt(index)) return false;
    return true;
  }

  protected slice(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }
}

export function endsName(byte: number): boolean {
  return byte <= 32 || byte === SLASH || byte === GREATER;
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === NEWLINE || bytes[at] === 13)) at += 1;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === NEWLINE || byte === 13;
}

const OPEN = 40;
const CLOSE = 41;
/** More of them are not read here. */
const MAX_FRACTION_DIGITS = 9;

/**
 * Reads two numbers where a text ends in `(<number>/<number>)`, in plain digits and without blanks; whether it does. By
 * a regular expression on a string, a Cobertura report took a tenth more time.
 */
function readFraction(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  into: [number, number],
): boolean {
  if (bytes[end - 1] !== CLOSE) return false;
  const slash = beforeDigits(bytes, end - 2);
  const open = beforeDigits(bytes, slash - 1);
  if (bytes[slash] !== SLASH || bytes[open] !== OPEN || open < start) return false;
  if (
    slash - open < 2 ||
    slash - open > MAX_FRACTION_DIGITS + 1 ||
    end - slash < 3 ||
    end - slash > MAX_FRACTION_DIGITS + 2
  )
    return false;
  into[0] = numberIn(bytes, open + 1, slash);
  into[1] = numberIn(bytes, slash + 1, end - 1);
  return true;
}

function beforeDigits(bytes: Uint8Array, last: number): number {
  let at = last;
  while (((bytes[at] as number) ^ ZERO) < 10) at -= 1;
  return at;
}

function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at += 1) number = number * 10 + (bytes[at] as number) - ZERO;
  return number;
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]+));/g;

/**
 * Resolves the five predefined entities and numeric character references of XML 1.0. Any other reference stays as it is
 * written: nothing that a document declares is ever expanded.
 */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (reference, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(PREDEFINED, name) ? (PREDEFINED[name] as string) : reference;
    const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : reference;
  });
}
