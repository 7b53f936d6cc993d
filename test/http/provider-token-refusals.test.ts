import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import { HEAD, startTokenScene, TOKENS, type TokenScene, type Upload } from '../support/provider-token-scene.ts';

let scene: TokenScene;
beforeAll(async () => {
  scene = await startTokenScene();
  for (const name of ['acme/shop', 'acme/vault']) await scene.service.newRepo({ service: 'github', name });
});
afterEach(() => scene.github.faults.clear());
afterAll(() => scene.end());

/** Nothing of a refused upload is stored. */
async function refused(fields: Upload, ...sentences: readonly string[]): Promise<void> {
  const { status, json, headers } = await scene.upload({ service_number: 'refused', ...fields });
  expect([status, json]).toEqual([422, { message: expect.any(String), error: true }]);
  for (const sentence of sentences) expect(json.message).toContain(sentence);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await scene.service.store.jobs.find(1)).toBeUndefined();
}

describe('without a token', () => {
  test('a service and a job id are not enough, and the sentence says what is', () =>
    refused(
      { repo_name: 'acme/shop', service_name: 'travis-ci', service_job_id: '1001' },
      `Couldn't find the repo "acme/shop": no repo_token was sent.`,
      'a service_name and a service_job_id, so they prove nothing',
      "either the repo's own token, or on GitHub a workflow's GITHUB_TOKEN (or the token of somebody who may " +
        'push) with repo_name',
    ));

  test('a close is refused in the same words', async () => {
    const { status, json } = await scene.close({ repo_name: 'acme/shop' }, 71);
    expect([status, json.message]).toEqual([422, expect.stringContaining('no repo_token was sent')]);
  });
});

describe("a person's token is refused", () => {
  test.each<[string, Upload, string]>([
    ['without a repo_name', { repo_token: TOKENS.classic }, 'sent without a repo_name. Such a token covers everything'],
    ['for no name', { repo_token: TOKENS.classic, repo_name: 'shop' }, 'repo_name must be <owner>/<name>, not "shop".'],
    ['for another path', { repo_token: TOKENS.classic, repo_name: '../..' }, 'the part ".." is not'],
    ['of a reader', { repo_token: TOKENS.reader, repo_name: 'acme/shop' }, 'push to the repo (permissions.push)'],
    ['of a stranger', { repo_token: TOKENS.stranger, repo_name: 'acme/shop' }, 'push to the repo (permissions.push)'],
    ['where it sees none', { repo_token: TOKENS.stranger, repo_name: 'acme/vault' }, 'GitHub does not show this token'],
    ['where there is none', { repo_token: TOKENS.classic, repo_name: 'acme/none' }, 'GitHub does not show this token'],
    [
      'where this server has none',
      { repo_token: TOKENS.classic, repo_name: 'acme/other' },
      'GitHub confirms it, but this server has no github repo "acme/other". Ask an administrator',
    ],
  ])('%s', async (_, fields, sentence) => {
    const asked =
      fields.repo_name === undefined ? 'sent without' : `sent for the repo ${JSON.stringify(fields.repo_name)}.`;
    await refused(fields, 'repo_token is a GitHub personal token, ', asked, sentence);
  });

  test('in words that do not tell a repo that is here from one that is not', async () => {
    const messageOf = async (repo_name: string) =>
      (await scene.upload({ repo_token: TOKENS.stranger, repo_name })).json.message;
    expect(await messageOf('acme/vault')).toBe((await messageOf('acme/nobody'))?.replace('acme/nobody', 'acme/vault'));
  });

  test(
    'a token that GitHub does not know, and one of a form that GitHub has not marked as its own, which is not ' +
      'asked about',
    async () => {
      await refused(
        { repo_token: TOKENS.unknown, repo_name: 'acme/shop' },
        'repo_token is a GitHub token, sent for the repo "acme/shop". GitHub does not know this token (401)',
      );
      const before = scene.github.requests().length;
      for (const repo_token of [
        '0123456789abcdef0123456789abcdef01234567',
        'glpat-abcdefghijklmnopqrst',
        'ghr_refresh',
        'ghp_a b',
      ]) {
        await refused({ repo_token, repo_name: 'acme/shop' }, `Couldn't find the repo "acme/shop": repo_token is `);
      }
      expect(scene.github.requests()).toHaveLength(before);
    },
  );

  test('where GitHub refuses to answer', async () => {
    scene.github.faults.next(1, { kind: 'status', status: 403 });
    await refused(
      { repo_token: TOKENS.fineGrained, repo_name: 'acme/shop' },
      'a GitHub fine-grained token',
      'GitHub refused it (403). ',
    );
    scene.github.faults.next(1, { kind: 'status', status: 451 });
    await refused(
      { repo_token: TOKENS.fineGrained, repo_name: 'acme/shop' },
      'GitHub refused it (451)',
      'GITHUB_API_URL',
    );
  });
});

describe("a workflow's own token is refused", () => {
  const shop = { repo_token: TOKENS.workflow, repo_name: 'acme/shop' };
  const run = (change?: Parameters<TokenScene['addRun']>[0]) => ({
    ...shop,
    service_number: String(scene.addRun(change)),
  });

  test('for another repo than its own', () =>
    refused({ ...shop, repo_name: 'acme/other' }, 'covers 1 repo, and not this one (GET /installation/repositories)'));

  test('without a repo_name where it covers several', () =>
    refused({ repo_token: TOKENS.app }, 'sent without a repo_name. GitHub says that it covers 3 repos (GET'));

  test('without a run: a build number and a job’s name are none', () =>
    refused(
      { ...shop, service_number: 'build-7' },
      'no field holds the id of a run',
      'Send GITHUB_RUN_ID as service_number',
    ));

  test('for a run that the repo does not have', () =>
    refused(
      { ...shop, service_number: '4711', service_job_id: '4712' },
      'not show this token a run 4712 or 4711',
      '`permissions: actions: read`',
    ));

  test('for a run that it may not see', async () => {
    scene.github.faults.next(1, { kind: 'status', status: 403 }, ({ path }) => path.includes('/actions/runs/'));
    await refused(run(), 'GitHub refused it (403).', '`actions: read`');
  });

  test('for the run of a fork, where the repo takes none', async () => {
    const head = shaOf('head of a fork');
    const pull = { headRepo: 'eve/shop', headSha: head };
    scene.github.addPullRequest('acme/shop', { number: 6, baseRef: 'main', headRef: 'change', ...pull });
    const fork = run({ event: 'pull_request', headBranch: 'change', ...pull });
    await refused(
      { ...fork, commit_sha: head, service_pull_request: '6' },
      'has no secrets: it comes from a fork or a bot.',
      'its setting accept_forks is on',
    );
    expect((await scene.close(shop, fork.service_number)).json.message).toContain('has no secrets');
  });

  test('for a push that Dependabot started', () =>
    refused(run({ actor: 'dependabot[bot]' }), 'was started by push, and does not test a pull request'));

  test('for a run that has ended: a fork’s token could name it', () =>
    refused(run({ status: 'completed' }), 'has ended, so this does not come from it'));

  test('for another commit than the run’s', async () => {
    const other = shaOf('another');
    const push = run();
    const sentence = `run ${push.service_number} ("push") is for the commit ${HEAD}, but the job is for "${other}".`;
    await refused({ ...push, commit_sha: other }, sentence, 'GITHUB_SHA');
    await refused({ ...push, service_tested_sha: other }, sentence);
    // A commit on top of the head, or an unknown one, is not what a pull request's run tests.
    const child = scene.github.addCommit('acme/shop', { sha: shaOf('child'), parents: [HEAD] });
    for (const commit_sha of [child.sha, other, 'main', '../../../user']) {
      await refused(
        { ...run({ event: 'pull_request' }), commit_sha },
        `but the job is for ${JSON.stringify(commit_sha)}.`,
      );
    }
  });

  test('for a job that names no commit', () =>
    refused({ ...run(), commit_sha: '', git: {} as never }, 'The job names no commit.', 'as commit_sha'));

  test('on a close that names no run', async () => {
    for (const number of [undefined, 'build-7']) {
      const { status, json } = await scene.close(shop, number);
      expect([status, json.message]).toEqual([422, expect.stringContaining('on close as payload.build_num')]);
    }
  });
});

test('no token is in an answer, a log line or the database, and GitHub was asked what it describes', () =>
  scene.checkSecrecy());
