import { invalid } from './refusals.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** More fields than any client sends: each costs time, and a body may consist of nothing else. */
const MAX_FIELDS = 1_000;

/** The value of each hexadecimal digit by its byte; -1 for any other byte. */
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/**
 * The first field of that name in a form body (wire.md, E1), decoded from bytes to bytes: a job of 70 MB never becomes
 * a string. A `%` without two digits stays. Throws a Failure payload-invalid beyond MAX_FIELDS fields before it.
 */
export function readFormField(body: Uint8Array, field: string): Uint8Array | undefined {
  const wanted = Buffer.from(field);
  let fields = 0;
  for (let start = 0; start < body.length; ) {
    fields += 1;
    if (fields > MAX_FIELDS)
      throw invalid(`The form has more than ${MAX_FIELDS} fields before \`${field}\`. Send the job in that field.`);
    const found = body.indexOf(AMPERSAND, start);
    const end = found < 0 ? body.length : found;
    const equals = body.subarray(start, end).indexOf(EQUALS);
    const name = equals < 0 ? body.subarray(start, end) : body.subarray(start, start + equals);
    if (wanted.equals(decodeForm(name)))
      return decodeForm(equals < 0 ? new Uint8Array(0) : body.subarray(start + equals + 1, end));
    start = end + 1;
  }
  return undefined;
}

/** Takes the encoding off, from bytes to bytes. A `%` without two digits stays. */
export function decodeForm(encoded: Uint8Array): Uint8Array {
  const out = new Uint8Array(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    let byte = encoded[at] as number;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT && at + 2 < encoded.length) {
      const high = HEX_DIGITS[encoded[at + 1] as number] as number;
      const low = HEX_DIGITS[encoded[at + 2] as number] as number;
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 2;
      }
    }
    out[length] = byte;
    length += 1;
  }
  return out.subarray(0, length);
}
