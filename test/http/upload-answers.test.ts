import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coverageApi, job, shaOf } from '../support/coverage-api.ts';
import { encodeJob } from '../support/job-bodies.ts';
import { openRaw } from '../support/raw-http.ts';
import { type Service, startService } from '../support/service.ts';

const BASE = 'https://tools.example/coverage';
const JSON_TYPE = 'application/json; charset=utf-8';

let service: Service;
let behindProxy: Service;
beforeAll(async () => {
  service = await startService();
  behindProxy = await startService({ env: { BASE_URL: `${BASE}/` } });
});
afterAll(async () => {
  await service.stop();
  await behindProxy.stop();
});

/** An upload as bytes, so that the test owns every header. */
async function post(port: number, path: string, body: string, headers: Record<string, string>) {
  const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const connection = await openRaw(port);
  connection.send(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const answer = await connection.answer();
  connection.socket.destroy();
  return answer;
}

describe('the answer to an upload', () => {
  test('is exactly these bytes, with exactly this status and type', async () => {
    const { token } = await service.newRepo();
    const commit = shaOf('exactly these bytes');
    const text = JSON.stringify(job({ repo_token: token, commit_sha: commit }));
    const answer = await post(service.port, '/api/v1/jobs', text, {
      Host: 'evil.example',
      'Content-Type': 'application/json',
    });
    const id = (await service.build(commit)).jobs[0]?.url.split('/').at(-1);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(JSON_TYPE);
    expect(answer.body).toBe(`{"message":"Job #71.1","url":"${service.url}/jobs/${id}"}`);
  });

  test.each([
    ['a browser’s Accept', { Accept: 'text/html, application/xhtml+xml, */*;q=0.1' }],
    ['an Accept that JSON does not fit', { Accept: 'image/png' }],
    ['no Accept, no User-Agent, no Host', {}],
    [
      'a Host and forwarded names of somebody else',
      { Host: 'evil.example:1', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    ],
  ])('is the same for %s', async (name, headers) => {
    const { token } = await service.newRepo();
    const text = JSON.stringify(job({ repo_token: token, commit_sha: shaOf(name) }));
    const answer = await post(service.port, '/api/v1/jobs', text, headers as Record<string, string>);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE]);
    const body = JSON.parse(answer.body);
    expect(Object.keys(body)).toEqual(['message', 'url']);
    expect(body).toEqual({
      message: 'Job #71.1',
      url: expect.stringMatching(new RegExp(`^${service.url}/jobs/\\d+$`)),
    });
  });

  test.each(['//api/v1/jobs', '/api//v1///jobs', '/api/v1/jobs/', '/api/v1/jobs?service=x'])(
    'comes without a redirect from %s',
    async (path) => {
      const { token } = await service.newRepo();
      const answer = await post(service.port, path, JSON.stringify(job({ repo_token: token })), { Host: 'x' });
      expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
      expect(JSON.parse(answer.body).message).toBe('Job #71.1');
    },
  );

  test('echoes X-Request-Id, and bears one of its own otherwise', async () => {
    const { token } = await service.newRepo();
    const { headers, body } = encodeJob(job({ repo_token: token }));
    const send = (more: Record<string, string>) => service.api.uploadBody({ headers: { ...headers, ...more }, body });
    expect((await send({ 'x-request-id': 'run-71/leg-2' })).headers.get('x-request-id')).toBe('run-71/leg-2');
    expect((await send({})).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(service.log.lines.some(({ fields }) => 'request' in fields && fields.request === 'run-71/leg-2')).toBe(true);
  });

  test('counts the jobs of a build, and shows its number as it was sent', async () => {
    const { token } = await service.newRepo();
    const send = (flag: string) =>
      service.upload(job({ repo_token: token, service_number: '00-7a', flag_name: flag, parallel: true }));
    expect([(await send('a')).message, (await send('b')).message]).toEqual(['Job #00-7a.1', 'Job #00-7a.2']);
  });

  test('to a repeated upload is the same as the first time', async () => {
    const { token } = await service.newRepo();
    const upload = job({ repo_token: token, parallel: true });
    const first = await service.api.uploadJob(upload);
    const second = await service.api.uploadJob({ ...upload, run_at: '2030-02-03 04:05:06 +0000' });
    expect([second.status, second.text]).toEqual([200, first.text]);
  });
});

describe('addresses follow BASE_URL', () => {
  test.each(['/api/v1/jobs', '/coverage/api/v1/jobs', '//coverage//api/v1/jobs'])(
    'when a job arrives at %s',
    async (path) => {
      const { token } = await behindProxy.newRepo();
      const answer = await post(behindProxy.port, path, JSON.stringify(job({ repo_token: token })), {
        Host: 'internal:8080',
      });
      expect(JSON.parse(answer.body).url).toMatch(/^https:\/\/tools\.example\/coverage\/jobs\/\d+$/);
    },
  );

  test('in the close, the build and the job', async () => {
    const repo = await behindProxy.newRepo();
    const { build, job: id } = await behindProxy.upload(job({ repo_token: repo.token, parallel: true }));
    const close = await behindProxy.api.closeBuild({ repo_token: repo.token, build_num: 71 });
    expect(close.text).toBe(`{"done":true,"url":"${BASE}/builds/${build}","jobs":1}`);
    expect(await behindProxy.build(build)).toMatchObject({
      url: `${BASE}/builds/${build}`,
      badge_url: `${BASE}/repos/manual/${repo.name}/badge.svg`,
      jobs: [{ url: `${BASE}/jobs/${id}` }],
    });
    expect((await behindProxy.api.jobJson(id)).json).toMatchObject({
      url: `${BASE}/jobs/${id}`,
      build_url: `${BASE}/builds/${build}`,
    });
  });

  test('also for reading below its path', async () => {
    const { token } = await behindProxy.newRepo();
    const { build } = await behindProxy.upload(job({ repo_token: token }));
    const below = coverageApi(`${behindProxy.url}/coverage`, behindProxy.adminToken);
    expect((await below.buildJson(build)).json.id).toBe(build);
  });
});
