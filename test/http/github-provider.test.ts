import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { StatusContent } from '../../server/src/domain/announce/delivery.ts';
import { type Provider, ProviderFailure } from '../../server/src/ports/provider.ts';
import { createGithubProvider, type GithubProviderOptions } from '../../server/src/providers/github/github-provider.ts';
import { base, head, merge, startScene } from '../support/github-scene.ts';
import type { Fault } from '../support/github-stand-in/faults.ts';
import type { GithubStandIn, GithubStandInOptions } from '../support/github-stand-in/github-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const repo = 'acme/shop';
const place = { repo, commit: head, context: 'coverage' };
const content: StatusContent = {
  kind: 'status',
  state: 'success',
  description: '81.20%',
  targetUrl: 'https://coverage.example/builds/7',
};
const marker = '<!-- coverage: https://coverage.example repo 1 -->';
const body = `${marker}\n\n## Coverage 81.20%`;

let github: GithubStandIn | undefined;
let server: Server | undefined;
let now = START;
const logbook = createLogbook();

afterEach(async () => {
  expect(github?.violations() ?? []).toEqual([]);
  await github?.close();
  server?.closeAllConnections();
  server?.close();
  github = undefined;
  server = undefined;
  now = START;
});

function connect(apiUrl: string, token: string, options: Partial<GithubProviderOptions> = {}): Provider {
  const clock = { now: () => now };
  return createGithubProvider({ apiUrl, token, clock, logger: logbook, retryPause: 1, callTimeLimit: 2_000, ...options });
}

async function start(
  options: Partial<GithubProviderOptions> = {},
  scene: GithubStandInOptions = {},
): Promise<{ stand: GithubStandIn; provider: Provider }> {
  github = await startScene({ now: () => now, ...scene });
  return { stand: github, provider: connect(github.url, github.token, options) };
}

/** A GitHub that answers as `listener` says, for answers that no GitHub gives. */
async function serve(listener: RequestListener, options: Partial<GithubProviderOptions> = {}): Promise<Provider> {
  const raw = createServer(listener);
  server = raw;
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  return connect(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`, 'secret-token', options);
}

async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const outcome = await call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ProviderFailure);
  return outcome as ProviderFailure;
}

describe('commit statuses', () => {
  test('are set as wanted and read back, the newest of the context, whatever its case', async () => {
    const { stand, provider } = await start();
    expect(await provider.readStatus(place)).toBeUndefined();
    await provider.setStatus({ ...place, content: { ...content, state: 'pending' } });
    await provider.setStatus({ ...place, context: 'coverage (ui)', content: { ...content, state: 'failure' } });
    await provider.setStatus({ ...place, content });
    expect(stand.statuses(repo, head)).toMatchObject([
      { context: 'coverage', state: 'pending' },
      { context: 'coverage (ui)', state: 'failure' },
      { context: 'coverage', state: 'success', description: '81.20%', targetUrl: content.targetUrl },
    ]);
    const { kind, ...shown } = content;
    expect(kind).toBe('status');
    expect(await provider.readStatus({ ...place, context: 'Coverage' })).toEqual(shown);
  });

  test('are looked for on further pages', async () => {
    const { stand, provider } = await start({ writeBurst: 200 });
    await provider.setStatus({ ...place, content });
    await Promise.all(Array.from({ length: 100 }, (_, i) => provider.setStatus({ ...place, context: `flag ${i}`, content })));
    expect(await provider.readStatus(place)).toMatchObject({ state: 'success' });
    expect(
      stand
        .requests()
        .slice(-2)
        .map(({ path }) => path),
    ).toEqual([expect.stringContaining('per_page=100&page=1'), expect.stringContaining('per_page=100&page=2')]);
  });

  test('of one build go out together; more wait for their turn, each token for itself', async () => {
    const { stand, provider } = await start({ writesPerSecond: 50, writeBurst: 8 }, { tokens: twoTokens });
    const other = connect(stand.url, 'two', {});
    const began = performance.now();
    const set = (by: Provider, i: number) => by.setStatus({ ...place, context: `flag ${i}`, content });
    await Promise.all(Array.from({ length: 8 }, (_, i) => set(provider, i)));
    expect(performance.now() - began).toBeLessThan(900);
    const waiting = Promise.all(Array.from({ length: 10 }, (_, i) => set(provider, i)));
    await set(other, 99);
    expect(stand.statuses(repo, head).length).toBeLessThan(18);
    await waiting;
    expect(performance.now() - began).toBeGreaterThan(180);
  });

  test('that would wait too long for their turn are to be tried again, and hold up nothing else', async () => {
    const { stand, provider } = await start({ writesPerSecond: 0.5, writeBurst: 1 });
    await provider.setStatus({ ...place, content });
    expect(await failureOf(provider.setStatus({ ...place, content }))).toMatchObject({ kind: 'limited', retryAt: START + 2_000 });
    expect(await provider.readStatus(place)).toBeDefined();
    now += 2_000;
    await provider.setStatus({ ...place, content });
    expect(stand.statuses(repo, head)).toHaveLength(2);
  });
});

const twoTokens = {
  one: { login: 'coverage-bot', kind: 'user', access: 'write' },
  two: { login: 'other-bot', kind: 'user', access: 'write' },
} as const;

describe('comments', () => {
  test('are created, found, edited, and gone when somebody deleted them', async () => {
    const { stand, provider } = await start();
    const wanted = { repo, pullRequest: 7 };
    expect(await provider.findComment({ ...wanted, marker })).toBeUndefined();
    const commentId = await provider.createComment({ ...wanted, body });
    expect(await provider.findComment({ ...wanted, marker })).toEqual({ id: commentId, body });
    expect(await provider.updateComment({ ...wanted, commentId, body: `${body}!` })).toBe('updated');
    expect(stand.comments(repo, 7)).toMatchObject([{ id: commentId, body: `${body}!`, edits: 1 }]);
    stand.removeComment(repo, commentId);
    expect(await provider.updateComment({ ...wanted, commentId, body })).toBe('gone');
    expect(stand.requests().filter(({ path }) => path === '/user')).toHaveLength(1);
  });

  test.each([
    ['somebody else wrote it', 'mona', body],
    ['a bot wrote it', 'other[bot]', body],
    ['the marker is not on the first line', 'coverage-bot', `Look:\n${body}`],
    ['the marker is quoted', 'coverage-bot', `> ${body}`],
    ['the first line says more', 'coverage-bot', `${marker} <!-- -->\nx`],
    ['the marker is another repo’s', 'coverage-bot', body.replace('repo 1', 'repo 10')],
  ])('are not ours when %s', async (_, login, text) => {
    const { stand, provider } = await start();
    stand.addComment(repo, { pullRequest: 7, login, body: text });
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toBeUndefined();
  });

  test('of an App, which cannot ask who it is: only a bot’s with the marker', async () => {
    const app = { login: 'coverage[bot]', kind: 'installation', access: 'write' } as const;
    const { stand, provider } = await start({}, { tokens: { ghs_1: app } });
    stand.addComment(repo, { pullRequest: 7, login: 'mona', body });
    stand.addComment(repo, { pullRequest: 7, login: 'other[bot]', body: 'Hello' });
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toBeUndefined();
    const id = await provider.createComment({ repo, pullRequest: 7, body });
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toEqual({ id, body });
    expect(stand.requests().filter(({ path }) => path === '/user')).toHaveLength(1);
  });

  test('who we are is asked again after a rate limit, which is no answer', async () => {
    const { stand, provider } = await start();
    const id = await provider.createComment({ repo, pullRequest: 7, body });
    stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 5 }, ({ path }) => path === '/user');
    expect(await failureOf(provider.findComment({ repo, pullRequest: 7, marker }))).toMatchObject({ kind: 'limited' });
    now += 5_000;
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toMatchObject({ id });
  });

  test('are read first page first, then from the newest page back', async () => {
    const { stand, provider } = await start();
    const say = (login: string, text: string) => stand.addComment(repo, { pullRequest: 7, login, body: text });
    for (let i = 0; i < 150; i += 1) say('mona', `comment ${i}`);
    const inTheMiddle = say('coverage-bot', body.replaceAll('\n', '\r\n'));
    for (let i = 0; i < 230; i += 1) say('mona', `comment ${i}`);
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toEqual({ id: inTheMiddle.id, body });
    const pages = stand.requests().flatMap(({ path }) => /[?&]page=(\d+)/.exec(path)?.[1] ?? []);
    expect(pages).toEqual(['1', '4', '3', '2']);
  });

  test('beyond 30 pages are not looked at', async () => {
    const { stand, provider } = await start({ callTimeLimit: 20_000 });
    for (let i = 0; i < 3_200; i += 1) stand.addComment(repo, { pullRequest: 7, login: 'mona', body: `comment ${i}` });
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toBeUndefined();
    expect(stand.requests().filter(({ path }) => path.includes('/comments'))).toHaveLength(30);
  });
});

describe('facts', () => {
  test('of a pull request and of commits', async () => {
    const { stand, provider } = await start();
    expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toEqual({
      headCommit: head,
      baseBranch: 'main',
      mergeCommit: merge,
    });
    expect(await provider.describeCommit({ repo, commit: merge })).toEqual({
      parents: [base, head],
      message: `Merge ${head} into ${base}`,
    });
    stand.addPullRequest(repo, { number: 8, headSha: head, baseRef: 'next' });
    expect(await provider.describePullRequest({ repo, pullRequest: 8 })).toMatchObject({
      baseBranch: 'next',
      mergeCommit: undefined,
    });
    stand.addPullRequest(repo, {
      number: 9,
      headSha: head,
      baseRef: 'main',
      mergeCommitSha: merge,
      merged: true,
      state: 'closed',
    });
    expect(await provider.describePullRequest({ repo, pullRequest: 9 })).toMatchObject({ mergeCommit: undefined });
  });

  test.each([404, 410, 422])('%d is a definite answer: there is none', async (status) => {
    const { stand, provider } = await start();
    stand.faults.when(() => ({ kind: 'status', status }));
    expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toBeUndefined();
    expect(await provider.describeCommit({ repo, commit: merge })).toBeUndefined();
    expect(await provider.readStatus(place)).toBeUndefined();
    expect(stand.requests()).toHaveLength(3);
  });

  test('401 and 403 are none', async () => {
    const { stand, provider } = await start();
    stand.faults.next(1, { kind: 'status', status: 401 });
    stand.faults.next(1, { kind: 'status', status: 403 });
    expect(await failureOf(provider.describePullRequest({ repo, pullRequest: 7 }))).toMatchObject({ kind: 'permanent' });
    expect(await failureOf(provider.describeCommit({ repo, commit: merge }))).toMatchObject({ kind: 'permanent' });
  });

  test('what no commit or repo can be called is never asked for', async () => {
    const { stand, provider } = await start();
    expect(await provider.describeCommit({ repo, commit: '../../user' })).toBeUndefined();
    expect(await failureOf(provider.setStatus({ ...place, commit: 'main', content }))).toMatchObject({
      kind: 'permanent',
      message: 'GitHub sets statuses on whole commit SHAs only, not on "main".',
    });
    for (const name of ['../..', 'acme/..', 'acme', 'a/b/c', 'acme/shop?x', 'acme/%2e%2e']) {
      expect(await failureOf(provider.createComment({ repo: name, pullRequest: 7, body }))).toMatchObject({ kind: 'permanent' });
    }
    expect(stand.requests()).toEqual([]);
  });
});

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
    ['a secondary limit by 429', limit({ status: 429, retryAfterSeconds: 7 }), { kind: 'limited', retryAt: START + 7_000 }],
    ['a secondary limit without a time', limit({}), { kind: 'limited', retryAt: START + 60_000 }],
    ['a limit without end', limit({ retryAfterSeconds: 999_999 }), { kind: 'limited', retryAt: START + 3_600_000 }],
    ['a spent budget', { kind: 'primary-limit', resetAt: START / 1_000 + 90 }, { kind: 'limited', retryAt: START + 90_000 }],
    ['a reset that is past', { kind: 'primary-limit', resetAt: 7 }, { kind: 'limited', retryAt: START + 1_000 }],
  ])('%s: sent once, told as what it is', async (_, fault, expected) => {
    const { stand, provider } = await start({ callTimeLimit: 150 });
    stand.faults.when(() => fault);
    expect(await failureOf(provider.setStatus({ ...place, content }))).toMatchObject(expected);
    expect(
      await failureOf(connect(stand.url, stand.token, { callTimeLimit: 150 }).createComment({ repo, pullRequest: 7, body })),
    ).toMatchObject(expected);
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
    const long = await failureOf(provider.setStatus({ ...place, content: { ...content, description: 'x'.repeat(141) } }));
    expect(long.message).toContain('description is too long (maximum is 140 characters)');
    stand.addPullRequest(repo, { number: 8, headSha: head, baseRef: 'main', locked: true });
    expect((await failureOf(provider.createComment({ repo, pullRequest: 8, body }))).message).toMatch(/locked; unlock it/);
  });

  test('a refused connection was not sent, so nothing is uncertain', async () => {
    const { stand, provider } = await start();
    await stand.close();
    const failure = await failureOf(provider.setStatus({ ...place, content }));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('ECONNREFUSED') });
    const unresolved = connect('http://no-such-host.invalid', 'secret-token');
    expect(await failureOf(unresolved.createComment({ repo, pullRequest: 7, body }))).toMatchObject({ kind: 'transient' });
  });

  test('a write that never left its queue is not uncertain, and does not leave it later', async () => {
    const { stand, provider } = await start({ callTimeLimit: 150 });
    stand.faults.when(() => ({ kind: 'hang' }));
    const calls = Array.from({ length: 12 }, () => failureOf(provider.setStatus({ ...place, content })));
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'transient')).toHaveLength(12 - stand.requests().length);
    expect(stand.requests()).toHaveLength(10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stand.requests()).toHaveLength(10);
  });

  test('answers that are not GitHub’s leave it uncertain: cut short, redirected into a read, or from another server', async () => {
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
    expect(await failureOf(provider.createComment({ repo, pullRequest: 7, body }))).toMatchObject({ kind: 'uncertain' });
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
    const { stand, provider } = await start({ callTimeLimit: 200, retryPause: 120 });
    stand.faults.when(() => ({ kind: 'status', status: 502 }));
    const began = performance.now();
    const failure = await failureOf(provider.findComment({ repo, pullRequest: 7, marker }));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('within 0.2 s') });
    expect(performance.now() - began).toBeLessThan(400);
    const sent = stand.requests().length;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(stand.requests()).toHaveLength(sent);
  });

  test('a list that is cut short never reads as an empty one', async () => {
    const provider = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      if (request.url === '/user') response.end(JSON.stringify({ id: 5, login: 'coverage-bot' }).padEnd(5_000));
      else response.write('[', () => response.destroy());
    });
    expect(await failureOf(provider.findComment({ repo, pullRequest: 7, marker }))).toMatchObject({ kind: 'transient' });
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

test('while GitHub wants us to wait, nothing at all is sent', async () => {
  const { stand, provider } = await start();
  stand.faults.next(1, limit({ retryAfterSeconds: 30 }));
  const began = performance.now();
  await failureOf(provider.setStatus({ ...place, content }));
  now += 29_999;
  expect(await failureOf(provider.describeCommit({ repo, commit: merge }))).toMatchObject({
    kind: 'limited',
    retryAt: START + 30_000,
  });
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(stand.requests()).toHaveLength(1);
  now += 1;
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
  const unsendable = await failureOf(connect('http://127.0.0.1:9', `${token}\nand more`).setStatus({ ...place, content }));
  expect(unsendable.message).toContain('invalid header value');
  said.push(unsendable.message, String(unsendable.cause), String(unsendable.stack));
  expect(said.join('\n')).toContain('[token]');
  expect(said.join('\n')).not.toContain(token);
  expect(logbook.lines.length).toBeGreaterThan(20);
  expect(logbook.text()).not.toContain(token);
  expect(logbook.text()).not.toContain('stand-in-token');
});
