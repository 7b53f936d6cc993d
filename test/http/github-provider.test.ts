import { afterEach, describe, expect, test } from 'vitest';
import type { Provider } from '../../server/src/ports/provider.ts';
import {
  body,
  connect,
  content,
  endScene,
  failureOf,
  marker,
  pass,
  place,
  repo,
  START,
  start,
} from '../support/github-provider-scene.ts';
import { base, head, merge } from '../support/github-scene.ts';
import { createMovedTime } from '../support/moved-time.ts';

afterEach(endScene);

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
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => provider.setStatus({ ...place, context: `flag ${i}`, content })),
    );
    expect(await provider.readStatus(place)).toMatchObject({ state: 'success' });
    expect(
      stand
        .requests()
        .slice(-2)
        .map(({ path }) => path),
    ).toEqual([expect.stringContaining('per_page=100&page=1'), expect.stringContaining('per_page=100&page=2')]);
  });

  test('of one build go out together; more wait for their turn, each token for itself', async () => {
    const time = createMovedTime();
    const pauses: number[] = [];
    const sleep = (ms: number): Promise<void> => {
      pauses.push(ms);
      return time.timers.sleep(ms);
    };
    const pace = { writesPerSecond: 5, writeBurst: 8, timers: { ...time.timers, sleep } };
    const { stand, provider } = await start(pace, { tokens: twoTokens });
    const other = connect(stand.url, 'two', {});
    const set = (by: Provider, i: number) => by.setStatus({ ...place, context: `flag ${i}`, content });
    await Promise.all(Array.from({ length: 8 }, (_, i) => set(provider, i)));
    expect(pauses).toEqual([]);
    const waiting = Promise.all(Array.from({ length: 5 }, (_, i) => set(provider, i)));
    await set(other, 99);
    expect(stand.statuses(repo, head).length).toBeLessThan(14);
    await time.pass(1_000);
    await waiting;
    expect(pauses).toEqual([200, 400, 600, 800, 1_000]);
  });

  test('that would wait too long for their turn are to be tried again, and delay nothing else', async () => {
    const { stand, provider } = await start({ writesPerSecond: 0.05, writeBurst: 1 });
    await provider.setStatus({ ...place, content });
    expect(await failureOf(provider.setStatus({ ...place, content }))).toMatchObject({
      kind: 'limited',
      retryAt: START + 20_000,
    });
    expect(await provider.readStatus(place)).toBeDefined();
    pass(20_000);
    await provider.setStatus({ ...place, content });
    expect(stand.statuses(repo, head)).toHaveLength(2);
  });
});

const twoTokens = {
  one: { login: 'coverage-bot', kind: 'user', access: 'write' },
  two: { login: 'other-bot', kind: 'user', access: 'write' },
} as const;

describe('comments', () => {
  test('are created, found, edited, and reported as gone once deleted', async () => {
    const { stand, provider } = await start();
    const wanted = { repo, pullRequest: 7 };
    expect(await provider.findComment({ ...wanted, marker })).toBeUndefined();
    const commentId = await provider.createComment({ ...wanted, body });
    expect(await provider.findComment({ ...wanted, marker })).toEqual({ id: commentId, body });
    expect(await provider.updateComment({ ...wanted, commentId, body: `${body}!` })).toBe('updated');
    expect(stand.comments(repo, 7)).toMatchObject([{ id: commentId, body: `${body}!`, edits: 1 }]);
    stand.removeComment(repo, Number(commentId));
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
    pass(5_000);
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
      headBranch: 'change-7',
      headRepoId: expect.stringMatching(/^\d+$/),
      baseBranch: 'main',
      baseCommit: base,
      mergeCommit: merge,
      state: 'open',
      title: 'Change 7',
      openedAt: expect.any(Number),
      merged: false,
      landedCommit: undefined,
      fromFork: false,
    });
    expect(await provider.describeCommit({ repo, commit: merge })).toEqual({
      parents: [base, head],
      message: `Merge ${head} into ${base}`,
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
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
    expect(await failureOf(provider.describePullRequest({ repo, pullRequest: 7 }))).toMatchObject({
      kind: 'permanent',
    });
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
      expect(await failureOf(provider.createComment({ repo: name, pullRequest: 7, body }))).toMatchObject({
        kind: 'permanent',
      });
    }
    expect(stand.requests()).toEqual([]);
  });
});
