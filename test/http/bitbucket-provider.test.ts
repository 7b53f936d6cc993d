import { afterEach, describe, expect, test } from 'vitest';
import { BITBUCKET } from '../../server/src/hosts/bitbucket/host.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { type BitbucketStandIn, startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { deliverThroughFailures, statusOf } from '../support/deliver-through-failures.ts';
import { createHandClock } from '../support/delivery-rounds.ts';
import { createLogbook } from '../support/logbook.ts';
import { LINKS_AND_SUBMODULE } from '../support/no-source-files.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const HOUR = 3_600_000;
const APPLICATION = { clientId: 'key', clientSecret: 'secret-of-the-consumer' };
const repo = 'acme/shop';
const [base, commit, merge] = ['a', 'b', 'd'].map((digit) => digit.repeat(40)) as [string, string, string];
const marker = '[//]: # (coverage: https://coverage.example repo 1)';

let bitbucket: BitbucketStandIn | undefined;
afterEach(async () => {
  await bitbucket?.close();
  expect(bitbucket?.violations()).toEqual([]);
});

async function start({ token, ...options }: { readonly token?: string; readonly formerNames?: 'lead' | 'end' } = {}) {
  const clock = createHandClock(START);
  const stand = await startBitbucketStandIn({ now: clock.now, ...options });
  bitbucket = stand;
  stand.addRepo(repo);
  stand.addCommit(repo, { sha: base, branch: 'main' });
  stand.addCommit(repo, { sha: commit, parents: [base], branch: 'topic' });
  stand.addPullRequest(repo, { number: 7, headSha: commit, headRef: 'topic', baseRef: 'main' });
  const connect = () => {
    const set = { apiUrl: stand.url, webhookSecret: undefined, application: APPLICATION, url: stand.web };
    const deps = { fetch, clock, timers: systemTimers, logger: createLogbook() };
    const host = BITBUCKET.connect({ bitbucket: { ...set, token: token ?? stand.token } }, deps, []);
    return { host, provider: host?.provider as Provider, signIn: host?.signIn, checkUp: async () => host?.checkUp() };
  };
  const asked = (since = 0) => stand.requests().length - since;
  return { stand, clock, connect, asked, ...connect() };
}

const status = { repo, commit, context: 'coverage', content: statusOf('success') };

describe('statuses at Bitbucket', () => {
  test('are one for each context, however long their names are', async () => {
    const { stand, provider } = await start();
    const long = `coverage / ${'x'.repeat(300)}`;
    const contexts = ['coverage', `${long} (ui)`, `${long} (api)`];
    for (const state of ['pending', 'failure'] as const)
      for (const context of contexts) await provider.setStatus({ ...status, context, content: statusOf(state) });
    expect(stand.builds(repo, commit)).toHaveLength(3);
    for (const context of contexts)
      expect(await provider.readStatus({ repo, commit, context })).toMatchObject({ state: 'failure' });
  });

  test('lead to an address in which Bitbucket fills nothing in', async () => {
    const { stand, provider } = await start();
    const targetUrl = 'https://coverage.example/builds/7?x={repository.full_name}';
    await provider.setStatus({ ...status, content: { ...statusOf('success'), targetUrl } });
    expect(stand.statuses(repo, commit)[0]?.targetUrl).toBe(
      'https://coverage.example/builds/7?x=%7Brepository.full_name%7D',
    );
  });
});

describe('a token of Bitbucket', () => {
  test('of an account is sent with its e-mail address', async () => {
    const token = 'bot@acme.example:ATATT3-token';
    const { stand, provider } = await start({ token });
    stand.addToken(token, { login: 'coverage-bot', scopes: ['repository'], knowsItself: true });
    expect(await provider.describeRepo({ repo })).toMatchObject({ id: stand.idOf(repo), name: repo });
  });

  test('that is wrong is said to be so', async () => {
    const { provider } = await start({ token: 'bot@acme.example:gone' });
    await expect(provider.describeRepo({ repo })).rejects.toMatchObject({
      kind: 'permanent',
      accessDenied: true,
      message:
        'Bitbucket answered 401 ("Token is invalid, expired, or not supported for this endpoint.") when asked to ' +
        'describe the repo: the token is wrong, expired or revoked; set a valid one as BITBUCKET_TOKEN and restart.',
    });
  });

  test('lacks a scope, and the check-up names it', async () => {
    const { stand, checkUp } = await start({ token: 'reader' });
    stand.addToken('reader', { login: 'coverage-bot', scopes: ['repository'], knowsItself: false });
    expect((await checkUp())?.signIn).toEqual({ kind: 'token', rights: undefined, missing: [] });
    stand.addToken('reader', { login: 'coverage-bot', scopes: ['repository'], knowsItself: true });
    expect((await checkUp())?.signIn).toEqual({ kind: 'token', rights: ['repository'], missing: ['pullrequest'] });
  });
});

test('no webhook is made without a secret for it', async () => {
  const { provider } = await start();
  const address = 'https://coverage.example/hooks/x';
  await expect(provider.setWebhook?.({ repo, address })).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('BITBUCKET_WEBHOOK_SECRET is not set'),
  });
});

test('nothing vouches for an upload but the repo’s token', async () => {
  const { host } = await start();
  expect(host?.tokens.words).toMatchObject({ seeRun: "Use the repo's token.", needs: "Use the repo's token." });
  expect(host?.tokens.describe(`ATCTT3${'x'.repeat(20)}`)).toBe('a Bitbucket token');
  expect(host?.snippets?.jobNeeds).toBe(
    'The step needs the same `oidc`, or the repo’s token as `COVERALLS_REPO_TOKEN`.',
  );
});

describe('the comment at Bitbucket', () => {
  test('is found by whom wrote it, though a repo’s token may not ask whose it is', async () => {
    const { stand, provider, connect } = await start({ token: 'of-the-repo' });
    stand.addToken('of-the-repo', { login: 'coverage-bot', scopes: ['pullrequest'], knowsItself: false });
    const place = { repo, pullRequest: 7 };
    const id = await provider.createComment({ ...place, body: `${marker}\nhello` });
    stand.addComment(repo, { pullRequest: 7, login: 'mona', body: `${marker}\nnot ours` });
    expect(await provider.findComment({ ...place, marker })).toEqual({ id, body: `${marker}\nhello` });
    expect(await connect().provider.findComment({ ...place, marker })).toMatchObject({ id });
  });
});

describe('a repo at Bitbucket that has another name', () => {
  test.each(['lead', 'end'] as const)('is still written to, whether former names %s', async (formerNames) => {
    const { stand, provider } = await start({ formerNames });
    const before = await provider.describeRepo({ repo });
    stand.renameRepo(repo, 'acme-group/store');
    await provider.setStatus(status);
    expect(stand.statuses('acme-group/store', commit)).toHaveLength(1);
    expect(await provider.describeRepo({ repo })).toEqual({ ...before, name: 'acme-group/store' });
    expect(await provider.describeCommit({ repo, commit: merge })).toBeUndefined();
  });
});

describe('annotations', () => {
  const report = {
    ...{ repo, commit, name: 'coverage annotations', detailsUrl: 'https://coverage.example/builds/7' },
    ...{ conclusion: 'neutral' as const, title: '2 changed lines are not covered', summary: 'Of 4.' },
  };
  const mark = (file: string, firstLine: number) => ({
    ...{ file, firstLine, lastLine: firstLine + 1, level: 'warning' as const, message: 'Not covered' },
  });

  test('stand on a report of Code Insights without a result, which replaces the one before', async () => {
    const { stand, provider } = await start();
    const first = { ...report, annotations: [mark('a.ts', 3), mark('b.ts', 7)] };
    const checkRunId = (await provider.createCheckRun?.(first)) ?? '';
    expect(stand.reports()).toMatchObject([{ annotations: { length: 2 } }]);
    const less = { ...report, title: '1 changed line is not covered', annotations: [mark('b.ts', 7)] };
    expect(await provider.updateCheckRun?.({ ...less, checkRunId })).toBe('updated');
    const [shown] = stand.reports();
    expect(shown?.annotations).toMatchObject([{ path: 'b.ts', line: 7, severity: 'MEDIUM' }]);
    expect(shown?.fields).toMatchObject({ title: 'coverage annotations', link: report.detailsUrl });
    expect(shown?.fields).not.toHaveProperty('result');
    // After an unknown outcome it is written again, and is one anyway.
    expect(await provider.findCheckRun?.(less)).toBeUndefined();
    await provider.createCheckRun?.({ ...less, annotations: [] });
    expect(stand.reports()).toMatchObject([{ annotations: [] }]);
  });

  test('are not written where there are too many, or to what is no commit', async () => {
    const { stand, provider } = await start();
    const many = { ...report, annotations: Array.from({ length: 51 }, (_, n) => mark('a.ts', n + 1)) };
    const message = expect.stringContaining('A report needs a whole commit SHA and at most 50 annotations');
    await expect(provider.createCheckRun?.(many)).rejects.toMatchObject({ kind: 'permanent', message });
    await expect(provider.createCheckRun?.({ ...report, commit: 'main', annotations: [] })).rejects.toMatchObject({
      message,
    });
    expect(stand.reports()).toEqual([]);
  });
});

describe('a sign-in at Bitbucket', () => {
  const attempt = { redirectUri: 'https://coverage.example/back', state: 's', nonce: 'n', verifier: 'v'.repeat(43) };

  test('is renewed once with each of its tokens, and lists what may be read', async () => {
    const { stand, signIn } = await start();
    stand.addToken('of-mona', { login: 'mona', scopes: [], knowsItself: true, access: { [repo]: 'admin' } });
    const back = new URL(stand.authorize((await signIn?.begin(attempt)) ?? '', 'of-mona'));
    const { token } = (await signIn?.finish({ ...attempt, answer: back.searchParams })) ?? {};
    expect(token).toMatchObject({ access: 'of-mona', expiresAt: START + 7_200_000 });
    expect(await signIn?.listAccess({ token: 'of-mona' })).toEqual([
      { id: stand.idOf(repo), name: repo, role: 'maintainer' },
    ]);
    const renewed = await signIn?.renew(token?.refresh ?? '');
    expect(renewed?.access).toBe('of-mona');
    expect(await signIn?.renew(token?.refresh ?? '')).toBeUndefined();
  });

  test('ends where the code is wrong, or the host does not answer', async () => {
    const { stand, signIn } = await start();
    const answer = new URLSearchParams({ code: 'wrong' });
    await expect(signIn?.finish({ ...attempt, answer })).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringContaining('refused the code or the application'),
    });
    stand.faults.next(1, { kind: 'drop', takesEffect: false });
    await expect(signIn?.finish({ ...attempt, answer })).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('did not answer when asked for a token'),
    });
  });
});

describe('the requests of an hour', () => {
  test('are few for a pull request', async () => {
    const { provider, asked } = await start();
    await provider.describeRepo({ repo });
    await provider.describePullRequest({ repo, pullRequest: 7 });
    await provider.describeCommit({ repo, commit });
    const range = { repo, base, head: commit };
    await provider.findMergeBase(range);
    await provider.compareFiles({ ...range, pullRequest: 7 });
    await provider.listFirstParents({ repo, commit: base, limit: 100 });
    await provider.setStatus(status);
    await provider.findComment({ repo, pullRequest: 7, marker });
    const id = await provider.createComment({ repo, pullRequest: 7, body: marker });
    expect(asked()).toBeLessThanOrEqual(12);
    const first = asked();
    await provider.describePullRequest({ repo, pullRequest: 7 });
    await provider.findMergeBase(range);
    await provider.updateComment({ repo, pullRequest: 7, commentId: id, body: 'x' });
    expect(asked(first)).toBe(2);
  });

  test('leave source texts out first, then reports and facts, and statuses last', async () => {
    const { stand, provider, clock, checkUp } = await start();
    stand.putFile(repo, { sha: commit, path: 'a.ts', content: 'x' });
    const file = () => provider.readFile({ repo, commit, path: 'a.ts', maxBytes: 9 });
    // For one repo no more than half of each share.
    for (let n = 0; n < 125; n += 1) await file();
    const waits = { kind: 'limited', retryAt: START + HOUR };
    await expect(file()).rejects.toMatchObject({
      ...waits,
      message:
        'acme/shop made 250 requests of 1000 in the last hour at Bitbucket: this one waits, so that statuses ' +
        'can still be set.',
    });
    for (let n = 0; n < 200; n += 1) await provider.describeCommit({ repo, commit });
    await expect(provider.describeCommit({ repo, commit })).rejects.toMatchObject(waits);
    stand.addRepo('acme/other');
    expect(await provider.describeRepo({ repo: 'acme/other' })).toBeDefined();
    for (let n = 0; n < 549; n += 1) await provider.setStatus(status);
    expect((await checkUp())?.rateLimit).toEqual({ limit: 1_000, left: 0, resetAt: START + HOUR });
    await expect(provider.setStatus(status)).rejects.toMatchObject(waits);
    clock.set(START + HOUR + 1);
    await provider.setStatus(status);
    await file();
  });

  test('that Bitbucket refuses are asked again after a minute, since it does not say when', async () => {
    const { stand, provider, clock, asked } = await start();
    stand.faults.next(1, { kind: 'secondary-limit' });
    const limited = { kind: 'limited', retryAt: START + 60_000 };
    await expect(provider.setStatus(status)).rejects.toMatchObject(limited);
    const before = asked();
    await expect(provider.describeRepo({ repo })).rejects.toMatchObject(limited);
    expect(asked(before)).toBe(0);
    clock.set(START + 60_000);
    await provider.setStatus(status);
  });
});

test.each([1, 2, 3])(
  'with three of ten requests failing every status ends as wanted, and one comment is there (%i)',
  async (seed) => {
    const { stand, provider, clock } = await start();
    const contexts = ['coverage', 'coverage (ui)', 'coverage/patch'];
    await deliverThroughFailures({ provider, clock, faults: stand.faults, commit, contexts, marker, seed });
    expect(stand.lastStatuses(repo, commit).size).toBe(3);
    for (const context of contexts)
      expect(stand.lastStatuses(repo, commit).get(context)).toMatchObject({ state: 'failure', description: 'v3' });
    expect(stand.comments(repo, 7).map(({ body }) => body)).toEqual([`${marker}\nv3`]);
    expect(stand.faults.count()).toBeGreaterThan(5);
  },
);

test('changed files are source files: no links and no submodules', async () => {
  const { stand, provider } = await start();
  stand.setComparedFiles(repo, base, commit, LINKS_AND_SUBMODULE);
  const changed = await provider.compareFiles({ repo, base, head: commit });
  expect(changed).toMatchObject({ complete: true, files: [{ name: 'a.js', patch: '@@ -1,0 +1 @@\n+x' }] });
});
