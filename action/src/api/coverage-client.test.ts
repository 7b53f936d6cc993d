import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createCoverageClient } from './coverage-client.ts';
import { encodeJob } from './encode-job.ts';
import type { Answer, Request } from './retrying-fetch.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const answer = (parts: Partial<Answer>): Answer => ({
  status: 200,
  contentType: JSON_TYPE,
  text: '{}',
  location: '',
  ...parts,
});

function client(
  answers: Partial<Answer>,
  options: { readonly endpoint?: string; readonly token?: string; readonly readToken?: string } = {},
) {
  const { endpoint = 'https://cov.example/base/', token = 'tok&en', readToken = token } = options;
  const sent: Request[] = [];
  const warned: string[] = [];
  const fetcher = async (request: Request): Promise<Answer> => {
    sent.push(request);
    return answer(answers);
  };
  const server = { endpoint: new URL(endpoint), token, readToken };
  const log = { warning: (line: string) => warned.push(line) };
  return { sent, warned, ...createCoverageClient({ send: fetcher, read: fetcher }, server, log) };
}
const JOB = JSON.stringify({ message: 'Job #71.1', url: 'https://cov.example/base/jobs/5' });

test('a job goes to the jobs route below the endpoint, compressed', async () => {
  const { uploadJob, sent } = client({ text: JOB });
  const body = await encodeJob({ repo_token: 't', service_name: 'github' }, [
    { name: 'a', coverage: [1] },
    { name: 'b', coverage: [] },
  ]);
  expect(await uploadJob(body)).toEqual({ message: 'Job #71.1', url: 'https://cov.example/base/jobs/5' });
  expect(sent[0]).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', authorization: 'Bearer tok&en' },
  });
  expect(sent[0]?.url.href).toBe('https://cov.example/base/api/v1/jobs');
  expect(JSON.parse(gunzipSync(body).toString())).toEqual({
    repo_token: 't',
    service_name: 'github',
    source_files: [
      { name: 'a', coverage: [1] },
      { name: 'b', coverage: [] },
    ],
  });
});

test('a job without files, and one larger than the buffers of gzip', async () => {
  const empty = await encodeJob({ repo_token: 't', service_name: 's' }, []);
  expect(JSON.parse(gunzipSync(empty).toString()).source_files).toEqual([]);
  const files = Array.from({ length: 300 }, (_, index) => ({
    name: `f${index}`,
    coverage: Array.from({ length: 500 }, (_, line) => (line * 7919 * index) % 99991),
  }));
  const large = await encodeJob({ repo_token: 't', service_name: 's' }, files);
  expect(JSON.parse(gunzipSync(large).toString()).source_files).toEqual(files);
});

test('of a message only its first line, since the header says the rest', async () => {
  const text = JSON.stringify({ message: 'Job #71.1\nWarning: A – b', url: 'https://cov.example/base/jobs/5' });
  const { uploadJob, warned } = client({ text, warnings: encodeURIComponent('["A – b"]') });
  expect(await uploadJob(new Uint8Array())).toMatchObject({ message: 'Job #71.1' });
  expect(warned).toEqual(['The server warns: A – b']);
});

test.each<[string | undefined, readonly string[]]>([
  [encodeURIComponent('["A – b","c"]'), ['The server warns: A – b', 'The server warns: c']],
  [undefined, []],
  ['%', []],
  ['[1]', []],
  ['"text"', []],
])('what the server warns of, as %s', async (warnings, lines) => {
  const { uploadJob, warned } = client({ text: JOB, warnings });
  await uploadJob(new Uint8Array());
  expect(warned).toEqual(lines);
});

test('a close goes to the webhook', async () => {
  const { closeBuild, sent } = client(
    { text: '{"done":true,"url":"https://cov.example/builds/9","jobs":2}' },
    { endpoint: 'https://cov.example' },
  );
  const payload = { repo_token: 't', payload: { build_num: '71', status: 'done' as const } };
  expect(await closeBuild(payload)).toEqual({ done: true, url: 'https://cov.example/builds/9', jobs: 2 });
  expect(sent[0]?.url.href).toBe('https://cov.example/webhook');
  expect(JSON.parse(sent[0]?.body as string)).toEqual(payload);
  expect(sent[0]?.headers.authorization).toBe('Bearer tok&en');
});

test.each(['', 'two\nlines', 'tökén'])('the token %j is in no header', async (token) => {
  const { closeBuild, sent } = client(
    { text: '{"done":true,"url":"https://cov.example/builds/9","jobs":2}' },
    { token },
  );
  await closeBuild({ repo_token: token, payload: { status: 'done' } });
  expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['content-type', 'accept']);
});

describe('reading', () => {
  test.each([
    ['https://cov.example/base', 'https://cov.example/base/builds/9', 'https://cov.example/base/builds/9.json'],
    ['https://cov.example', 'https://cov.example/other/builds/9?x=1#y', 'https://cov.example/other/builds/9.json'],
    [
      'http://cov.internal:8080/base',
      'https://cov.example/base/builds/9',
      'http://cov.internal:8080/base/builds/9.json',
    ],
    ['http://cov.internal:8080', 'https://cov.example/c/jobs/3', 'http://cov.internal:8080/jobs/3.json'],
  ])('at %s, the page %s', async (endpoint, page, url) => {
    const { readBuild, sent } = client({ text: '{}' }, { endpoint });
    await readBuild(page);
    expect(sent.map((one) => one.url.href)).toEqual([url]);
  });

  test.each(['https://evil.example/steal', 'no url', 'https://evil.example/builds/'])(
    '%s is not read',
    async (page) => {
      const { readBuild, sent } = client({ text: '{}' });
      expect(await readBuild(page)).toBeUndefined();
      expect(sent).toEqual([]);
    },
  );

  test('with the repo token, which messages do not show', async () => {
    const { readBuild, sent } = client({ text: '{"state":"closed"}' });
    expect(await readBuild('https://cov.example/base/builds/9')).toEqual({ state: 'closed' });
    expect(sent.map(({ url }) => url.href)).toEqual(['https://cov.example/base/builds/9.json']);
    expect(sent[0]?.headers.authorization).toBe('Bearer tok&en');
    expect(sent[0]?.shownUrl).toBe('https://cov.example/base/builds/9.json');
  });

  test('of an older server, with the token in the query once it refuses the header', async () => {
    const { readBuild, sent } = client({ status: 401 });
    expect(await readBuild('https://cov.example/base/builds/9')).toBeUndefined();
    expect(sent.map(({ url }) => url.search)).toEqual(['', '?repo_token=tok%26en']);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer tok&en', undefined]);
    expect(sent[1]?.shownUrl).toBe('https://cov.example/base/builds/9.json');
  });

  test('the token goes to the endpoint only, whatever the answer says', async () => {
    const { readBuild, sent } = client({}, { endpoint: 'http://cov.internal:8080' });
    await readBuild('https://evil.example/builds/9');
    expect(sent.map(({ url }) => url.origin)).toEqual(['http://cov.internal:8080']);
  });

  test('a provider’s token reads too, and is never put into a URL', async () => {
    const { readJob, sent } = client({ status: 401 }, { readToken: '' });
    await readJob('https://cov.example/base/jobs/5');
    expect(sent.map(({ url, headers }) => [url.search, headers.authorization])).toEqual([
      ['', 'Bearer tok&en'],
      ['', undefined],
    ]);
  });

  test('what can not be read is undefined', async () => {
    expect(await client({ status: 404 }).readBuild('https://cov.example/builds/9')).toBeUndefined();
    expect(await client({ text: '<html>' }).readBuild('https://cov.example/builds/9')).toBeUndefined();
  });
});

describe('a refusal says what to do', () => {
  const said = '{"message":"Couldn\'t find a repository matching this token.","error":true}';
  test.each<[string, Partial<Answer>, string]>([
    [
      'token',
      { status: 422, text: said },
      "(422 from https://cov.example/base/api/v1/jobs): Couldn't find a repository matching this token. Next: " +
        'check "repo-token"',
    ],
    [
      'body',
      { status: 422, text: '{"message":"coverage must be a list."}' },
      '(422 from https://cov.example/base/api/v1/jobs): coverage must be a list.',
    ],
    ['route', { status: 404, text: '{"message":"no"}' }, 'no. Next: check the URL'],
    ['size', { status: 413, text: '{"message":"over 64 MiB"}' }, 'over 64 MiB. Next: split the upload'],
    [
      'fault',
      { status: 500, text: '' },
      'The coverage server could not accept the request (500 from https://cov.example/base/api/v1/jobs). Next: ' +
        'look at ' +
        "the server's log",
    ],
    ['limit', { status: 429, text: '{}' }, 'Next: run it again later'],
    [
      'redirect',
      { status: 301, location: 'https://new.example/' },
      'answered with a redirect (301) to https://new.example/. An upload is never redirected',
    ],
    [
      'proxy',
      { status: 502, contentType: 'text/html', text: '<h1>Bad gateway</h1>' },
      'answered 502 with an HTML page, where JSON was expected. It begins: "<h1>Bad gateway</h1>"',
    ],
    [
      'sign-in page',
      { contentType: 'text/html', text: '<!doctype html>' },
      'answered 200 with an HTML page, where JSON was expected',
    ],
    ['no JSON', { contentType: '', text: 'OK' }, 'answered 200 with content of no stated type'],
    ['JSON without url', { text: '{"ok":true}' }, 'answered 200 with application/json'],
  ])('%s', async (_, answers, words) => {
    await expect(client(answers).uploadJob(new Uint8Array())).rejects.toThrow(words);
  });
});
