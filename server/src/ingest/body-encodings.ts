import { quoteValue } from '../domain/failure.ts';
import { isGzip, isZstd, unpackByMagic, unpackContent } from './content-encoding.ts';
import { readFormField } from './form-body.ts';
import type { UploadBody } from './ingest.ts';
import { OPEN_BRACE, skipSpace } from './json-bytes.ts';
import { readMultipartJob } from './multipart-body.ts';
import { invalid, tooLarge } from './refusals.ts';

const ENCODINGS =
  'application/json with the job as body, application/x-www-form-urlencoded with the job in the field `json`, ' +
  'or multipart/form-data with the job in `json_file`';

const FORM_FIELDS: readonly string[] = ['json', 'json_file'];

/**
 * The bytes of the job's JSON out of any of the encodings that clients use (wire.md, E1 to E6; E7 is JSON within JSON,
 * parse-job.ts). Throws a Failure that says what was seen: payload-invalid, or payload-too-large above `limit` bytes.
 */
export async function readJobBytes(body: UploadBody, limit: number): Promise<Uint8Array> {
  const content = unpackContent(body.bytes, body.contentEncoding, limit);
  if (content.length === 0) throw invalid(`The body is empty. Send ${ENCODINGS}.`);
  const packed = await readEncoded(content, body.contentType, limit);
  const job = unpackByMagic(packed, limit);
  if (job.length > limit) throw tooLarge('The job', limit);
  return withoutByteOrderMark(job);
}

async function readEncoded(content: Uint8Array, contentType: string, limit: number): Promise<Uint8Array> {
  const type = contentType.trim().toLowerCase();
  if (/^multipart\/form-data\b/.test(type)) return readMultipartJob(content, contentType, limit);
  if (type.startsWith('application/json')) return content;
  // Types lie: `curl -d @job.json` says form, some clients say nothing. What the bytes are decides.
  if (isGzip(content) || isZstd(content) || startsWithBrace(content)) return content;
  const isForm = /^application\/x-www-form-urlencoded\b/.test(type);
  const field = isForm || startsWithField(content) ? readField(content) : undefined;
  if (field !== undefined) return field;
  if (isForm) throw invalid('The form has no field `json` or `json_file`. Send the job in that field.');
  throw invalid(`A body of type ${quoteValue(contentType)} is not understood. Send ${ENCODINGS}.`);
}

function startsWithBrace(content: Uint8Array): boolean {
  const json = withoutByteOrderMark(content);
  return json[skipSpace(json, 0)] === OPEN_BRACE;
}

function readField(content: Uint8Array): Uint8Array | undefined {
  return FORM_FIELDS.map((name) => readFormField(content, name)).find((value) => value !== undefined);
}

function startsWithField(content: Uint8Array): boolean {
  return FORM_FIELDS.some(
    (name) => Buffer.from(content.subarray(0, name.length + 1)).toString('latin1') === `${name}=`,
  );
}

/** JSON's own parser refuses the mark that some editors and .NET put in front. */
function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
