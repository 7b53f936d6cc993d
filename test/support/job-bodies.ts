import { gzipSync } from 'node:zlib';

/**
 * How clients pack a job (docs/wire.md "Upload"): E1 a form field, E3 a multipart file with a type, E4 one without, E6
 * plain JSON; `E6-gzip` is what our own action sends.
 */
export type JobEncoding = 'E1' | 'E3' | 'E4' | 'E6' | 'E6-gzip';

/** A request body with the headers that belong to it. */
export interface EncodedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Packs a job; a string is taken as the JSON text itself, so that broken JSON can be sent. */
export function encodeJob(job: object | string, encoding: JobEncoding = 'E6'): EncodedBody {
  const json = typeof job === 'string' ? job : JSON.stringify(job);
  switch (encoding) {
    case 'E1':
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ json }).toString(),
      };
    case 'E3':
      return multipart(json, { partType: 'text/plain; charset=utf-8' });
    case 'E4':
      return multipart(json, {});
    case 'E6':
      return { headers: { 'content-type': 'application/json' }, body: json };
    case 'E6-gzip':
      return {
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: new Uint8Array(gzipSync(json)),
      };
  }
}

export interface MultipartOptions {
  readonly boundary?: string;
  readonly field?: string;
  /** Content-Type of the part; left out by default. */
  readonly partType?: string;
  /** Null makes it a text field. */
  readonly filename?: string | null;
}

/** A multipart body with one part, byte for byte as stated. */
export function multipart(content: string | Uint8Array, options: MultipartOptions): EncodedBody {
  const {
    boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    field = 'json_file',
    partType,
    filename = 'json_file',
  } = options;
  const name = filename === null ? '' : `; filename="${filename}"`;
  const type = partType === undefined ? '' : `Content-Type: ${partType}\r\n`;
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\n${type}\r\n`),
    Buffer.from(content as Uint8Array),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: new Uint8Array(body) };
}
