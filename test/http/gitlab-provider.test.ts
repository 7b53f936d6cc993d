import { afterEach, describe, expect, test } from 'vitest';
import { GITLAB } from '../../server/src/hosts/gitlab/host.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { deliverThroughFailures, statusOf } from '../support/deliver-through-failures.ts';
import { createHandClock } from '../support/delivery-rounds.ts';
import { type GitlabStandIn, startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';
import { LINKS_AND_SUBMODULE } from '../support/no-source-files.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const repo = 'acme/shop';
const [base, commit, fork, merge] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

let gitlab: GitlabStandIn | undefined;
afterEach(async () => {
  await gitlab?.close();
  expect(gitlab?.violations()).toEqual([]);
});

async function start() {
  const clock = createHandClock(START);
  const stand = await startGitlabStandIn({ now: clock.now });
  gitlab = stand;
  stand.addRepo(repo);
  stand.addCommit(repo, { sha: base, branch: 'main' });
  stand.addCommit(repo, { sha: commit, parents: [base], branch: 'topic' });
  stand.addPullRequest(repo, { number: 7, headSha: commit, headRef: 'topic', baseRef: 'main' });
  const set = { url: stand.url, token: stand.token, webhookSecret: undefined, application: undefined };
  const deps = { fetch, clock, timers: systemTimers, logger: createLogbook() };
  const provider = GITLAB.connect({ gitlab: set }, deps, [])?.provider as Provider;
  return { stand, provider, clock };
}

const status = { repo, commit, context: 'coverage' };

describe('statuses at GitLab', () => {
  test('are not pending twice: a second one has arrived already, whatever its text', async () => {
    const { stand, provider } = await start();
    await provider.setStatus({ ...status, content: statusOf('pending', 'one') });
    await provider.setStatus({ ...status, content: statusOf('pending', 'two') });
    await provider.setStatus({ ...status, content: statusOf('success') });
    await provider.setStatus({ ...status, content: statusOf('pending', 'again') });
    expect(stand.jobs(repo, commit)).toMatchObject([
      { status: 'success', description: 'success' },
      { status: 'pending', description: 'again' },
    ]);
  });

  test('of one commit wait for each other: GitLab would refuse the second', async () => {
    const { stand, provider } = await start();
    const contexts = Array.from({ length: 8 }, (_, n) => `coverage (${n})`);
    await Promise.all(
      contexts.map((context) => provider.setStatus({ ...status, context, content: statusOf('success') })),
    );
    expect(stand.jobs(repo, commit).map(({ name }) => name)).toEqual(contexts);
  });

  test('of a merge that was tested stand on its pipeline, and on the head', async () => {
    const { stand, provider } = await start();
    stand.addCommit(repo, { sha: merge, parents: [base, commit] });
    const ref = 'refs/merge-requests/7/merge';
    const { id } = stand.addRun(repo, { headSha: merge, headBranch: ref, event: 'merge_request_event' });
    const origin = { ref: 'topic', tested: merge, run: String(id) };
    await provider.setStatus({ ...status, pullRequest: 7, origin, content: statusOf('failure') });
    expect(stand.jobs(repo, merge)).toMatchObject([{ pipelineId: id, status: 'failed' }]);
    expect(stand.jobs(repo, commit)).toMatchObject([{ status: 'failed' }]);
    expect(await provider.readRun({ repo, run: String(id) })).toMatchObject({
      headCommit: commit,
      headBranch: 'topic',
    });
  });

  test('of a fork’s head are set with the ref of its merge request', async () => {
    const { stand, provider } = await start();
    stand.addPullRequest(repo, { number: 8, headSha: fork, headRepo: 'mallory/shop', baseRef: 'main' });
    const origin = { run: '123', ref: 'fix' };
    await provider.setStatus({ ...status, commit: fork, pullRequest: 8, origin, content: statusOf('success') });
    expect(stand.jobs(repo, fork)).toMatchObject([{ ref: 'refs/merge-requests/8/head', status: 'success' }]);
  });

  test('are written by the project’s number where it was moved', async () => {
    const { stand, provider } = await start();
    stand.renameRepo(repo, 'acme-group/store');
    await provider.setStatus({ ...status, content: statusOf('success') });
    expect(stand.jobs('acme-group/store', commit)).toHaveLength(1);
  });

  test('wait where GitLab asks to: nothing else is asked until then', async () => {
    const { stand, provider, clock } = await start();
    stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 30 });
    const limited = { kind: 'limited', retryAt: START + 30_000 };
    await expect(provider.setStatus({ ...status, content: statusOf('success') })).rejects.toMatchObject(limited);
    const asked = stand.requests().length;
    await expect(provider.describeRepo({ repo })).rejects.toMatchObject(limited);
    expect(stand.requests()).toHaveLength(asked);
    clock.set(START + 30_000);
    expect(await provider.describeRepo({ repo })).toMatchObject({ name: repo });
  });
});

describe('notes at GitLab', () => {
  test('are found behind a hundred others, and hold no line that is a command', async () => {
    const { stand, provider } = await start();
    for (let n = 0; n < 150; n += 1) stand.addComment(repo, { pullRequest: 7, login: 'mona', body: `note ${n}` });
    const marker = '<!-- coverage: ours -->';
    const id = await provider.createComment({ repo, pullRequest: 7, body: `${marker}\n/close\n  /merge` });
    expect(await provider.findComment({ repo, pullRequest: 7, marker })).toMatchObject({ id });
    expect(stand.comments(repo, 7).at(-1)?.body).toBe(`${marker}\n&#47;close\n  &#47;merge`);
  });
});

describe('changed files at GitLab', () => {
  const large = `@@ -1,0 +1,2000 @@\n${Array.from({ length: 2_000 }, (_, n) => `+line ${n} of many`).join('\n')}`;
  const files = [
    { filename: 'large file.js', status: 'modified', additions: 2_000, deletions: 0, patch: large },
    { filename: 'small.js', status: 'modified', additions: 1, deletions: 0, patch: '@@ -1,0 +1 @@\n+x' },
  ] as const;

  test('are source files: no links and no submodules', async () => {
    const { stand, provider } = await start();
    stand.setComparedFiles(repo, base, commit, LINKS_AND_SUBMODULE);
    const changed = await provider.compareFiles({ repo, base, head: commit });
    expect(changed).toMatchObject({ complete: true, files: [{ name: 'a.js', patch: '@@ -1,0 +1 @@\n+x' }] });
    expect(await provider.haveSameTree?.({ repo, one: base, other: commit })).toBe(false);
  });

  test('that are collapsed have their text from the merge request’s whole diff', async () => {
    const { stand, provider } = await start();
    stand.setComparedFiles(repo, base, commit, files);
    const alone = await provider.compareFiles({ repo, base, head: commit });
    expect(alone?.files.map(({ patch }) => patch)).toEqual([undefined, files[1].patch]);
    const ofChange = await provider.compareFiles({ repo, base, head: commit, pullRequest: 7 });
    expect(ofChange?.files.map(({ patch }) => patch)).toEqual([large, files[1].patch]);
  });

  test('of a merge request with another head by now keep what is known', async () => {
    const { stand, provider } = await start();
    stand.setComparedFiles(repo, base, commit, files);
    const others = [{ ...files[0], patch: '@@ -1 +1 @@\n-a\n+b' }];
    stand.addPullRequest(repo, { number: 7, headSha: fork, headRef: 'topic', baseRef: 'main', files: others });
    const found = await provider.compareFiles({ repo, base, head: commit, pullRequest: 7 });
    expect(found?.files[0]?.patch).toBeUndefined();
  });
});

test.each([1, 2, 3])(
  'with three of ten requests failing every context ends as wanted, and one note is there (%i)',
  async (seed) => {
    const { stand, provider, clock } = await start();
    const contexts = ['coverage', 'coverage (ui)', 'coverage/patch'];
    const marker = '<!-- coverage: repo 1 -->';
    await deliverThroughFailures({ provider, clock, faults: stand.faults, commit, contexts, marker, seed });
    for (const context of contexts) {
      const named = stand.jobs(repo, commit).filter(({ name }) => name === context);
      expect(named.at(-1)).toMatchObject({ status: 'failed', description: 'v3' });
      expect(named.filter(({ status: one }) => one === 'pending')).toEqual([]);
    }
    expect(stand.comments(repo, 7).map(({ body }) => body)).toEqual(['<!-- coverage: repo 1 -->\nv3']);
    expect(stand.faults.count()).toBeGreaterThan(5);
  },
);

describe('the webhook of a project', () => {
  const address = 'https://coverage.example/hooks/gitlab';
  const connect = (stand: GitlabStandIn, settings: object) => {
    const gitlab = {
      url: stand.url,
      token: stand.token,
      webhookSecret: 'a-secret',
      application: undefined,
      ...settings,
    };
    const deps = { fetch, clock: { now: Date.now }, timers: systemTimers, logger: createLogbook() };
    return GITLAB.connect({ gitlab }, deps, [])?.provider ?? expect.unreachable();
  };
  const set = (provider: Provider) => provider.setWebhook?.({ repo, address });

  test('needs the role Maintainer, and a secret', async () => {
    const { stand } = await start();
    const { token } = stand.addPerson('dev', { [repo]: 30 });
    await expect(set(connect(stand, { token }))).rejects.toThrow('the scope `api` and the role Maintainer');
    await expect(set(connect(stand, { webhookSecret: undefined }))).rejects.toThrow('GITLAB_WEBHOOK_SECRET is not set');
    expect(stand.hooks(repo)).toEqual([]);
  });

  test('has the signing token where GitLab takes one; an older one says so', async () => {
    const { stand } = await start();
    const webhookSecret = 'whsec_c2lnbmluZy10b2tlbg==';
    expect(await set(connect(stand, { webhookSecret }))).toBe('made');
    expect(stand.hooks(repo)).toMatchObject([{ signing_token: webhookSecret }]);
    await stand.close();
    const old = await startGitlabStandIn({ major: 18 });
    gitlab = old;
    old.addRepo(repo);
    await expect(set(connect(old, { webhookSecret }))).rejects.toThrow('GitLab accepts no signing token before 19.0');
    expect(await set(connect(old, {}))).toBe('unchanged');
  });
});
