import { afterEach, describe, expect, test } from 'vitest';
import { BITBUCKET_SERVER } from '../../server/src/hosts/bitbucket-server/host.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import {
  type BitbucketServerStandIn,
  startBitbucketServerStandIn,
} from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { deliverThroughFailures, statusOf } from '../support/deliver-through-failures.ts';
import { createHandClock } from '../support/delivery-rounds.ts';
import { createLogbook } from '../support/logbook.ts';
import { LINKS_AND_SUBMODULE } from '../support/no-source-files.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const repo = 'ACME/shop';
const [base, commit, other] = ['a', 'b', 'd'].map((digit) => digit.repeat(40)) as [string, string, string];
const marker = '[//]: # (coverage: https://coverage.example repo 1)';

let center: BitbucketServerStandIn | undefined;
afterEach(async () => {
  await center?.close();
  expect(center?.violations()).toEqual([]);
});

async function start({
  token,
  ...options
}: { token?: string } & Parameters<typeof startBitbucketServerStandIn>[0] = {}) {
  const clock = createHandClock(START);
  const stand = await startBitbucketServerStandIn({ now: clock.now, ...options });
  center = stand;
  stand.addRepo(repo);
  stand.addCommit(repo, { sha: base, branch: 'main' });
  stand.addCommit(repo, { sha: commit, parents: [base], branch: 'topic' });
  stand.addPullRequest(repo, { number: 7, headSha: commit, headRef: 'topic', baseRef: 'main' });
  const set = { url: stand.url, token: token ?? stand.token, webhookSecret: undefined, application: undefined };
  const deps = { fetch, clock, timers: systemTimers, logger: createLogbook() };
  const host = BITBUCKET_SERVER.connect({ bitbucketServer: set }, deps, []);
  return { stand, clock, host, provider: host?.provider as Provider, checkUp: async () => host?.checkUp() };
}

const place = { repo, pullRequest: 7 };
const status = { repo, commit, context: 'coverage', content: statusOf('success') };

test('a status of a longer name than Bitbucket Data Center takes is one anyway', async () => {
  const { stand, provider } = await start();
  const contexts = ['a', 'b'].map((end) => `coverage / ${'x'.repeat(300)} ${end}`);
  for (const context of contexts) await provider.setStatus({ ...status, context });
  expect(stand.builds(repo, commit).map(({ key, parent }) => key === parent)).toEqual([true, true]);
  for (const context of contexts)
    expect(await provider.readStatus({ repo, commit, context })).toMatchObject({ state: 'success' });
});

describe('the comment at Bitbucket Data Center', () => {
  test('is found among all that happened, and only ours', async () => {
    const { stand, provider } = await start();
    const id = await provider.createComment({ ...place, body: `${marker}\nhello` });
    for (let n = 0; n < 150; n += 1) stand.addComment(repo, { pullRequest: 7, login: 'mona', body: `${marker}\n${n}` });
    expect(await provider.findComment({ ...place, marker })).toEqual({ id, body: `${marker}\nhello` });
  });

  test('is found by its mark where no answer says whose the token is', async () => {
    const { provider } = await start({ namesCaller: false });
    const id = await provider.createComment({ ...place, body: `${marker}\nhello` });
    expect(await provider.findComment({ ...place, marker })).toMatchObject({ id });
  });

  test('is edited in its newest version, though somebody else edits it at the same time', async () => {
    const { stand, provider } = await start();
    const commentId = await provider.createComment({ ...place, body: 'v0' });
    const edits = ['v1', 'v2'].map((body) => provider.updateComment({ ...place, commentId, body }));
    expect(await Promise.all(edits)).toEqual(['updated', 'updated']);
    expect(stand.comments(repo, 7)[0]).toMatchObject({ edits: 2 });
  });
});

describe('a repo at Bitbucket Data Center that has another name', () => {
  test.each(['lead', 'end'] as const)('is still written to, whether former names %s', async (formerNames) => {
    const { stand, provider } = await start({ formerNames });
    const before = await provider.describeRepo({ repo });
    stand.renameRepo(repo, 'SHOPS/store');
    await provider.setStatus(status);
    expect(stand.builds('SHOPS/store', commit)).toHaveLength(1);
    expect(await provider.describeRepo({ repo })).toEqual({ ...before, name: 'SHOPS/store' });
    expect(await provider.describeCommit({ repo, commit: other })).toBeUndefined();
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

test('a wrong token is said to be so, and the check-up says it too', async () => {
  const { provider, checkUp } = await start({ token: 'wrong' });
  const message =
    'Bitbucket Data Center answered 401 ("Authentication failed.") when asked to describe the repo: the token is ' +
    'wrong or expired, or may not read the repo; set a valid one as BITBUCKET_SERVER_TOKEN.';
  await expect(provider.describeRepo({ repo })).rejects.toMatchObject({
    kind: 'permanent',
    accessDenied: true,
    message,
  });
  expect((await checkUp())?.signIn).toMatchObject({ kind: 'refused' });
});

test('a token that counts as none is said to be so by the check-up', async () => {
  const { checkUp } = await start({ namesCaller: false });
  expect((await checkUp())?.signIn).toEqual({
    kind: 'refused',
    why: expect.stringContaining('does not know who the token belongs to'),
  });
});

test('no webhook is made without a secret for it', async () => {
  const { provider } = await start();
  const address = 'https://coverage.example/hooks/x';
  await expect(provider.setWebhook?.({ repo, address })).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('BITBUCKET_SERVER_WEBHOOK_SECRET is not set'),
  });
});

test('nothing vouches for an upload but the repo’s token', async () => {
  const { host } = await start();
  expect(host?.tokens.words).toMatchObject({ seeRun: "Use the repo's token.", needs: "Use the repo's token." });
  expect(host?.tokens.describe(`BBDC-${'a'.repeat(44)}`)).toBe('an HTTP access token of Bitbucket Data Center');
  expect(host?.snippets?.jobNeeds).toBe('The stage needs the same credential.');
});

test('nothing is asked until Bitbucket Data Center wants to be asked again', async () => {
  const { stand, provider, clock } = await start();
  stand.faults.next(1, { kind: 'secondary-limit' });
  const limited = { kind: 'limited', retryAt: START + 30_000 };
  await expect(provider.setStatus(status)).rejects.toMatchObject(limited);
  const before = stand.requests().length;
  await expect(provider.describeRepo({ repo })).rejects.toMatchObject(limited);
  expect(stand.requests()).toHaveLength(before);
  clock.set(START + 30_000);
  await provider.setStatus(status);
});

test.each([1, 2, 3])(
  'with three of ten requests failing every status ends as wanted, and one comment is there (%i)',
  async (seed) => {
    const { stand, provider, clock } = await start();
    const contexts = ['coverage', 'coverage (ui)', 'coverage/patch'];
    await deliverThroughFailures({ provider, clock, faults: stand.faults, commit, contexts, marker, seed });
    expect(stand.builds(repo, commit)).toHaveLength(3);
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
