import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Provider } from '../../server/src/ports/provider.ts';
import {
  APP,
  addRepo,
  endAppScene,
  isLookUp,
  isStatus,
  isTokenRequest,
  lab,
  privateKey,
  publicKey,
  shop,
  startAppScene,
  statusOf,
  WRITES,
} from '../support/github-app-scene.ts';
import { failureOf } from '../support/github-provider-scene.ts';
import { base, head } from '../support/github-scene.ts';

afterEach(endAppScene);

const contexts = ['coverage', 'coverage (ui)', 'coverage (api)', 'coverage/patch'];
const setAll = (provider: Provider, repo: string) =>
  Promise.all(contexts.map((context) => provider.setStatus({ ...statusOf(repo), context })));

describe('an App', () => {
  test('acts for each owner through the owner’s installation, with one token for all calls', async () => {
    const { stand, provider, installations, count } = await startAppScene();
    await setAll(provider, shop);
    await setAll(provider, shop);
    await setAll(provider, lab);
    const commentId = await provider.createComment({ repo: lab, pullRequest: 7, body: 'hello' });
    expect(stand.comments(lab, 7)).toMatchObject([{ id: commentId, login: 'coverage[bot]', app: { id: APP } }]);
    expect([...stand.lastStatuses(shop, head).keys()].sort()).toEqual([...contexts].sort());
    expect(count(isTokenRequest)).toBe(2);
    expect(installations.map(stand.tokensOf)).toEqual([1, 1]);
  });

  test('looks an installation up once, whatever the case of the name, and again after an hour', async () => {
    const { provider, done, pass } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    for (const repo of [shop, 'Acme/SHOP']) await provider.setStatus(statusOf(repo));
    expect(done(isLookUp)).toBe(1);
    pass(3_600_000);
    await provider.setStatus(statusOf(shop));
    expect([done(isLookUp), done(isStatus)]).toEqual([2, 4]);
  });

  test('finds its own comment only: not another App’s, nor a person’s', async () => {
    const { stand, provider } = await startAppScene();
    const marker = '<!-- coverage -->';
    const place = { repo: shop, pullRequest: 7 };
    const other = { id: 99, slug: 'other', publicKey };
    stand.addComment(shop, { pullRequest: 7, login: 'other[bot]', body: marker, app: other });
    stand.addComment(shop, { pullRequest: 7, login: 'someone[bot]', body: marker });
    stand.addComment(shop, { pullRequest: 7, login: 'mona', body: marker });
    expect(await provider.findComment({ ...place, marker })).toBeUndefined();
    const id = await provider.createComment({ ...place, body: marker });
    expect(await provider.findComment({ ...place, marker })).toMatchObject({ id });
    expect(stand.requests().map(({ path }) => path)).not.toContain('/user');
  });

  test('has answers confirmed per installation, which cost nothing of its budget', async () => {
    const { stand, provider } = await startAppScene();
    for (const repo of [shop, shop, lab, lab])
      expect(await provider.describeRepo({ repo })).toMatchObject({ name: repo });
    expect(stand.costs().notModified).toBe(2);
  });

  test('looks up again, with a new token, what is reported to be out of date', async () => {
    const { stand, connect, installations, count } = await startAppScene();
    const { provider, forgetInstallation } = connect();
    for (const repo of [lab, shop]) await provider.setStatus(statusOf(repo));
    const before = stand.requests().length;
    forgetInstallation(installations[0]);
    forgetInstallation(4_711);
    await provider.setStatus(statusOf(shop));
    await provider.setStatus(statusOf(lab));
    expect(stand.requests().slice(before)).toHaveLength(4);
    expect([count(isLookUp), count(isTokenRequest)]).toEqual([3, 3]);
  });

  test('that one owner’s limit stops continues for the other', async () => {
    const { stand, provider } = await startAppScene();
    await setAll(provider, lab);
    stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 60 }, isStatus);
    expect(await failureOf(provider.setStatus(statusOf(shop)))).toMatchObject({ kind: 'limited' });
    expect(await failureOf(provider.describeRepo({ repo: shop }))).toMatchObject({ kind: 'limited' });
    await setAll(provider, lab);
    expect(stand.statuses(lab, head)).toHaveLength(8);
  });

  test.each([
    ['behind', 3_600_000],
    ['ahead', -3_600_000],
    ['years behind', 100_000_000_000],
  ])('whose clock is %s signs again by GitHub’s', async (_, ahead) => {
    const { stand, provider, count } = await startAppScene({ ahead });
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(1);
    expect([count(isLookUp), count(isTokenRequest)]).toEqual([2, 2]);
  });
});

/** After a refusal is no longer believed, in ms. */
const SOON = 5_000;

describe('missing access is named for what it is, with what to do', () => {
  const notInstalled =
    /404.*the GitHub App is not installed for the repo.*install the App for its owner, or give the installation access/;

  test('not installed, and noticed once it is', async () => {
    const { stand, provider, pass, count } = await startAppScene();
    addRepo(stand, 'mona/shop');
    const asked = statusOf('mona/shop');
    const lookUps = count(isLookUp);
    for (const call of [() => provider.setStatus(asked), () => provider.describeRepo({ repo: 'mona/shop' })]) {
      const failure = await failureOf(call());
      expect(failure).toMatchObject({
        kind: 'permanent',
        accessDenied: true,
        message: expect.stringMatching(notInstalled),
      });
    }
    // What is asked at once costs one look-up.
    expect(count(isLookUp)).toBe(lookUps + 1);
    stand.installApp({ app: APP, owner: 'mona' });
    pass(SOON);
    await provider.setStatus(asked);
    expect(stand.statuses('mona/shop', head)).toHaveLength(1);
  });

  test('not installed, and known at once where an event says so', async () => {
    const { stand, connect } = await startAppScene();
    const { provider, forgetInstallation } = connect();
    addRepo(stand, 'mona/shop');
    await failureOf(provider.setStatus(statusOf('mona/shop')));
    forgetInstallation(stand.installApp({ app: APP, owner: 'mona' }));
    await provider.setStatus(statusOf('mona/shop'));
    expect(stand.statuses('mona/shop', head)).toHaveLength(1);
  });

  test('installed for other repos of the owner', async () => {
    const { stand, provider, installations, pass } = await startAppScene();
    stand.changeInstallation(installations[0], { repos: ['acme/other'] });
    expect((await failureOf(provider.setStatus(statusOf(shop)))).message).toMatch(notInstalled);
    stand.changeInstallation(installations[0], { repos: [shop] });
    pass(SOON);
    await provider.setStatus(statusOf(shop));
    stand.changeInstallation(installations[0], { repos: [] });
    expect((await failureOf(provider.setStatus(statusOf(shop)))).message).toMatch(notInstalled);
  });

  test.each([
    ['from the beginning', false],
    ['while its token is in use', true],
  ])('suspended %s, and noticed once it is not any more', async (_, isInUse) => {
    const { stand, provider, installations, pass } = await startAppScene();
    if (isInUse) await provider.setStatus(statusOf(shop));
    stand.suspendInstallation(installations[0]);
    for (const call of [() => provider.setStatus(statusOf(shop)), () => provider.describeRepo({ repo: shop })]) {
      expect(await failureOf(call())).toMatchObject({
        kind: 'permanent',
        accessDenied: true,
        message: expect.stringContaining(
          "the GitHub App is suspended; lift the suspension in the owner's settings at GitHub",
        ),
      });
    }
    stand.unsuspendInstallation(installations[0]);
    pass(SOON);
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(isInUse ? 2 : 1);
  });

  test('a permission, which a new token has once it is granted', async () => {
    const { stand, provider, installations, done, pass } = await startAppScene();
    stand.changeInstallation(installations[0], { access: 'read' });
    const failure = await failureOf(provider.setStatus(statusOf(shop)));
    expect(failure).toMatchObject({ kind: 'permanent', status: 403 });
    expect(failure.message.slice(failure.message.indexOf(': the GitHub App'))).toBe(
      ': the GitHub App lacks a permission; it needs `statuses: write` for this repo; ' +
        "grant it in the App's settings at GitHub, and let the owner accept it.",
    );
    for (let i = 0; i < 5; i += 1) await failureOf(provider.setStatus(statusOf(shop)));
    // A caller that is refused again and again does not spend what the App may ask for all owners.
    expect([done(isLookUp), done(isTokenRequest)]).toEqual([2, 1]);
    // The token in use stays as it was made: the call is made again with another.
    stand.changeInstallation(installations[0], { access: 'write' });
    pass(61_000);
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(1);
    expect([done(isLookUp), done(isTokenRequest)]).toEqual([3, 2]);
  });

  test('a permission that was granted since reaches all calls that are in progress', async () => {
    const { stand, provider, installations, pass } = await startAppScene();
    stand.changeInstallation(installations[0], { access: 'read' });
    await failureOf(provider.setStatus(statusOf(shop)));
    stand.changeInstallation(installations[0], { access: 'write' });
    pass(61_000);
    await setAll(provider, shop);
    expect(stand.statuses(shop, head)).toHaveLength(4);
  });

  test.each([
    ['no installation can be told', isLookUp],
    ['no token is made', isTokenRequest],
  ])('GitHub’s own trouble is none: %s', async (_, only) => {
    const { stand, provider } = await startAppScene();
    stand.faults.next(20, { kind: 'status', status: 503 }, only);
    expect(await failureOf(provider.setStatus(statusOf(shop)))).toMatchObject({
      kind: 'transient',
      accessDenied: false,
    });
  });

  test.each([
    ['another key', { id: APP, privateKey: otherKey() }, /^GitHub answered 401 /],
    ['an id that no App has', { id: 5, privateKey }, /^GitHub answered 404 \("Integration not found"\)/],
  ])('%s', async (_, app, answered) => {
    const { connect } = await startAppScene();
    const { provider } = connect({ app });
    const read = () => provider.describeCommit({ repo: shop, commit: base });
    for (const call of [() => provider.setStatus(statusOf(shop)), read]) {
      const failure = await failureOf(call());
      expect(failure).toMatchObject({ kind: 'permanent', status: 401, accessDenied: true });
      expect(failure.message).toMatch(answered);
      expect(failure.message).toMatch(/GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY do not belong to one App/);
    }
  });

  test('an unknown commit, which is no matter of the App’s', async () => {
    const { provider } = await startAppScene();
    const failure = await failureOf(provider.setStatus({ ...statusOf(shop), commit: 'd'.repeat(40) }));
    expect(failure).toMatchObject({ kind: 'permanent', status: 422 });
    expect((await failureOf(provider.createComment({ repo: shop, pullRequest: 8, body: 'x' }))).message).toContain(
      'the GitHub App cannot see the repo, or it has no such pull request',
    );
  });
});

describe('a token that ends', () => {
  test.each(WRITES)('by being revoked is replaced within the call: %s', async (_, write) => {
    const { stand, provider, installations, count } = await startAppScene();
    await write(provider);
    stand.revokeTokens(installations[0]);
    await write(provider);
    expect(stand.statuses(shop, head).length + stand.comments(shop, 7).length).toBe(2);
    expect(count(isTokenRequest)).toBe(2);
  });

  test('is replaced once for all who meet it, reads too', async () => {
    const { stand, provider, installations, count } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    stand.revokeTokens(installations[0]);
    const read = provider.describePullRequest({ repo: shop, pullRequest: 7 });
    await Promise.all([setAll(provider, shop), read]);
    expect(await read).toMatchObject({ headCommit: head });
    expect(stand.statuses(shop, head)).toHaveLength(5);
    expect(count(isTokenRequest)).toBe(2);
  });

  test('by its age is replaced before it does', async () => {
    const { provider, count, done, pass } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    pass(54 * 60_000);
    await provider.setStatus(statusOf(shop));
    expect(done(isTokenRequest)).toBe(1);
    pass(2 * 60_000);
    await provider.setStatus(statusOf(shop));
    expect([done(isTokenRequest), done(isStatus), count(isStatus)]).toEqual([2, 3, 3]);
  });

  test('sooner than GitHub says is replaced when it is refused', async () => {
    const { stand, connect, done, pass } = await startAppScene();
    const { provider } = connect({ clock: { now: () => 0 } });
    await provider.setStatus(statusOf(shop));
    pass(61 * 60_000);
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(2);
    expect(done(isTokenRequest)).toBe(2);
  });

  test('with an installation that was removed: reported, and found when the App is installed again', async () => {
    const { stand, provider, installations, pass } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    stand.removeInstallation(installations[0]);
    expect((await failureOf(provider.setStatus(statusOf(shop)))).message).toContain('is not installed for the repo');
    stand.installApp({ app: APP, owner: 'acme' });
    pass(SOON);
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(2);
  });

  test('with an installation that was replaced by another between two calls goes unnoticed', async () => {
    const { stand, provider, installations } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    // Even where GitHub was asked a moment ago which one it is.
    expect(await provider.describeCommit({ repo: shop, commit: 'd'.repeat(40) })).toBeUndefined();
    stand.removeInstallation(installations[0]);
    stand.installApp({ app: APP, owner: 'acme' });
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(2);
  });

  test('with a repo that moved to another owner: the other installation is used, by its old name too', async () => {
    const { stand, provider } = await startAppScene();
    await provider.setStatus(statusOf(shop));
    stand.renameRepo(shop, 'umbrella/shop');
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses('umbrella/shop', head)).toHaveLength(2);
    const { id = '' } = (await provider.describeRepo({ repo: shop })) ?? {};
    expect(await provider.describeRepoById({ id, name: shop })).toMatchObject({ name: 'umbrella/shop' });
  });

  test('as soon as it is made is no fault of the set-up: it is tried again later', async () => {
    const { stand, provider, count } = await startAppScene();
    stand.faults.when((request) => (isStatus(request) ? { kind: 'status', status: 401 } : undefined));
    expect(await failureOf(provider.setStatus(statusOf(shop)))).toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('it refuses the token that it has just made'),
    });
    expect([count(isStatus), count(isTokenRequest)]).toEqual([2, 2]);
  });
});

function otherKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}
