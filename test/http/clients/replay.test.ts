import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job } from '../../support/coverage-api.ts';
import { type Service, startService } from '../../support/service.ts';
import { type ClientFixture, fillFixture, readClientFixtures, replay } from './client-fixtures.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** In remotes, in an environment: nothing of it may be kept. */
const SECRETS = /hunter2|secret-folder/;

const all = await readClientFixtures();
const uploads = all.filter(({ encoding }) => encoding !== 'close').map((fixture) => [fixture.name, fixture] as const);
const closes = all.filter(({ encoding }) => encoding === 'close').map((fixture) => [fixture.name, fixture] as const);

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The job's page as JSON, with the build's. */
async function stored(url: string) {
  const { json: shownJob } = await service.api.jobJson(url);
  const open = await service.build(shownJob.build);
  const build = shownJob.parallel ? open : await service.closed(shownJob.build);
  return { build, job: shownJob };
}

describe('the bytes of a client are taken:', () => {
  test.each(uploads)('%s', async (_, fixture: ClientFixture) => {
    const { token } = await service.newRepo({ service: 'github' });
    const answer = await replay(fixture.bytes, { port: service.port, token });
    expect(answer.body).toMatch(/^\{"message":"Job #(?:[^"\\]|\\.)+","url":"http:\/\/127\.0\.0\.1:\d+\/jobs\/\d+"\}$/);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE]);
    expect(answer.headers).toMatchObject({
      'content-length': String(Buffer.byteLength(answer.body)),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.headers.location).toBeUndefined();
    const { message, url } = JSON.parse(answer.body);
    const [jobName, ...warnings] = message.split('\n');
    expect(warnings.filter((line: string) => !/^Warning: /.test(line) || !EXPECTED.test(line))).toEqual([]);
    expect([jobName, url.startsWith(`${service.url}/jobs/`)]).toEqual([fixture.message, true]);
    const kept = await stored(url);
    expect(kept.build).toMatchObject(fixture.build ?? {});
    expect(kept.job).toMatchObject(fixture.job ?? {});
    expect(kept.build.jobs).toHaveLength(1);
    const others = [...kept.build.warnings, ...kept.job.warnings].filter((warning) => !EXPECTED.test(warning));
    expect(others).toEqual([]);
    const shown = JSON.stringify(kept) + service.log.text();
    expect(shown).not.toMatch(SECRETS);
    expect(shown).not.toContain(token);
  });

  test('all seven encodings, and both closes, are among them', () => {
    expect([...new Set(all.map(({ encoding }) => encoding))].sort()).toEqual([
      'E1',
      'E2',
      'E3',
      'E4',
      'E5',
      'E6',
      'E7',
      'close',
    ]);
  });
});

/** This service speaks with no provider, and its repos are not those that the clients were pointed at. */
const EXPECTED =
  /announced|GITHUB_TOKEN|provider|repo_name is "acme\/shop", but the token is that of the repo|this client sends no/i;

describe('the same bytes with a token that nobody knows are refused in words:', () => {
  test.each(uploads)('%s', async (_, fixture: ClientFixture) => {
    const token = `nobody-knows-${fixture.name}`;
    const answer = await replay(fixture.bytes, { port: service.port, token });
    expect([answer.status, answer.headers['content-type']]).toEqual([422, JSON_TYPE]);
    const body = JSON.parse(answer.body);
    expect(body).toEqual({ message: expect.stringMatching(/token/), error: true });
    expect(body.message + service.log.text()).not.toContain(token);
  });
});

describe('the bytes of a close are taken:', () => {
  test.each(closes)('%s', async (_, fixture: ClientFixture) => {
    const { token } = await service.newRepo({ service: 'github' });
    const numbered = fixture.name === 'close-empty' ? { service_number: null } : {};
    const { build } = await service.upload({ ...job({ repo_token: token, parallel: true }), ...numbered });
    const answer = await replay(fixture.bytes, { port: service.port, token });
    expect(answer.body).toBe(`{"done":true,"url":"${service.url}/builds/${build}","jobs":1}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE]);
    expect(await service.build(build)).toMatchObject({ state: 'closed', closed_by: 'webhook' });
    const again = await replay(fixture.bytes, { port: service.port, token });
    expect([again.status, again.body]).toEqual([200, answer.body]);
    expect(service.log.text()).not.toContain(token);
  });
});

test('a fixture is filled byte for byte', () => {
  const filled = fillFixture(
    'POST / HTTP/1.1\r\nHost: {{host}}\r\nContent-Length: {{length}}\r\n\r\nL: ' +
      '{{part-length}}\r\n{{part}}a{{token}}b{{/part}}\r\n',
    { port: 7, token: 'xyz' },
  );
  expect(filled.head.toString()).toBe('POST / HTTP/1.1\r\nHost: 127.0.0.1:7\r\nContent-Length: 13\r\n\r\n');
  expect(filled.body.toString()).toBe('L: 5\r\naxyzb\r\n');
});
