import { afterEach, describe, expect, test } from 'vitest';
import { base, call, head, merge, repo, startScene } from '../support/github-scene.ts';
import type { GithubStandIn, GithubStandInOptions } from '../support/github-stand-in/github-stand-in.ts';

let github: GithubStandIn | undefined;

async function start(options: GithubStandInOptions = {}): Promise<GithubStandIn> {
  github = await startScene(options);
  return github;
}

afterEach(async () => {
  await github?.close();
  github = undefined;
});

const status = {
  state: 'success',
  context: 'coverage',
  description: '81.20% (+0.10%)',
  target_url: 'http://127.0.0.1:1/builds/1',
};

describe('commit statuses', () => {
  test('are kept in order with all fields and listed newest first', async () => {
    const stand = await start();
    expect((await call(stand, `${repo}/statuses/${head}`, { body: { ...status, state: 'pending' } })).status).toBe(201);
    expect((await call(stand, `${repo}/statuses/${head}`, { body: status })).status).toBe(201);
    await call(stand, `${repo}/statuses/${head}`, { body: { state: 'failure', context: 'coverage (js)' } });

    const listed = await call(stand, `${repo}/commits/${head}/statuses?per_page=2`);
    expect(listed.json.map((one) => [one.context, one.state])).toEqual([
      ['coverage (js)', 'failure'],
      ['coverage', 'success'],
    ]);
    expect(listed.headers.get('link')).toContain('page=2>; rel="next"');
    expect((await call(stand, `${repo}/commits/${head}/statuses?per_page=2&page=2`)).json).toHaveLength(1);

    const combined = await call(stand, `${repo}/commits/${head}/status`);
    expect(combined.json).toMatchObject({ state: 'failure', total_count: 2, sha: head });

    expect(stand.statuses('acme/shop', head).map((one) => one.state)).toEqual(['pending', 'success', 'failure']);
    expect(stand.lastStatuses('Acme/Shop', head).get('coverage')).toMatchObject({
      state: 'success',
      description: '81.20% (+0.10%)',
      targetUrl: 'http://127.0.0.1:1/builds/1',
      login: 'coverage-bot',
    });
    expect(stand.violations()).toEqual([]);
  });

  test('are refused as GitHub refuses them', async () => {
    const stand = await start();
    const post = (body: object, sha = head) => call(stand, `${repo}/statuses/${sha}`, { body });
    expect((await post({ ...status, description: 'x'.repeat(140) })).status).toBe(201);
    const long = await post({ ...status, description: 'x'.repeat(141) });
    expect(long.status).toBe(422);
    expect(long.json).toMatchObject({
      message: 'Validation Failed',
      errors: [
        {
          resource: 'Status',
          code: 'custom',
          field: 'description',
          message: 'description is too long (maximum is 140 characters)',
        },
      ],
    });
    expect((await post({ ...status, target_url: 'javascript:alert(1)' })).status).toBe(422);
    expect((await post(status, 'd'.repeat(40))).json).toMatchObject({
      message: `No commit found for SHA: ${'d'.repeat(40)}`,
    });
    expect((await call(stand, '/repos/acme/other/statuses/x', { body: status })).status).toBe(404);
    expect(stand.violations()).toEqual([]);
  });

  test('end at a thousand for one context, whatever its case', async () => {
    const stand = await start();
    for (let done = 0; done < 1000; done += 50) {
      await Promise.all(Array.from({ length: 50 }, () => call(stand, `${repo}/statuses/${head}`, { body: status })));
    }
    expect((await call(stand, `${repo}/statuses/${head}`, { body: { ...status, context: 'Coverage' } })).status).toBe(
      422,
    );
    expect((await call(stand, `${repo}/statuses/${head}`, { body: { ...status, context: 'other' } })).status).toBe(201);
  });
});

describe('comments', () => {
  test('are made, edited, paged and deleted', async () => {
    const stand = await start();
    const list = `${repo}/issues/7/comments`;
    const made = await call(stand, list, { body: { body: 'first' } });
    expect(made.status).toBe(201);
    for (const body of ['second', 'third']) await call(stand, list, { body: { body } });
    const one = `${repo}/issues/comments/${made.json.id}`;
    expect((await call(stand, one, { method: 'PATCH', body: { body: 'first, edited' } })).json).toMatchObject({
      body: 'first, edited',
    });

    const page = await call(stand, `${list}?per_page=2`);
    expect(page.json.map(({ body }) => body)).toEqual(['first, edited', 'second']);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect((await call(stand, next.slice(stand.url.length))).json.map(({ body }) => body)).toEqual(['third']);

    expect(stand.comments('acme/shop', 7)[0]).toMatchObject({ body: 'first, edited', edits: 1, login: 'coverage-bot' });
    expect((await call(stand, one, { method: 'DELETE' })).status).toBe(204);
    expect((await call(stand, one)).status).toBe(404);
    expect(stand.violations()).toEqual([]);
  });

  test('have a limit of characters, an owner and a pull request that is not locked', async () => {
    const stand = await start();
    const list = `${repo}/issues/7/comments`;
    expect((await call(stand, list, { body: { body: '€'.repeat(65_536) } })).status).toBe(201);
    expect((await call(stand, list, { body: { body: 'x'.repeat(65_537) } })).json).toMatchObject({
      errors: [{ message: 'Body is too long (maximum is 65536 characters)' }],
    });
    expect((await call(stand, list, { body: { body: ' \n' } })).status).toBe(422);
    const strange = stand.addComment('acme/shop', { pullRequest: 7, login: 'mallory', body: 'not yours' });
    expect(
      (await call(stand, `${repo}/issues/comments/${strange.id}`, { method: 'PATCH', body: { body: 'x' } })).status,
    ).toBe(403);
    stand.removeComment('acme/shop', strange.id);
    expect((await call(stand, `${repo}/issues/comments/${strange.id}`)).status).toBe(404);
    stand.addPullRequest('acme/shop', { number: 8, headSha: head, baseRef: 'main', locked: true });
    expect((await call(stand, `${repo}/issues/8/comments`, { body: { body: 'x' } })).status).toBe(403);
    expect(stand.violations()).toEqual([]);
  });
});

describe('what is read', () => {
  test('pull request, its files, its merge commit, repo, user and budget', async () => {
    const stand = await start();
    expect((await call(stand, `${repo}/pulls/7`)).json).toMatchObject({
      merge_commit_sha: merge,
      head: { sha: head, repo: { full_name: 'acme/shop' } },
      base: { ref: 'main', sha: base },
    });
    expect((await call(stand, `${repo}/pulls/7/files`)).json).toMatchObject([{ filename: 'web/cart.js', changes: 3 }]);
    expect((await call(stand, `${repo}/commits/${merge}`)).json).toMatchObject({
      commit: { message: `Merge ${head} into ${base}` },
      parents: [{ sha: base }, { sha: head }],
    });
    expect((await call(stand, `${repo}/git/commits/${merge}`)).json.parents).toHaveLength(2);
    expect((await call(stand, `${repo}/commits/main`)).json).toMatchObject({ sha: base });
    expect((await call(stand, repo)).json).toMatchObject({ default_branch: 'main', private: false });
    expect((await call(stand, '/user')).json).toMatchObject({ login: 'coverage-bot' });
    expect((await call(stand, '/rate_limit')).json).toMatchObject({ resources: { core: { limit: 5000, used: 7 } } });
    expect(stand.violations()).toEqual([]);
  });

  test('a comparison follows the history', async () => {
    const stand = await start();
    const [next, other] = ['1'.repeat(40), '2'.repeat(40)];
    stand.addCommit('acme/shop', { sha: next, parents: [base], branch: 'main' });
    stand.addCommit('acme/shop', { sha: other, parents: [head] });
    stand.setComparedFiles('acme/shop', next, other, [
      { filename: 'a b.js', status: 'added', additions: 1, deletions: 0 },
    ]);
    expect((await call(stand, `${repo}/compare/main...${other}`)).json).toMatchObject({
      status: 'diverged',
      ahead_by: 2,
      behind_by: 1,
      merge_base_commit: { sha: base },
      commits: [{ sha: head }, { sha: other }],
      files: [{ filename: 'a b.js' }],
    });
    expect((await call(stand, `${repo}/compare/${base}...${base}`)).json).toMatchObject({ status: 'identical' });
    expect((await call(stand, `${repo}/compare/${base}...nowhere`)).status).toBe(404);
    expect(stand.violations()).toEqual([]);
  });

  test('what is not there is 404, and 422 where GitHub says so', async () => {
    const stand = await start();
    const gone = 'e'.repeat(40);
    const paths = [
      '/repos/acme/none',
      `${repo}/pulls/99`,
      `${repo}/git/commits/${gone}`,
      `${repo}/commits/${gone}/status`,
    ];
    for (const path of paths) expect([path, (await call(stand, path)).status]).toEqual([path, 404]);
    expect((await call(stand, `${repo}/commits/${gone}`)).status).toBe(422);
    expect(stand.violations()).toEqual([]);
  });

  test('an ETag saves the second answer and its cost', async () => {
    const stand = await start();
    const first = await call(stand, `${repo}/pulls/7`);
    const etag = first.headers.get('etag') ?? '';
    const second = await call(stand, `${repo}/pulls/7`, { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
    expect(second.headers.get('x-ratelimit-used')).toBe('1');
    stand.addPullRequest('acme/shop', { number: 7, headSha: head, baseRef: 'main', title: 'Another' });
    expect((await call(stand, `${repo}/pulls/7`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});
