import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type EncodedBody, encodeJob, type MultipartOptions, multipart } from '../support/job-bodies.ts';
import { openRaw } from '../support/raw-http.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** 3 of 4 lines and 1 of 2 branches, in two files. */
const FILES = [
  sourceFile('src/a.ts', [4, null, 0, 1], { branches: [1, 0, 0, 4, 1, 0, 1, 0] }),
  sourceFile('src/ü b&=+%.ts', [9]),
];
const JSON_TYPE = 'application/json; charset=utf-8';

type Pack = (json: string) => EncodedBody;

const json = (
  type: string | undefined,
  pack: (text: string) => string | Uint8Array = (text) => text,
  encoding?: string,
): Pack => {
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  };
  return (text) => ({ headers, body: new Uint8Array(Buffer.from(pack(text) as string)) });
};
const part = (options: MultipartOptions, pack: (text: string) => string | Uint8Array = (text) => text): Pack => {
  return (text) => multipart(pack(text), options);
};
/** A multipart body with these part headers, written out. */
const written = (
  head: string,
  { type = 'multipart/form-data; boundary=XX', end = '\r\n', pack = (text: string): string | Uint8Array => text } = {},
): Pack => {
  return (text) => ({
    headers: { 'content-type': type },
    body: new Uint8Array(
      Buffer.concat([
        Buffer.from(`--XX\r\n${head}\r\n\r\n`),
        Buffer.from(pack(text) as string),
        Buffer.from(`\r\n--XX--${end}`),
      ]),
    ),
  });
};
const form = (text: string): string => new URLSearchParams({ json: text }).toString();
const FORM = 'application/x-www-form-urlencoded';
const FILE = 'Content-Disposition: form-data; name="json_file"; filename="json_file"';

describe('an upload is taken', () => {
  const packs: readonly (readonly [string, Pack])[] = [
    ['E1 form field', (text) => encodeJob(text, 'E1')],
    [
      'E1 with a charset, behind another field',
      json(`${FORM}; charset=utf-8`, (text) => `utf8=%E2%9C%93&${form(text)}`),
    ],
    ['E1 percent-encoded throughout', json(FORM, (text) => `json=${encodeURIComponent(text)}`)],
    ['E2 text field', part({ field: 'json', filename: null })],
    [
      'E2 text field, indented JSON',
      part({ field: 'json', filename: null }, (text) => JSON.stringify(JSON.parse(text), null, 2)),
    ],
    ['E3 file of type text/plain', (text) => encodeJob(text, 'E3')],
    ['E3 file of type application/json;charset=UTF-8', part({ partType: 'application/json;charset=UTF-8' })],
    [
      'E3 file of type application/octet-stream',
      part({ partType: 'application/octet-stream', filename: 'coveralls.json' }),
    ],
    [
      'E3 with Content-Transfer-Encoding',
      written(`${FILE}\r\nContent-Type: application/json\r\nContent-Transfer-Encoding: binary`),
    ],
    [
      'E3 with a boundary that begins with --',
      part({ boundary: '----------------------------1234', partType: 'application/json' }),
    ],
    ['E4 file without a type', (text) => encodeJob(text, 'E4')],
    ['E4 with part headers in lower case', written(FILE.toLowerCase())],
    ['E4 with a comma before the boundary', written(FILE, { type: 'multipart/form-data, boundary=XX' })],
    ['E4 with a quoted boundary', written(FILE, { type: 'multipart/form-data; boundary="XX"' })],
    ['E5 gzipped file', part({ partType: 'application/gzip', filename: 'report.gz' }, gzipSync)],
    ['E5 gzipped file called gzip/json', part({ partType: 'gzip/json' }, gzipSync)],
    ['E5 gzipped file without a type', part({}, gzipSync)],
    [
      'E5 with unquoted names and no line end behind the closing boundary',
      written('Content-Disposition: form-data; name=json_file; filename=x.gz\r\nContent-Type: application/gzip', {
        end: '',
        pack: gzipSync,
      }),
    ],
    ['E6 JSON', (text) => encodeJob(text, 'E6')],
    ['E6 JSON with a charset', json('application/json; charset=utf-8')],
    ['E6 JSON with a byte order mark', json('application/json', (text) => `\ufeff${text}`)],
    ['E6 JSON without a Content-Type', json(undefined)],
    ['E6 JSON that a client calls a form', json(FORM)],
    ['E6 with Content-Encoding gzip', (text) => encodeJob(text, 'E6-gzip')],
    ['E6 with Content-Encoding deflate', json('application/json', deflateSync, 'deflate')],
    ['E6 with Content-Encoding deflate, the bare stream', json('application/json', deflateRawSync, 'deflate')],
    ['E6 with Content-Encoding zstd', json('application/json', zstdCompressSync, 'zstd')],
    ['E6 with Content-Encoding identity', json('application/json', (text) => text, 'identity')],
    ['E6 gzipped without saying so', json('application/json', gzipSync)],
    ['E1 with Content-Encoding gzip', json(FORM, (text) => gzipSync(form(text)), 'gzip')],
    ['E7 the job as a string within JSON', json('application/json', (text) => JSON.stringify({ json: text }))],
    [
      'E7 with Content-Encoding gzip',
      json('application/json', (text) => gzipSync(JSON.stringify({ json: text })), 'gzip'),
    ],
  ];

  test.each(packs)('as %s', async (name, pack) => {
    const { token } = await service.newRepo();
    const body = job({
      repo_token: token,
      service_number: '7',
      commit_sha: shaOf(name),
      flag_name: 'ünit',
      source_files: FILES,
    });
    const reply = await service.api.uploadBody(pack(JSON.stringify(body)));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    expect(reply.json).toEqual({ message: 'Job #7.1', url: expect.stringMatching(/\/jobs\/\d+$/) });
    const stored = (await service.api.jobJson(reply.json.url)).json;
    expect(stored).toMatchObject({ commit_sha: shaOf(name), flag_name: 'ünit', covered_lines: 3, relevant_lines: 4 });
    expect(stored).toMatchObject({ covered_branches: 1, relevant_branches: 2, covered_percent: 400 / 6 });
  });

  test('byte by byte over the wire, with Expect: 100-continue and a Host without its port', async () => {
    const { token } = await service.newRepo();
    const body = JSON.stringify(job({ repo_token: token, service_number: '8' }));
    const connection = await openRaw(service.port);
    connection.send(
      `POST //api//v1/jobs HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ` +
        `${Buffer.byteLength(body)}\r\n\r\n`,
    );
    expect((await connection.answer()).status).toBe(100);
    for (const byte of body) connection.send(byte);
    expect(JSON.parse((await connection.answer()).body)).toMatchObject({ message: 'Job #8.1' });
    connection.socket.destroy();
  });

  test('in chunks, without a length', async () => {
    const { token } = await service.newRepo();
    const body = new Blob([JSON.stringify(job({ repo_token: token, service_number: '9' }))]).stream();
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit;
    expect((await service.api.send('/api/v1/jobs', init)).json).toMatchObject({ message: 'Job #9.1' });
  });

  test('when the client hangs up once it was all here', async () => {
    const { token } = await service.newRepo();
    const commit = shaOf('hung up');
    const body = JSON.stringify(job({ repo_token: token, commit_sha: commit }));
    const connection = await openRaw(service.port);
    connection.send(
      `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    connection.socket.end();
    connection.socket.destroySoon();
    const kept = await waitFor(async () => (await service.api.buildJson(commit)).json.jobs?.length, {
      what: 'the job to be kept',
    });
    expect(kept).toBe(1);
  });
});
