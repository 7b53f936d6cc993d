import { afterEach, describe, expect, test } from 'vitest';
import {
  body,
  connect,
  content,
  endScene,
  failureOf,
  logbook,
  marker,
  pass,
  place,
  repo,
  START,
  serve,
  start,
} from '../support/github-provider-scene.ts';
import { head, merge } from '../support/github-scene.ts';
import type { Fault } from '../support/github-stand-in/faults.ts';
import { createMovedTime } from '../support/moved-time.ts';

afterEach(endScene);

const limit = (fields: object): Fault => ({ kind: 'secondary-limit', ...fields });

describe('failures of a write', () => {
  test.each<[string, Fault, object]>([
    ['500', { kind: 'status', status: 500 }, { kind: 'transient', status: 500 }],
    ['503', { kind: 'status', status: 503 }, { kind: 'transient', status: 503 }],
    ['502', { kind: 'status', status: 502 }, { kind: 'uncertain', status: 502 }],
    ['504', { kind: 'status', status: 504 }, { kind: 'uncertain', status: 504 }],
    ['a cut connection', { kind: 'drop', takesEffect: true }, { kind: 'uncertain', status: undefined }],
    ['no answer', { kind: 'hang' }, { kind: 'uncertain', status: undefined }],
    ['a secondary limit', limit({ retryAfterSeconds: 30 }), { kind: 'limited', retryAt: START + 30_000 }],
    [
      'a secondary limit by 429',
      limit({ status: 429, retryAfterSeconds: 7 }),
      { kind: 'limited', retryAt: START + 7_000 },
    ],
    ['a secondary limit without a time', limit({}), { kind: 'limited', retryAt: START + 60_000 }],
    ['a limit without end', limit({ retryAfterSeconds: 999_999 }), { kind: 'limited', retryAt: START + 3_600_000 }],
    [
      'a spent budget',
      { kind: 'primary-limit', resetAt: START / 1_000 + 90 },
      { kind: 'limited', retryAt: START + 90_000 },
    ],
    ['a reset that is past', { kind: 'primary-limit', resetAt: 7 }, { kind: 'limited', retryAt: START + 1_000 }],
  ])('%s: sent once, told as what it is', async (_, fault, expected) => {
    const options = { callTimeLimit: fault.kind === 'hang' ? 500 : 10_000 };
    const { stand, provider } = await start(options);
    stand.faults.when(() => fault);
    expect(await failureOf(provider.setStatus({ ...place, content }))).toMatchObject(expected);
    const other = connect(stand.url, stand.token, options);
    expect(await failureOf(other.createComment({ repo, pullRequest: 7, body }))).toMatchObject(expected);
    expect(stand.requests()).toHaveLength(2);
  });

  test.each([
    [401, 'Bad credentials', /^GitHub answered 401 \("Bad credentials"\).*GITHUB_TOKEN is wrong, expired or revoked/],
    [403, 'Resource not accessible by integration', /lacks a permission; it needs `statuses: write`/],
    [403, 'Resource protected by organization SAML enforcement.', /single sign-on/],
    [403, 'Repository was archived so is read-only.', /archived/],
    [404, 'Not Found', /cannot see the repo, or the commit is not pushed/],
    [410, 'Gone', /deleted/],
    [451, 'Blocked', /does not accept the request/],
  ])('%d "%s" is permanent, with what to do', async (status, message, sentence) => {
    const { stand, provider } = await start();
    stand.faults.next(1, { kind: 'status', status, message });
    const failure = await failureOf(provider.setStatus({ ...place, content }));
    expect(failure).toMatchObject({ kind: 'permanent', status });
    expect(failure.message).toMatch(sentence);
  });

  test('GitHub’s own reasons are quoted: unknown commit, locked conversation, too long a text', async () => {
    const { stand, provider } = await start();
    const unknown = await failureOf(provider.setStatus({ ...place, commit: 'd'.repeat(40), content }));
    expect(unknown).toMatchObject({ kind: 'permanent', status: 422 });
    expect(unknown.message).toContain('No commit found for SHA');
    const long = await failureOf(
      provider.setStatus({ ...place, content: { ...content, description: 'x'.repeat(141) } }),
    );
    expect(long.message).toContain('description is too long (maximum is 140 characters)');
    stand.addPullRequest(repo, { number: 8, headSha: head, baseRef: 'main', locked: true });
    expect((await failureOf(provider.createComment({ repo, pullRequest: 8, body }))).message).toMatch(
      /locked; unlock it/,
    );
  });

  test('a refused connection was not sent, so nothing is uncertain', async () => {
    const { stand, provider } = await start();
    await stand.close();
    const failure = await failureOf(provider.setStatus({ ...place, content }));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('ECONNREFUSED') });
    const unresolved = connect('http://no-such-host.invalid', 'secret-token');
    expect(await failureOf(unresolved.createComment({ repo, pullRequest: 7, body }))).toMatchObject({
      kind: 'transient',
    });
  });

  test('a write that never left its queue is not uncertain nor sent later; other tokens have their own', async () => {
    const caller = { login: 'coverage-bot', kind: 'user', access: 'write' } as const;
    const time = createMovedTime();
    const options = { callTimeLimit: 800, timers: time.timers };
    const { stand, provider } = await start(options, { tokens: { one: caller, two: caller } });
    stand.faults.when(({ body: sent }) => (JSON.stringify(sent).includes('"coverage"') ? { kind: 'hang' } : undefined));
    const calls = Array.from({ length: 12 }, () => failureOf(provider.setStatus({ ...place, content })));
    let isOver = false;
    const kinds = Promise.all(calls).finally(() => {
      isOver = true;
    });
    await expect.poll(() => stand.requests().length).toBe(10);
    await connect(stand.url, 'two').setStatus({ ...place, context: 'another', content });
    expect(isOver).toBe(false);
    await time.pass(800);
    expect((await kinds).filter(({ kind }) => kind === 'transient')).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stand.requests()).toHaveLength(11);
  });

  test('answers that are not GitHub’s are uncertain: cut short, redirected, or from another server', async () => {
    const provider = await serve((request, response) => {
      request.resume();
      if (request.url?.includes('/statuses/')) response.writeHead(301, { location: '/elsewhere' }).end();
      else if (request.url === '/elsewhere') response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      else {
        response.writeHead(201, { 'content-type': 'application/json', 'content-length': '5000' }).write('{"id": 12');
        setTimeout(() => response.destroy(), 10);
      }
    });
    expect(await failureOf(provider.setStatus({ ...place, content }))).toMatchObject({ kind: 'uncertain' });
    expect(await failureOf(provider.createComment({ repo, pullRequest: 7, body }))).toMatchObject({
      kind: 'uncertain',
    });
    expect(await failureOf(provider.updateComment({ repo, pullRequest: 7, commentId: 12, body }))).toMatchObject({
      kind: 'uncertain',
    });
  });
});

describe('failures of a read', () => {
  test('that tell us to slow down are not repeated', async () => {
    const { stand, provider } = await start();
    stand.faults.when(() => limit({ status: 429, retryAfterSeconds: 1 }));
    expect(await failureOf(provider.describeCommit({ repo, commit: merge }))).toMatchObject({ kind: 'limited' });
    expect(stand.requests()).toHaveLength(1);
  });

  test('are repeated twice', async () => {
    const { stand, provider } = await start();
    stand.faults.next(1, { kind: 'status', status: 502 });
    stand.faults.next(1, { kind: 'drop', takesEffect: true });
    expect(await provider.describeCommit({ repo, commit: merge })).toBeDefined();
    expect(stand.requests()).toHaveLength(3);
    stand.faults.when(() => ({ kind: 'status', status: 502 }));
    expect(await failureOf(provider.describeCommit({ repo, commit: merge }))).toMatchObject({ kind: 'transient' });
    expect(stand.requests()).toHaveLength(6);
  });

  test('are over when the call’s time is, repeats and pauses included', async () => {
    const { stand, provider } = await start({ callTimeLimit: 200, retryPause: 300 });
    stand.faults.when(() => ({ kind: 'status', status: 502 }));
    const failure = await failureOf(provider.findComment({ repo, pullRequest: 7, marker }));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('within 0.2 s') });
    const sent = stand.requests().length;
    expect(sent).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(stand.requests()).toHaveLength(sent);
  });

  test('a list that is cut short never reads as an empty one', async () => {
    const provider = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      if (request.url === '/user') response.end(JSON.stringify({ id: 5, login: 'coverage-bot' }).padEnd(5_000));
      else response.write('[', () => response.destroy());
    });
    expect(await failureOf(provider.findComment({ repo, pullRequest: 7, marker }))).toMatchObject({
      kind: 'transient',
    });
    expect(await failureOf(provider.readStatus(place))).toMatchObject({ kind: 'transient' });
  });

  test.each([
    ['null', 'null'],
    ['another shape', '{"head": 5, "parents": [{}], "message": 7}'],
    ['a page of a proxy', '<html>'],
  ])('%s instead of an answer is a failure, no crash', async (_, text) => {
    const provider = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    for (const call of [
      provider.describePullRequest({ repo, pullRequest: 7 }),
      provider.describeCommit({ repo, commit: merge }),
      provider.findComment({ repo, pullRequest: 7, marker }),
      provider.readStatus(place),
    ])
      expect(await failureOf(call)).toMatchObject({ kind: 'transient' });
  });
});

test('while GitHub wants us to wait, nothing is sent', async () => {
  const { stand, provider } = await start();
  stand.faults.next(1, limit({ retryAfterSeconds: 30 }));
  await failureOf(provider.setStatus({ ...place, content }));
  expect(stand.requests()).toHaveLength(1);
  pass(29_999);
  expect(await failureOf(provider.describeCommit({ repo, commit: merge }))).toMatchObject({
    kind: 'limited',
    retryAt: START + 30_000,
  });
  expect(stand.requests()).toHaveLength(1);
  pass(1);
  expect(await provider.describeCommit({ repo, commit: merge })).toBeDefined();
});

test('an Enterprise server’s address may have a path, with or without a slash at the end', async () => {
  const { stand } = await start({}, { basePath: '/api/v3' });
  await connect(`${stand.url}/`, stand.token).setStatus({ ...place, content });
  expect(stand.statuses(repo, head)).toHaveLength(1);
  expect(stand.requests()[0]?.headers).toMatchObject({ 'x-github-api-version': '2022-11-28' });
});

test('GitHub’s texts are bounded and printable, and the token is in no failure and no log line', async () => {
  const token = 'secret-token';
  const hostile = `${token} \u202e\u0007<b>${'x'.repeat(5_000)}`;
  let status = 400;
  const provider = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: hostile, errors: [hostile, { message: hostile }, { code: hostile }, 5] }));
  });
  const said: string[] = [];
  for (status of [400, 401, 403, 404, 422, 500, 502]) {
    const failure = await failureOf(provider.setStatus({ ...place, content }));
    expect(failure.message.length).toBeLessThan(1_200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(failure.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    said.push(failure.message, String(failure.cause), String(failure.stack));
  }
  const unsendable = await failureOf(
    connect('http://127.0.0.1:9', `${token}\nand more`).setStatus({ ...place, content }),
  );
  expect(unsendable.message).toContain('invalid header value');
  said.push(unsendable.message, String(unsendable.cause), String(unsendable.stack));
  expect(said.join('\n')).toContain('[token]');
  expect(said.join('\n')).not.toContain(token);
  expect(logbook.lines.length).toBeGreaterThan(20);
  expect(logbook.text()).not.toContain(token);
  expect(logbook.text()).not.toContain('stand-in-token');
});
