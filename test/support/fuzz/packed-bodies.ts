import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';

/** As docs/wire.md "Upload" names them; `W` is the body of a close. */
export const ENCODINGS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'W'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A body with the Content-Type that belongs to it. */
export interface PackedBody {
  readonly type: string;
  readonly body: Uint8Array;
}

/** Mostly the first, so that what comes behind it is reached. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const boundaries = mostly(
  '----WebKitFormBoundary7MA4',
  'b',
  '--282919',
  'a b',
  "x'()+_,-./:=?",
  'c'.repeat(70),
  'd'.repeat(5_000),
  '',
);
const dispositions = mostly(
  'form-data; name="json_file"; filename="json_file"',
  'form-data; name=json_file; filename=x.gz',
  'form-data; name="json"',
  'form-data; name="json_file"; filename="..\\..\\x"',
  'form-data; name="json_file"; filename*=UTF-8\'\'%e2%82',
  'form-data; name="nothing"',
  'form-data; name="json',
  'attachment',
  '',
);
const partTypes = fc.constantFrom(
  '',
  'text/plain',
  'application/json;charset=UTF-8',
  'application/octet-stream',
  'gzip/json',
  'text/plain; charset=utf-16',
  'x'.repeat(300),
);

/** Choices that only some encodings look at. */
export const packings = fc.record({
  boundary: boundaries,
  otherBoundary: mostly(false, true),
  comma: mostly(false, true),
  disposition: dispositions,
  partType: partTypes,
  ending: mostly('\r\n--', '--', '', '\r\n--\r\nepilogue', '\n--'),
  partsBefore: fc.oneof(
    { weight: 15, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 99, 100, 10_000) },
  ),
  headerBytes: fc.oneof(
    { weight: 15, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(100, 20_000, 1_000_000) },
  ),
  fieldsBefore: fc.oneof(
    { weight: 15, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 999, 100_000) },
  ),
});
export type Packing = typeof packings extends fc.Arbitrary<infer Value> ? Value : never;

/** The body of a request that carries a job in one of the encodings. */
export function pack(encoding: Encoding, job: Uint8Array, packing: Packing): PackedBody {
  switch (encoding) {
    case 'E1':
      return { type: 'application/x-www-form-urlencoded', body: form(job, packing) };
    case 'E2':
      return multipart(job, { ...packing, disposition: 'form-data; name="json"', partType: '' });
    case 'E3':
      return multipart(job, { ...packing, partType: packing.partType || 'text/plain' });
    case 'E4':
      return multipart(job, { ...packing, partType: '' });
    case 'E5':
      return multipart(gzipSync(job), packing);
    case 'E6':
      return { type: 'application/json', body: job };
    case 'E7':
      return {
        type: 'application/json',
        body: Buffer.from(JSON.stringify({ json: Buffer.from(job).toString('utf8') })),
      };
    case 'W':
      return close(job, packing);
  }
}

function form(job: Uint8Array, { fieldsBefore }: Packing): Uint8Array {
  const text = encodeURIComponent(Buffer.from(job).toString('utf8').toWellFormed()).replaceAll('%20', '+');
  return Buffer.from(`${'a=b&'.repeat(fieldsBefore)}json=${text}`);
}

function multipart(content: Uint8Array, packing: Packing): PackedBody {
  const { boundary, comma, disposition, partType, ending, partsBefore, headerBytes } = packing;
  const open = `--${packing.otherBoundary && boundary !== 'b' ? `${boundary}x` : boundary}`;
  const part = `${open}\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n`;
  const lines = [
    `Content-Disposition: ${disposition}`,
    partType === '' ? '' : `content-type: ${partType}`,
    headerBytes === 0 ? '' : `X-Long: ${'h'.repeat(headerBytes)}`,
  ];
  const head = `${open}\r\n${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n`;
  const separator = comma ? ',' : ';';
  return {
    type: `multipart/form-data${separator} boundary=${/[^\w-]/.test(boundary) ? `"${boundary}"` : boundary}`,
    body: Buffer.concat([
      Buffer.from(part.repeat(boundary.length > 100 ? Math.min(partsBefore, 100) : partsBefore) + head),
      content,
      Buffer.from(`\r\n${open}${ending.replace('\r\n--', '--\r\n')}`),
    ]),
  };
}

/** A close has few fields: the job's token is in the same place, the rest is ignored or refused. */
function close(job: Uint8Array, { comma, otherBoundary, fieldsBefore }: Packing): PackedBody {
  const text = Buffer.from(job).toString('utf8').toWellFormed();
  if (comma)
    return { type: 'application/json', body: Buffer.from(`{"payload":{"build_num":7,"status":"done"},"job":${text}`) };
  if (otherBoundary) return { type: 'application/json', body: job };
  const fields = `${'payload[a]=b&'.repeat(fieldsBefore)}payload=${encodeURIComponent(text)}`;
  return { type: 'application/x-www-form-urlencoded', body: Buffer.from(fields) };
}

/** What a Content-Encoding header says, and what is done to the body: not always the same thing. */
export const CONTENT_ENCODINGS: Readonly<
  Record<string, { readonly header: string; readonly apply: (body: Uint8Array) => Uint8Array }>
> = {
  none: { header: '', apply: (body) => body },
  gzip: { header: 'gzip', apply: (body) => gzipSync(body) },
  deflate: { header: 'deflate', apply: (body) => deflateSync(body) },
  'raw deflate': { header: 'deflate', apply: (body) => deflateRawSync(body) },
  zstd: { header: 'zstd', apply: (body) => zstdCompressSync(body) },
  'gzip unsaid': { header: '', apply: (body) => gzipSync(body) },
  'said alone': { header: 'gzip', apply: (body) => body },
  'zstd said alone': { header: 'zstd', apply: (body) => body },
  unknown: { header: 'br', apply: (body) => body },
  'four layers': { header: 'gzip, gzip, gzip, gzip', apply: (body) => gzipSync(gzipSync(gzipSync(gzipSync(body)))) },
  'two layers': { header: 'Identity, DEFLATE, x-gzip', apply: (body) => gzipSync(deflateSync(body)) },
  trailing: { header: 'gzip', apply: (body) => Buffer.concat([gzipSync(body), Buffer.from('garbage')]) },
  members: { header: 'gzip', apply: (body) => Buffer.concat([gzipSync(body), gzipSync('')]) },
  bomb: { header: 'gzip', apply: () => BOMB },
  'zstd bomb': { header: 'zstd', apply: () => ZSTD_BOMB },
};

/** Beyond the server's limit once unpacked, in a few kilobytes. */
const BOMB = gzipSync(Buffer.alloc(40 * 2 ** 20, 0x20));
const ZSTD_BOMB = zstdCompressSync(Buffer.alloc(40 * 2 ** 20, 0x20));
