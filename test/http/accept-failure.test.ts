import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
let mona: string;
let lena: string;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
  mona = await service.tokenOf('mona', 'administrator');
  lena = await service.tokenOf('lena');
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

/** A repo whose pull request 7 has failed: 50% after 100%. */
async function newFailure(): Promise<{ readonly repo: Repo; readonly id: string }> {
  repos += 1;
  const name = `octo/accepted-${repos}`;
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  github.addPullRequest(name, { number: 7, headSha: shaOf('head'), baseRef: 'main' });
  const repo = await service.newRepo({ service: 'github', name });
  await service.uploadAlone(upload(repo, [1, 1, 1, 1], { service_number: '70', commit_sha: shaOf('base') }));
  const { id } = await service.uploadAlone(upload(repo, [1, 1, 0, 0], PULL));
  await delivered();
  return { repo, id };
}

const PULL = {
  service_number: '71',
  commit_sha: shaOf('head'),
  service_pull_request: '7',
  service_base_branch: 'main',
  git: { branch: 'topic' },
};
const upload = (repo: Repo, lines: number[], fields: object, name = 'src/a.ts') => ({
  ...job({ repo_token: repo.token, source_files: [sourceFile(name, lines)] }),
  ...fields,
});
const delivered = () =>
  waitFor(
    async () =>
      (await service.store.builds.nextDueAt()) === undefined && (await service.store.outbox.nextDueAt()) === undefined,
    { what: 'everything that is due' },
  );
const send = (method: string, id: string, body?: object, token = mona) =>
  service.api.send<Record<string, unknown> & { message?: string }>(`/api/v1/builds/${id}/accept`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const status = (repo: Repo) => {
  const { state, description } = github.lastStatuses(repo.name, shaOf('head')).get('coverage') ?? {};
  return `${state}: ${description}`;
};
const comment = (repo: Repo) => github.comments(repo.name, 7)[0]?.body ?? '';
const REASON = 'the old importer goes *next* week';

describe('a failure that a maintainer accepts', () => {
  test('succeeds and says who and why, in status, comment and JSON; the next build is compared as always', async () => {
    const { repo, id } = await newFailure();
    expect(status(repo)).toMatch(/^failure: 50\.00%, −50\.00 points/);
    const { status: code, json } = await send('POST', id, { reason: ` ${REASON} ` });
    expect([code, json]).toEqual([
      200,
      { id, accepted: true, accepted_by: 'mona', accepted_at: expect.stringMatching(/^20.*Z$/), reason: REASON },
    ]);
    await delivered();
    expect(status(repo)).toBe(`success: 50.00%, accepted by mona: ${REASON}`);
    expect(comment(repo)).toContain('### ✅ Coverage 50.00% (−50.00 points)');
    expect(comment(repo)).toMatch(/\n\nAccepted by mona: the old importer goes &#42;next&#42; week\. Would fail: /);
    expect(await service.build(id)).toMatchObject({
      verdict: { state: 'failure', rule: 'no-decrease', accepted: true },
      acceptance: { by: 'mona', at: json.accepted_at, reason: REASON, holds: true },
    });
    const next = await service.uploadAlone(upload(repo, [1, 0, 0, 0], { ...PULL, service_number: '72' }));
    expect(next).toMatchObject({ verdict: { state: 'failure' }, coverage_change: -75 });
    expect(next.acceptance).toBeUndefined();
  });

  test('holds when the build closes again with numbers that are no worse, and no longer when they are', async () => {
    const { repo, id } = await newFailure();
    await send('POST', id, { reason: REASON });
    await service.uploadAlone(upload(repo, [1, 1], PULL, 'src/b.ts'));
    await delivered();
    expect(status(repo)).toBe(`success: 66.66%, accepted by mona: ${REASON}`);
    await service.uploadAlone(upload(repo, [0, 0, 0, 0, 0, 0], PULL, 'src/c.ts'));
    await delivered();
    expect(status(repo)).toMatch(/^failure: 33\.33%/);
    expect(comment(repo)).toMatch(
      /### ❌ .*\n\n\*\*Accepted by mona: .* It does not cover everything that fails now\./,
    );
    expect((await service.build(id)).acceptance).toMatchObject({ holds: false });
    expect((await send('POST', id, { reason: 'that too' })).json).toMatchObject({ accepted: true, reason: 'that too' });
    await delivered();
    expect(status(repo)).toBe('success: 33.33%, accepted by mona: that too');
  });

  test('fails again once that is taken back, which may be asked twice', async () => {
    const { repo, id } = await newFailure();
    await send('POST', id, { reason: REASON });
    await delivered();
    const none = { id, accepted: false, accepted_by: null, accepted_at: null, reason: null };
    for (const _ of [1, 2]) expect(await send('DELETE', id)).toMatchObject({ status: 200, json: none });
    await delivered();
    expect(status(repo)).toMatch(/^failure: 50\.00%/);
    expect(comment(repo)).not.toContain('Accepted');
    expect((await service.build(id)).acceptance).toBeUndefined();
  });

  test('by the form of its page, which leads back to it', async () => {
    const { repo, id } = await newFailure();
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${service.url}/builds/${id}${path}`, {
        method: 'POST',
        headers: { authorization: `token ${mona}` },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const { closed_at: closedAt } = await service.build(id);
    const answer = await post('/accept', { reason: REASON, closed_at: closedAt ?? '', csrf: 'x' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${service.url}/builds/${id}`]);
    expect((await service.build(id)).acceptance).toMatchObject({ reason: REASON, holds: true });
    await delivered();
    expect((await post('/accept/undo', { csrf: 'x' })).status).toBe(303);
    await delivered();
    expect(status(repo)).toMatch(/^failure/);
  });
});

describe('refused', () => {
  let failed: Awaited<ReturnType<typeof newFailure>>;
  beforeAll(async () => {
    failed = await newFailure();
  });

  test.each([
    [{}, 'reason is missing; it must be a text of 1 to 500 characters.'],
    [{ reason: '  ' }, 'reason must be a text of 1 to 500 characters, not "  ".'],
    [{ reason: 7 }, 'reason must be a text of 1 to 500 characters, not 7.'],
    [{ reason: 'x', closed_at: 'now' }, 'closed_at must be the closed_at of the build that was read, not "now".'],
    [{ reason: 'x', by: 'lena' }, '"by" is unknown (known: reason, closed_at).'],
  ])('%j', async (body, sentence) => {
    const { status: code, json } = await send('POST', failed.id, body);
    expect([code, json.message]).toEqual([422, sentence]);
  });

  test('anybody who may not administer the repo', async () => {
    const { repo, id } = failed;
    expect((await send('POST', id, { reason: REASON }, lena)).status).toBe(404);
    expect((await send('POST', id, { reason: REASON }, repo.token)).status).toBe(401);
    expect((await send('DELETE', id, undefined, lena)).status).toBe(404);
    expect((await send('POST', '999999', { reason: REASON })).status).toBe(404);
  });

  test('where nothing fails, or the build was worked out again since it was read', async () => {
    const { repo, id } = failed;
    const passed = await service.uploadAlone(upload(repo, [1, 1, 1, 1], { ...PULL, service_number: '72' }));
    expect(await send('POST', passed.id, { reason: REASON })).toMatchObject({
      status: 409,
      json: { message: 'Build "72" has no failed verdict, so there is nothing to accept.' },
    });
    const { closed_at } = await service.build(id);
    await service.uploadAlone(upload(repo, [0, 0], PULL, 'src/b.ts'));
    expect(await send('POST', id, { reason: REASON, closed_at })).toMatchObject({ status: 409 });
    expect((await service.build(id)).acceptance).toBeUndefined();
  });
});
