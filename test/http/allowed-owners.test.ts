import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEAD, startTokenScene, TOKENS, type TokenScene } from '../support/provider-token-scene.ts';

let scene: TokenScene;
beforeAll(async () => {
  scene = await startTokenScene({
    ALLOWED_OWNERS: 'github/ACME, tools',
    DEFAULT_REPO_SETTINGS: '{"comment_on_pull_requests": false, "commit_status_fail_threshold": 75.5}',
  });
});
afterAll(() => scene.end());

const stored = (name: string) => scene.service.store.repos.findByName('github', name);

describe('under ALLOWED_OWNERS', () => {
  test('a first upload with a verified token makes the repo, with the settings that the operator chose', async () => {
    const accepted = await scene.upload({
      repo_token: TOKENS.classic,
      repo_name: 'ACME/vault',
      service_number: 'first',
    });
    expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining('Job #first.1')]);
    expect(await stored('acme/vault')).toMatchObject({
      name: 'acme/vault',
      owner: '(provider)',
      providerId: expect.stringMatching(/^3\d{9}$/),
      settings: { commentOnPullRequests: false, sendBuildStatus: true, minimum: 75.5, allowedDrop: null },
    });
    const [told] = await scene.service.store.audit.list({ newestFirst: true, limit: 1 });
    const by = { kind: 'provider', service: 'github' };
    expect(told).toMatchObject({ action: 'repo.made', by, repo: { name: 'github/acme/vault' } });
    const { json } = await scene.service.api.readRepo('acme/vault');
    expect(json.token).toMatch(/^cvr_/);
    expect((await scene.upload({ repo_token: json.token ?? '', service_number: 'second' })).status).toBe(200);
  });

  test('two first uploads at once make one repo', async () => {
    const { id } = scene.github.addRun('acme/other', { headSha: HEAD });
    const legs = await Promise.all(
      ['a', 'b', 'c', 'd'].map((flag_name) =>
        scene.upload({
          repo_token: TOKENS.otherWorkflow,
          repo_name: 'acme/other',
          service_number: String(id),
          parallel: true,
          flag_name,
        }),
      ),
    );
    expect(legs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const jobs = legs.map(({ json }) => json.message).sort();
    expect(jobs).toEqual([1, 2, 3, 4].map((number) => `Job #${id}.${number}`));
    expect(await stored('acme/other')).toMatchObject({ owner: '(provider)' });
    expect((await scene.close({ repo_token: TOKENS.otherWorkflow }, id)).json.jobs).toBe(4);
  });

  test('a token that GitHub does not vouch for makes none', async () => {
    scene.github.addRepo('acme/closed');
    for (const repo_token of [TOKENS.reader, TOKENS.stranger, TOKENS.workflow, TOKENS.unknown]) {
      const { status } = await scene.upload({ repo_token, repo_name: 'acme/closed' });
      expect(status).toBe(422);
    }
    expect(await stored('acme/closed')).toBeUndefined();
  });

  test('a close makes none', async () => {
    const { status, json } = await scene.close({ repo_token: TOKENS.classic, repo_name: 'acme/shop' }, 71);
    expect([status, json.message]).toEqual([
      422,
      expect.stringContaining('this server has no github repo "acme/shop"'),
    ]);
    expect(await stored('acme/shop')).toBeUndefined();
  });

  test('a name that came to mean another repo is not written to (rule 28)', async () => {
    const fields = { repo_token: TOKENS.classic, repo_name: 'acme/vault' };
    scene.github.removeRepo('acme/vault');
    scene.github.addRepo('acme/vault');
    const { status, json } = await scene.upload(fields);
    expect([status, json.message]).toEqual([
      422,
      expect.stringMatching(/a different repo \(id \d+\) than when .* \(id \d+\)\./),
    ]);
  });
});

test('another owner’s repo is not made', async () => {
  scene.github.addRepo('acme-two/acme');
  const { status, json } = await scene.upload({ repo_token: TOKENS.classic, repo_name: 'acme-two/acme' });
  expect([status, json.message]).toEqual([422, expect.stringContaining('name its owner in ALLOWED_OWNERS')]);
  expect(await stored('acme-two/acme')).toBeUndefined();
});

test('no token is in an answer, a log line or the database, and GitHub was asked what it describes', () =>
  scene.checkSecrecy());
