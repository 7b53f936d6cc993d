// Bodies and queries of requests: their encodings, sizes and ends.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const ENCODINGS =
  'application/json with the job as body, application/x-www-form-urlencoded with the job in the field `json`, or ' +
  'multipart/form-data with the job in `json_file`';

export function bodyEmpty(encodings: string): string {
  return `The body is empty. Send ${encodings}.`;
}

export const THE_JOB = 'The job';

export const FIELD_MISSING = 'The form has no field `json` or `json_file`. Send the job in that field.';

export function typeUnknown(type: string, encodings: string): string {
  return `A body of type ${type} is not understood. Send ${encodings}.`;
}

export const THE_UPLOAD = 'The upload';

export function tooManyLayers(layers: number, most: number): string {
  return `Content-Encoding names ${layers} layers; at most ${most} are read.`;
}

export function encodingUnknown(encoding: string): string {
  return `Content-Encoding ${encoding} is not known. Send gzip, deflate or zstd, or the body as it is.`;
}

export const THE_UNPACKED_UPLOAD = 'The unpacked upload';

export function bodyDamaged(encoding: string, bytes: number): string {
  const came = counted(bytes, 'byte');
  return `The body is not valid ${encoding}, or it was cut: ${came} came. Compress it again and send it whole.`;
}

export const ENCODING_UNKNOWN = 'The Content-Encoding is not known.';

export function tooManyFormFields(most: number, field: string): string {
  return `The form has more than ${most} fields before \`${field}\`. Send the job in that field.`;
}

export const PART_MISSING = 'The multipart body has no part named `json_file` or `json`. Send the job in one of them.';

export const NO_END = 'it does not come to an end';

export const CUT_OR_WRONG_BOUNDARY = 'it was cut, or its boundary is wrong';

export function tooManyParts(most: number): string {
  return `The multipart body has more than ${most} parts. Send one, named \`json_file\`.`;
}

export const NO_BOUNDARY = 'its Content-Type states no boundary';

export const THE_PART = 'The part that holds the job';

export function multipartUnreadable(why: string): string {
  return `The multipart body cannot be read: ${why}. Send it whole, with the boundary that its Content-Type names.`;
}

export function bodyHasBytes(bytes: number): string {
  return `The body has ${bytes} bytes`;
}

export const BODY_HAS_MORE = 'The body has more bytes';

export function bodyTooLarge({ what, limit, variable }: Texts<'what' | 'variable'> & Counts<'limit'>): string {
  return (
    `${what}; this server takes at most ${limit} (${variable}). Send less, compress it (Content-Encoding: gzip), or ` +
    'have the limit raised.'
  );
}

/** `length`: what Content-Length said; undefined without one. */
export function bodyStopped({
  received,
  length,
  why,
}: Texts<'why'> & Counts<'received'> & { readonly length: string | undefined }): string {
  const whole = length === undefined ? counted(received, 'byte') : `${received} of ${length} bytes`;
  return `The body stopped after ${whole} (${why}); nothing was stored. Send it again.`;
}

export function noByteFor(seconds: number): string {
  return `no byte for ${seconds} s`;
}

export const CONNECTION_CLOSED = 'the connection was closed';

export const CONNECTION_BROKE = 'the connection broke';

export function tooManyValues(most: number): string {
  return `made of more than ${most} values, beside or within each other; send fewer`;
}

export function endsTooEarly(characters: number): string {
  return `it ends too early, after ${counted(characters, 'character')}`;
}

export function goesWrong(at: number): string {
  return `it goes wrong at character ${at}`;
}

export function notJson({ why, line, column }: Texts<'why'> & Counts<'line' | 'column'>): string {
  return `not JSON: ${why} (line ${line}, column ${column})`;
}

export const SMALL_ENCODING_UNKNOWN =
  'The Content-Encoding is unknown; send the body plain or with Content-Encoding: gzip, deflate or br.';

export function notAsEncoded(why: string): string {
  return `The body is not what its Content-Encoding says (${why}). Send it again, or send it uncompressed.`;
}

export function fieldNameTooLong(characters: number, most: number): string {
  return `The form has a field whose name has ${characters} characters; at most ${most} are taken.`;
}

export const NO_JSON_OBJECT = 'not a JSON object: it must begin with {';

export function bodyIs(problem: string): string {
  return `The body is ${problem}.`;
}

export const PROTO_KEY = 'The body holds the key "__proto__", which no field has; leave it out.';

export function smallBodyTooLarge(most: number): string {
  return `The body has more than ${most} bytes (${most / 1024} KiB), the limit of this request; send less.`;
}

export function tooManyPairs(pairs: number, most: number): string {
  return `The query has ${pairs} pairs; at most ${most} are taken.`;
}

export function sendFewerPairs(seen: string): string {
  return `${seen} Send fewer, or put them into the body.`;
}

export function limitOf(host: string): string {
  return `${host}'s own limit`;
}
