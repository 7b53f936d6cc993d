import fc from 'fast-check';
import type { HangUp, WireRequest } from './exchange.ts';
import { type JobText, jobTexts } from './job-texts.ts';
import { type Mutation, mutate, mutations } from './mutations.ts';
import { CONTENT_ENCODINGS, ENCODINGS, type Encoding, type Packing, pack, packings } from './packed-bodies.ts';

/** How the body is framed, rightly or not. */
const framings = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('length' as const), off: fc.constant(0) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('length' as const), off: fc.integer({ min: -50, max: 5_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stated' as const),
      text: fc.constantFrom('-1', '0x10', '1e9', '99999999999999999999', '1073741824', ' ', '5, 5', '+4'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('chunked' as const),
      size: fc.constantFrom(1, 7, 4_096, 100_000),
      changes: mutations(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('none' as const) }) },
);
type Framing = typeof framings extends fc.Arbitrary<infer Value> ? Value : never;

/** Header lines that come on top. */
const headerLines = fc.constantFrom(
  ...[
    'Expect: 100-continue',
    'Expect: the-unexpected',
    'Connection: close',
    'Connection: Upgrade\r\nUpgrade: websocket',
    'Content-Type: text/html',
  ],
  ...[
    'Content-Type:',
    'content-type: multipart/form-data',
    'X-Request-Id: given',
    'X-Request-Id: \xe9\xff',
    `X-Long: ${'l'.repeat(20_000)}`,
  ],
  ...[
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: identity',
    'Content-Length: 3',
    'Content-Encoding: \x01',
    'no colon here',
    ' folded: x',
  ],
  ...[
    'Accept: text/html',
    'Host: a\r\nHost: b',
    'Cookie: \0',
    'Authorization: token x',
    'X-Forwarded-For: 1.2.3.4, <script>',
    'Range: bytes=0-1',
  ],
);
/** Lines that may change where the body ends. */
const FRAMING_LINE = /^(Content-Length|Transfer-Encoding|Connection: Upgrade| folded)/;

const paths: Readonly<Record<'job' | 'close', fc.Arbitrary<string>>> = {
  job: fc.oneof(
    { weight: 9, arbitrary: fc.constant('/api/v1/jobs') },
    fc.constantFrom(
      '//api//v1/jobs',
      '/api/v1/jobs?x=%ff',
      'http://other/api/v1/jobs',
      '/',
      '/api/v1/jobs/%00',
      '/api/v1/repos',
    ),
  ),
  close: fc.constantFrom('/webhook', '//webhook', '/webhook?repo_token=x&build_num=7', '/webhook?carryforward=all'),
};

/** Everything about one request, as choices: printed, it says what was sent; shrunk, it says what matters. */
export interface FuzzRequest {
  readonly encoding: Encoding;
  readonly path: string;
  readonly text: JobText;
  readonly textChanges: readonly Mutation[];
  readonly packing: Packing;
  readonly contentEncoding: string;
  readonly bodyChanges: readonly Mutation[];
  readonly framing: Framing;
  readonly headers: readonly string[];
}

/** Requests of every encoding, from the good to the absurd. `token` is a real repo's. */
export function fuzzRequests(token: string): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...ENCODINGS).chain((encoding) =>
    fc.record({
      encoding: fc.constant(encoding),
      path: paths[encoding === 'W' ? 'close' : 'job'],
      text: jobTexts(token),
      textChanges: mutations(2),
      packing: packings,
      contentEncoding: fc.oneof(
        { weight: 3, arbitrary: fc.constant('none') },
        { weight: 1, arbitrary: fc.constantFrom(...Object.keys(CONTENT_ENCODINGS)) },
      ),
      bodyChanges: mutations(2),
      framing: framings,
      headers: fc.oneof(
        { weight: 8, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(headerLines, { maxLength: 3 }) },
      ),
    }),
  );
}

/** The request as it goes over the wire. */
export function writeRequest(request: FuzzRequest): WireRequest {
  const { encoding, path, text, textChanges, packing, contentEncoding, bodyChanges, framing, headers } = request;
  const job = mutate(Buffer.from(text.json, text.charset), textChanges);
  const { type, body: plain } = pack(encoding, job, packing);
  const { header, apply } = CONTENT_ENCODINGS[contentEncoding] ?? { header: '', apply: (body: Uint8Array) => body };
  const body = mutate(apply(plain), bodyChanges);
  const { line, bytes } = frame(body, framing);
  const lines = [
    'Host: x',
    `Content-Type: ${type}`,
    header === '' ? '' : `Content-Encoding: ${header}`,
    line,
    ...headers,
  ];
  const head = `POST ${path} HTTP/1.1\r\n${lines.filter((one) => one !== '').join('\r\n')}\r\n\r\n`;
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), bytes]),
    hangUp: hangUpOf(request),
    lawful: isLawful(request),
  };
}

function isLawful({ framing, headers }: FuzzRequest): boolean {
  if (headers.length > 0) return false;
  return (
    (framing.kind === 'length' && framing.off === 0) || (framing.kind === 'chunked' && framing.changes.length === 0)
  );
}

function hangUpOf({ framing, headers }: FuzzRequest): HangUp {
  if (headers.some((line) => FRAMING_LINE.test(line))) return 'when silent';
  if (framing.kind === 'length') return framing.off > 0 ? 'at once' : 'never';
  return framing.kind === 'chunked' && framing.changes.length === 0 ? 'never' : 'when silent';
}

function frame(body: Buffer, framing: Framing): { readonly line: string; readonly bytes: Buffer } {
  switch (framing.kind) {
    case 'length':
      return { line: `Content-Length: ${Math.max(0, body.length + framing.off)}`, bytes: body };
    case 'stated':
      return { line: `Content-Length: ${framing.text}`, bytes: body };
    case 'none':
      return { line: '', bytes: body };
    case 'chunked':
      return { line: 'Transfer-Encoding: chunked', bytes: mutate(chunk(body, framing.size), framing.changes) };
  }
}

/** At most a thousand chunks of the size that is asked for, the rest in one. */
function chunk(body: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, chunks.length < 1_000 ? at + size : undefined);
    chunks.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    at += piece.length;
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
