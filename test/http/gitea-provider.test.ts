import { afterEach, describe, expect, test } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import type { Message, StatusContent } from '../../server/src/core/announce/delivery.ts';
import { FORGEJO, GITEA } from '../../server/src/hosts/gitea/host.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { createHandClock, deliverAll } from '../support/delivery-rounds.ts';
import { createFakeOutbox } from '../support/fake-outbox.ts';
import { type GiteaStandIn, startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import { mixFaults } from '../support/github-stand-in/fault-mix.ts';
import { createLogbook } from '../support/logbook.ts';
import { LINKS_AND_SUBMODULE } from '../support/no-source-files.ts';
import { NO_REPOS } from '../support/outbox-scene.ts';
import { seeded } from '../support/seeded.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const repo = 'acme/shop';
const [base, commit, fork, between] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

let host: GiteaStandIn | undefined;
afterEach(async () => {
  await host?.close();
  expect(host?.violations()).toEqual([]);
});

async function start(flavor: 'gitea' | 'forgejo' = 'gitea', isNew = flavor === 'gitea') {
  const clock = createHandClock(START);
  const stand = await startGiteaStandIn({ flavor, isNew, now: clock.now });
  host = stand;
  stand.addRepo(repo);
  stand.addCommit(repo, { sha: base, branch: 'main' });
  stand.addCommit(repo, { sha: between, parents: [base] });
  stand.addCommit(repo, { sha: commit, parents: [between], branch: 'topic' });
  stand.addPullRequest(repo, { number: 7, headSha: commit, headRef: 'topic', baseRef: 'main' });
  const set = { url: stand.url, token: stand.token, webhookSecret: undefined };
  const deps = { fetch, clock, timers: systemTimers, logger: createLogbook() };
  const kind =
    flavor === 'gitea' ? GITEA.connect({ gitea: set }, deps, []) : FORGEJO.connect({ forgejo: set }, deps, []);
  return { stand, provider: kind?.provider as Provider, clock };
}

const content = (state: StatusContent['state'], description: string = state): StatusContent => ({
  ...{ kind: 'status', state, description, targetUrl: 'https://coverage.example/builds/7' },
});
const status = { repo, commit, context: 'coverage' };

test('a status is found among more contexts than one page has', async () => {
  const { stand, provider, clock } = await start();
  for (let n = 0; n < 120; n += 1) {
    clock.set(START + n * 1_000);
    await provider.setStatus({ ...status, context: `ci ${n}`, content: content('success') });
  }
  await provider.setStatus({ ...status, content: content('failure') });
  expect(await provider.readStatus(status)).toMatchObject({ state: 'failure' });
  expect(stand.requests().filter(({ path }) => path.includes('page=')).length).toBe(3);
});

test('what is asked of a repo that was moved goes where it went, a write too', async () => {
  const { stand, provider } = await start();
  stand.renameRepo(repo, 'acme-group/store');
  await provider.setStatus({ ...status, content: content('success') });
  expect(stand.lastStatuses('acme-group/store', commit).get('coverage')).toMatchObject({ state: 'success' });
  expect(await provider.describeRepo({ repo })).toMatchObject({ name: 'acme-group/store' });
});

test('where a proxy before it asks to wait, nothing else is asked until then', async () => {
  const { stand, provider, clock } = await start();
  stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 30 });
  const limited = { kind: 'limited', retryAt: START + 30_000 };
  await expect(provider.setStatus({ ...status, content: content('success') })).rejects.toMatchObject(limited);
  await expect(provider.describeRepo({ repo })).rejects.toMatchObject({
    ...limited,
    message: expect.stringContaining('Gitea asks us to wait'),
  });
  clock.set(START + 30_000);
  expect(await provider.describeRepo({ repo })).toMatchObject({ name: repo });
});

test('a token that is refused, and one without a right, are said with what to set', async () => {
  const { stand, provider } = await start('forgejo');
  stand.faults.next(1, { kind: 'status', status: 401 });
  await expect(provider.describeRepo({ repo })).rejects.toMatchObject({
    message: expect.stringContaining('set a valid one as FORGEJO_TOKEN and restart'),
  });
  stand.faults.next(1, { kind: 'status', status: 403 });
  await expect(provider.createComment({ repo, pullRequest: 7, body: 'x' })).rejects.toMatchObject({
    message: expect.stringContaining('needs the scopes `write:repository`, `write:issue` and `read:user`'),
  });
});

test('a code that nobody was given signs nobody in', async () => {
  const { stand, clock } = await start();
  const application = { clientId: 'client', clientSecret: 'secret' };
  const set = { url: stand.url, token: undefined, webhookSecret: undefined, application };
  const host = GITEA.connect({ gitea: set }, { fetch, clock, timers: systemTimers, logger: createLogbook() }, []);
  const attempt = { redirectUri: 'https://coverage.example/back', state: 's', nonce: 'n', verifier: 'v' };
  await expect(host?.signIn?.finish({ ...attempt, answer: new URLSearchParams({ code: 'x' }) })).rejects.toMatchObject({
    message: expect.stringContaining('Gitea refused the code'),
  });
  expect(await host?.signIn?.renew('another')).toBeUndefined();
});

describe('changed files', () => {
  const files = [
    { filename: 'ü b.js', status: 'modified', additions: 1, deletions: 0, patch: '@@ -1,0 +1 @@\n+x' },
  ] as const;

  test.each([
    ['gitea', 'of any range', {}],
    ['forgejo', 'of a pull request', { pullRequest: 7 }],
  ] as const)('at %s have their lines %s', async (flavor, _, more) => {
    const { stand, provider } = await start(flavor);
    stand.setComparedFiles(repo, base, commit, files);
    const found = await provider.compareFiles({ repo, base, head: commit, ...more });
    expect(found).toMatchObject({
      complete: true,
      mergeBase: base,
      files: [{ name: 'ü b.js', patch: files[0].patch }],
    });
  });

  test('are source files: no links and no submodules', async () => {
    const { stand, provider } = await start();
    stand.setComparedFiles(repo, base, commit, LINKS_AND_SUBMODULE);
    const changed = await provider.compareFiles({ repo, base, head: commit });
    expect(changed).toMatchObject({ complete: true, files: [{ name: 'a.js', patch: '@@ -1,0 +1 @@\n+x' }] });
  });

  test('by their names alone, too: a file that became a link is removed', async () => {
    const { stand, provider } = await start('forgejo');
    const link = { content: '../docs', mode: '120000' } as const;
    stand.putFile(repo, { sha: base, path: 'was.js', content: '1' });
    stand.putFile(repo, { sha: commit, path: 'was.js', ...link });
    stand.putFile(repo, { sha: commit, path: 'docs', ...link });
    const found = await provider.compareFiles({ repo, base, head: commit });
    expect(found?.files).toEqual([{ name: 'was.js', status: 'removed', patch: undefined, previousName: undefined }]);
  });

  test('of a pull request with another head by now, and of a push of several commits, are names alone', async () => {
    const { stand, provider } = await start('forgejo');
    stand.putFile(repo, { sha: base, path: 'kept.js', content: '1' });
    stand.putFile(repo, { sha: base, path: 'gone.js', content: '1' });
    stand.putFile(repo, { sha: commit, path: 'kept.js', content: '2' });
    stand.putFile(repo, { sha: commit, path: 'new.js', content: '1' });
    stand.addPullRequest(repo, { number: 7, headSha: fork, headRef: 'topic', baseRef: 'main', files });
    const named = [
      { name: 'gone.js', status: 'removed', patch: undefined },
      { name: 'kept.js', status: 'modified', patch: undefined },
      { name: 'new.js', status: 'added', patch: undefined },
    ];
    for (const more of [{ pullRequest: 7 }, {}])
      expect(await provider.compareFiles({ repo, base, head: commit, ...more })).toMatchObject({
        complete: true,
        files: named,
      });
  });

  test('of one commit have their lines', async () => {
    const { stand, provider } = await start('forgejo');
    stand.setComparedFiles(repo, between, commit, files);
    expect(await provider.compareFiles({ repo, base: between, head: commit })).toMatchObject({
      files: [{ patch: files[0].patch }],
    });
  });
});

test.each([
  ['gitea', true],
  ['gitea', false],
  ['forgejo', false],
] as const)('runs at %s (new: %s) say whether they are of a fork, one by one and in a list', async (flavor, isNew) => {
  const { stand, provider } = await start(flavor, isNew);
  stand.addPullRequest(repo, { number: 8, headSha: fork, headRef: 'fix', headRepo: 'mallory/shop', baseRef: 'main' });
  const [own, forks, pushed] = [
    stand.addRun(repo, { headSha: commit, event: 'pull_request', status: 'completed', conclusion: 'failure' }),
    stand.addRun(repo, {
      headSha: fork,
      event: 'pull_request',
      headRepo: 'mallory/shop',
      conclusion: 'action_required',
    }),
    stand.addRun(repo, { headSha: base, headBranch: 'main' }),
  ];
  const { id: repoId } = (await provider.describeRepo({ repo })) ?? {};
  const expected = [
    { id: String(pushed.id), headRepoId: repoId, headBranch: 'main', ended: false, event: 'push' },
    { id: String(forks.id), headRepoId: String(Number(repoId) + 500_000), headBranch: 'fix', awaitsApproval: true },
    { id: String(own.id), headRepoId: repoId, headBranch: 'topic', conclusion: 'failure', ended: true },
  ];
  expect(await provider.listRuns({ repo })).toMatchObject(expected);
  for (const run of expected) expect(await provider.readRun({ repo, run: run.id })).toMatchObject(run);
  expect(await provider.listRunsOfCommit({ repo, commit: fork })).toMatchObject([expected[1]]);
  expect(await provider.findPullRequestsOfRun({ repo, run: String(forks.id) })).toMatchObject([{ number: 8 }]);
});

test('a merge base is found behind many merges of the base', async () => {
  const { stand, provider } = await start();
  let [main, topic] = [base, commit];
  for (let n = 1; n <= 8; n += 1) {
    const [next, merged] = [`${n}1`, `${n}2`].map((end) => end.padStart(40, 'f')) as [string, string];
    stand.addCommit(repo, { sha: next, parents: [main], branch: 'main' });
    stand.addCommit(repo, { sha: merged, parents: [topic, next], branch: 'topic' });
    [main, topic] = [next, merged];
  }
  expect(await provider.findMergeBase({ repo, base: 'main', head: 'topic' })).toMatchObject({
    commit: main,
    ahead: 10,
  });
});

test.each((['gitea', 'forgejo'] as const).flatMap((flavor) => [1, 2, 3].map((seed) => [flavor, seed] as const)))(
  'at %s with three of ten requests failing every context ends as wanted, and one comment is there (%i)',
  async (flavor, seed) => {
    const { stand, provider, clock } = await start(flavor);
    const outbox = createFakeOutbox();
    const deliver = createDeliverer({
      ...{ outbox, repos: NO_REPOS, providerOf: () => provider, clock, logger: createLogbook() },
      random: () => 0,
    });
    const want = (message: Message): void => outbox.announce({ message, at: clock.now() });
    const contexts = ['coverage', 'coverage (ui)', 'coverage/patch'];
    stand.faults.when(mixFaults({ share: 0.3, random: seeded(seed) }));
    for (const [version, state] of (['pending', 'success', 'pending', 'failure'] as const).entries()) {
      for (const context of contexts)
        want({ target: { kind: 'status', commit, context }, content: content(state, `v${version}`) });
      const body = `<!-- coverage: repo 1 -->\nv${version}`;
      want({ target: { kind: 'comment', pullRequest: 7 }, content: { kind: 'comment', body } });
      await deliverAll({ outbox, deliver, clock });
    }
    for (const context of contexts)
      expect(stand.lastStatuses(repo, commit).get(context)).toMatchObject({ state: 'failure', description: 'v3' });
    expect(stand.comments(repo, 7).map(({ body }) => body)).toEqual(['<!-- coverage: repo 1 -->\nv3']);
    expect(stand.faults.count()).toBeGreaterThan(5);
  },
);
