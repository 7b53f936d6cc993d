import { afterEach, describe, expect, test } from 'vitest';
import { call, head, repo, startScene } from '../support/github-scene.ts';
import { DESCRIBED } from '../support/github-stand-in/described.ts';
import type { GithubStandIn, GithubStandInOptions } from '../support/github-stand-in/github-stand-in.ts';
import { checkAnswer } from '../support/github-stand-in/openapi-check.ts';
import { componentSchema, describeOperation, referencesOf } from '../support/github-stand-in/openapi-document.ts';

let github: GithubStandIn | undefined;

async function start(options: GithubStandInOptions = {}): Promise<GithubStandIn> {
  github = await startScene(options);
  return github;
}

afterEach(async () => {
  await github?.close();
  github = undefined;
});

const statuses = `${repo}/statuses/${head}`;
const pending = { state: 'pending', context: 'coverage' };

describe('who may call', () => {
  test('nobody without a good token', async () => {
    const stand = await start();
    expect((await call(stand, repo, { token: null })).json).toMatchObject({
      message: 'Requires authentication',
      status: '401',
    });
    expect((await call(stand, repo, { token: 'wrong' })).json).toMatchObject({ message: 'Bad credentials' });
    expect(JSON.stringify(stand.requests())).not.toContain('wrong');
    expect(JSON.stringify(stand.requests())).not.toContain(stand.token);
  });

  test('a token that may only read gets 403, an installation cannot ask who it is', async () => {
    const installation = { login: 'github-actions[bot]', kind: 'installation', access: 'read' } as const;
    const stand = await start({ tokens: { ghs_1: installation } });
    expect((await call(stand, statuses, { body: pending })).json).toMatchObject({
      message: 'Resource not accessible by integration',
    });
    expect((await call(stand, '/user')).status).toBe(403);
    expect((await call(stand, repo)).status).toBe(200);
    expect(stand.violations()).toEqual([]);
  });

  test('nobody beyond the budget of the hour, until the hour is over', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const stand = await start({ hourlyLimit: 2, now: () => now });
    for (let i = 0; i < 2; i++) await call(stand, repo);
    const refused = await call(stand, repo);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    now = Number(refused.headers.get('x-ratelimit-reset')) * 1000;
    expect((await call(stand, repo)).status).toBe(200);
  });

  test('under a path of its own where it is an Enterprise server', async () => {
    const stand = await start({ basePath: '/api/v3' });
    expect(stand.url).toMatch(/\/api\/v3$/);
    expect((await call(stand, repo)).status).toBe(200);
    expect((await fetch(`${new URL(stand.url).origin}${repo}`)).status).toBe(404);
  });
});

describe("GitHub's OpenAPI description", () => {
  test.each([
    ['an unknown state', { ...pending, state: 'passed' }, /body\/state must be equal to one of the allowed values/],
    ['a missing state', { context: 'coverage' }, /required property 'state'/],
    ['a number as description', { ...pending, description: 5 }, /body\/description must be string,null/],
    ['a misspelt key', { ...pending, targetUrl: 'http://x' }, /must NOT have additional properties .*targetUrl/],
  ])('catches %s in a request', async (_, body, problem) => {
    const stand = await start();
    expect((await call(stand, statuses, { body })).status).toBe(422);
    expect(stand.violations()).toMatchObject([{ what: 'request', method: 'POST', path: statuses }]);
    expect(stand.violations()[0]?.problem).toMatch(problem);
    expect(stand.statuses('acme/shop', head)).toEqual([]);
  });

  test('catches unknown and ill-typed queries, a missing body, a wrong content type, unknown operations', async () => {
    const stand = await start();
    await call(stand, `${repo}/issues/7/comments?per_page=many&sort=asc`);
    await call(stand, statuses, { method: 'POST' });
    await call(stand, statuses, { body: pending, headers: { 'content-type': 'text/plain' } });
    await call(stand, `${repo}/check-suites`, { body: {} });
    const problems = stand.violations().map(({ problem }) => problem);
    expect(problems).toHaveLength(5);
    expect(problems.join('\n')).toMatch(
      /per_page must be integer.*query sort is not known.*body is missing.*text\/plain.*no such operation/s,
    );
    expect((await call(stand, statuses, { body: '{broken' })).json).toMatchObject({ message: 'Problems parsing JSON' });
  });

  test('catches a wrong answer', async () => {
    const stand = await start();
    const { json } = await call(stand, statuses, { body: pending });
    const template = '/repos/{owner}/{repo}/statuses/{sha}';
    const check = (body: unknown, status = 201) => checkAnswer('POST', template, { status, body });
    expect(check(json)).toEqual([]);
    expect(check({ ...json, creator: { ...(json.creator as object), url: 'here' } }).join()).toMatch(
      /must match format "uri"/,
    );
    expect(check({ ...json, id: 'one' }).join()).toMatch(/id must be integer/);
    expect(check({ ...json, context: undefined }).join()).toMatch(/required property 'context'/);
    expect(check(json, 200)).toEqual(['status 200 is not described']);
    expect(check({ errors: [{}] }, 422).join()).toMatch(/required property/);
  });
});

describe("the excerpt of GitHub's description", () => {
  test('holds every operation and message of the stand-in, with every schema that they refer to', () => {
    const schemas = new Set<string>(DESCRIBED.schemas);
    for (const { method, template } of DESCRIBED.operations) {
      const { parameters, bodySchema, answers } = describeOperation(method, template);
      referencesOf([...parameters, bodySchema, ...answers.values()], schemas);
      expect(answers.size).toBeGreaterThan(0);
    }
    // A set that grows while it is walked: what a schema refers to comes behind it.
    for (const name of schemas) referencesOf(componentSchema(name), schemas);
    expect(DESCRIBED.operations.length).toBeGreaterThan(20);
    expect(schemas.size).toBeGreaterThan(80);
  });

  test('says how to have more of it', () => {
    expect(() => componentSchema('webhook-star-created')).toThrow(/npm run excerpt/);
    expect(() => describeOperation('PUT', '/user/starred/{owner}/{repo}')).toThrow(/npm run excerpt/);
  });
});

describe('faults', () => {
  const post = (stand: GithubStandIn, options: object = {}) => call(stand, statuses, { body: pending, ...options });
  const count = (stand: GithubStandIn) => stand.statuses('acme/shop', head).length;

  test('a failure status, with or without effect', async () => {
    const stand = await start();
    stand.faults.next(1, { kind: 'status', status: 502 });
    stand.faults.next(1, { kind: 'status', status: 502, takesEffect: true });
    expect([(await post(stand)).status, count(stand)]).toEqual([502, 0]);
    expect([(await post(stand)).status, count(stand)]).toEqual([502, 1]);
    expect([(await post(stand)).status, count(stand)]).toEqual([201, 2]);
    expect(stand.requests().map(({ status, fault, processed }) => [status, fault, processed])).toEqual([
      [502, 'status', false],
      [502, 'status', true],
      [201, undefined, true],
    ]);
    expect(stand.faults.count()).toBe(2);
  });

  test('limits, as GitHub words them', async () => {
    const stand = await start();
    stand.faults.next(1, { kind: 'secondary-limit', status: 429, retryAfterSeconds: 3 });
    stand.faults.next(1, { kind: 'primary-limit', resetAt: 1_900_000_000 });
    const secondary = await post(stand);
    expect([secondary.status, secondary.headers.get('retry-after')]).toEqual([429, '3']);
    expect(secondary.json.message).toMatch(/secondary rate limit/);
    const primary = await post(stand);
    expect([primary.status, primary.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    expect(primary.headers.get('x-ratelimit-reset')).toBe('1900000000');
  });

  test('a connection cut before or after the work', async () => {
    const stand = await start();
    stand.faults.next(1, { kind: 'drop', takesEffect: false });
    await expect(post(stand)).rejects.toThrow();
    expect(count(stand)).toBe(0);
    stand.faults.next(1, { kind: 'drop', takesEffect: true });
    await expect(post(stand)).rejects.toThrow();
    expect(count(stand)).toBe(1);
    expect(stand.requests().map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  test('a slow answer takes effect though nobody waits; a hanging one ends with the caller', async () => {
    const stand = await start();
    stand.faults.next(1, { kind: 'slow', delayMs: 100 });
    await expect(post(stand, { signal: AbortSignal.timeout(30) })).rejects.toThrow();
    await expect.poll(() => count(stand)).toBe(1);
    stand.faults.next(1, { kind: 'hang' });
    await expect(post(stand, { signal: AbortSignal.timeout(30) })).rejects.toThrow();
    expect(count(stand)).toBe(1);
  });

  test('by rule, until the rule is removed', async () => {
    const stand = await start();
    const remove = stand.faults.when(({ method }) => (method === 'POST' ? { kind: 'status', status: 500 } : undefined));
    expect((await post(stand)).status).toBe(500);
    expect((await call(stand, repo)).status).toBe(200);
    remove();
    expect((await post(stand)).status).toBe(201);
    expect(stand.violations()).toEqual([]);
  });
});
