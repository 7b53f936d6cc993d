import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

async function newRepo(fields: object = {}): Promise<Repo> {
  repos += 1;
  const name = `octo/commented-${repos}`;
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  github.addPullRequest(name, { number: 7, headSha: shaOf('head'), baseRef: 'main' });
  for (const commit of ['head 2', 'queued']) github.addCommit(name, { sha: shaOf(commit), parents: [shaOf('head')] });
  return service.newRepo({ service: 'github', name, ...fields });
}

const upload = (repo: Repo, lines: number[], fields: object = {}) => ({
  ...job({ repo_token: repo.token, source_files: [sourceFile('src/a.ts', lines)] }),
  ...fields,
});
const pull = (number: string, commit: string, more: object = {}) => ({
  service_number: number,
  commit_sha: shaOf(commit),
  service_pull_request: '7',
  service_base_branch: 'main',
  git: { branch: 'topic' },
  ...more,
});
const BASE = { service_number: '70', commit_sha: shaOf('base') };
/** The pull request gets a new head. */
const pushHead = (repo: Repo, commit: string) =>
  github.addPullRequest(repo.name, { number: 7, headSha: shaOf(commit), baseRef: 'main' });
const comments = (repo: Repo) => github.comments(repo.name, 7);

describe('the comment on a pull request (rule 25)', () => {
  test('is made at the first close, never while open, then edited in place, only when it changed', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    await service.upload(upload(repo, [1, 1, 0, 0], pull('71', 'head', { parallel: true })));
    await waitFor(() => github.lastStatuses(repo.name, shaOf('head')).get('coverage'), { what: 'the pending status' });
    await service.delivered();
    expect(comments(repo)).toEqual([]);
    const first = await service.close(repo.token, '71');
    await service.delivered();
    const [comment] = comments(repo);
    expect(comment?.body.split('\n')[0]).toBe(`<!-- coverage: ${service.url} repo ${repo.id} -->`);
    expect(comment?.body).toContain('### ✅ Coverage 50.00%, unchanged from [');
    expect(comment?.body).toContain(`${service.url}/builds/${first.id}`);
    await service.upload(upload(repo, [0, 0, 0, 1], pull('71', 'head', { parallel: true })));
    await service.delivered();
    expect(comments(repo)).toEqual([comment]);
    await service.close(repo.token, '71');
    await service.delivered();
    expect(comments(repo)).toMatchObject([
      { id: comment?.id, edits: 1, body: expect.stringContaining('### ✅ Coverage 75.00% (+25.00 points)') },
    ]);
    pushHead(repo, 'head 2');
    await service.uploadAlone(upload(repo, [1, 1, 1, 1], pull('72', 'head 2')));
    await service.delivered();
    expect(comments(repo)).toMatchObject([
      { id: comment?.id, edits: 2, body: expect.stringContaining('### ✅ Coverage 100.00% (+50.00 points)') },
    ]);
  });

  test('is none with comment_on_pull_requests false, for a push, and for a merge queue', async () => {
    const silent = await newRepo({ comment_on_pull_requests: false });
    await service.uploadAlone(upload(silent, [1, 0], pull('71', 'head')));
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    const queued = await service.uploadAlone(
      upload(repo, [1, 1], {
        service_number: '71',
        commit_sha: shaOf('queued'),
        git: { branch: `gh-readonly-queue/main/pr-7-${shaOf('base')}` },
      }),
    );
    await service.delivered();
    expect(queued.pull_request).toBe(7);
    expect(github.lastStatuses(repo.name, shaOf('queued')).get('coverage')?.state).toBe('success');
    expect([comments(silent), comments(repo)]).toEqual([[], []]);
  });

  test('is none for a build without a percentage, but where that fails', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [], pull('70', 'head')));
    await service.delivered();
    expect(comments(repo)).toEqual([]);
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    await service.uploadAlone(upload(repo, [], pull('71', 'head 2')));
    await service.delivered();
    expect(comments(repo)).toMatchObject([{ body: expect.stringContaining('No coverage was uploaded') }]);
  });

  test('belongs to the newest build: an older one that closes later does not write', async () => {
    const repo = await newRepo();
    await service.upload(upload(repo, [0, 0], pull('71', 'head', { parallel: true })));
    pushHead(repo, 'head 2');
    await service.uploadAlone(upload(repo, [1, 1], pull('72', 'head 2')));
    await service.delivered();
    await service.close(repo.token, '71');
    await service.delivered();
    expect(comments(repo)).toMatchObject([{ edits: 0, body: expect.stringContaining('100.00%') }]);
    expect(github.lastStatuses(repo.name, shaOf('head')).get('coverage')?.description).toContain('0.00%');
  });

  test('belongs to the current head: a build of an older one that comes later does not write', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], pull('71', 'head')));
    pushHead(repo, 'head 2');
    await service.uploadAlone(upload(repo, [1, 1], pull('72', 'head 2')));
    await service.uploadAlone(upload(repo, [0, 0], pull('73', 'head')));
    await service.delivered();
    expect(comments(repo)).toMatchObject([{ body: expect.stringContaining('100.00%') }]);
  });

  test('holds names from uploads as text', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    const name = 'src/`<img src=x onerror=alert(1)>|@octo/team`.ts';
    const fields = { flag_name: '**bold** @octo/team', source_files: [sourceFile(name, [0])] };
    await service.uploadAlone(upload(repo, [], { ...pull('71', 'head'), ...fields }));
    await service.delivered();
    const body = comments(repo)[0]?.body ?? '';
    // Outside of code spans nothing of it is left.
    const outside = body.replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, '');
    expect(body).toContain('onerror=alert(1)');
    expect(outside).not.toMatch(/<img|\*\*bold\*\*|@octo/);
  });
});

describe('which build sets the statuses of a commit (rule 24)', () => {
  const pushBuild = (repo: Repo, number = '80') =>
    upload(repo, [1, 0], { service_number: number, commit_sha: shaOf('head'), git: { branch: 'topic' } });
  const shown = (repo: Repo) => {
    const { description, targetUrl } = github.lastStatuses(repo.name, shaOf('head')).get('coverage') ?? {};
    return { percent: description?.split(/[,:]/, 1)[0], targetUrl };
  };
  const bySha = async (repo: Repo) => (await service.api.buildJson(shaOf('head'), { repoToken: repo.token })).json;

  test('a push first, then the pull request: the pull request takes over', async () => {
    const repo = await newRepo();
    const push = await service.uploadAlone(pushBuild(repo));
    await service.delivered();
    expect(shown(repo)).toEqual({ percent: '50.00%', targetUrl: push.url });
    expect((await bySha(repo)).id).toBe(push.id);
    const ofPull = await service.uploadAlone(upload(repo, [1, 1], pull('81', 'head')));
    await service.delivered();
    expect(shown(repo)).toEqual({ percent: '100.00%', targetUrl: ofPull.url });
    expect((await bySha(repo)).id).toBe(ofPull.id);
    expect((await service.build(push.id)).warnings).toContainEqual(expect.stringContaining('Replaced by build 81'));
    const page = await service.api.send(`/builds/${push.id}?repo_token=${repo.token}`);
    expect(page.text).toContain('Replaced by build 81');
  });

  test('the pull request first, then the push: the pull request keeps speaking', async () => {
    const repo = await newRepo();
    const ofPull = await service.uploadAlone(upload(repo, [1, 1], pull('81', 'head')));
    const push = await service.uploadAlone(pushBuild(repo, '82'));
    await service.delivered();
    expect(shown(repo)).toEqual({ percent: '100.00%', targetUrl: ofPull.url });
    expect(github.statuses(repo.name, shaOf('head'))).toHaveLength(1);
    expect((await bySha(repo)).id).toBe(ofPull.id);
    expect(push.warnings).toContainEqual(expect.stringContaining('Replaced by build 81'));
    expect((await service.build(ofPull.id)).warnings).toEqual([]);
  });

  test('of two pushes the newer, whichever closes last', async () => {
    const repo = await newRepo();
    await service.upload({ ...pushBuild(repo, '82'), parallel: true });
    const newer = await service.uploadAlone(pushBuild(repo, '83'));
    await service.close(repo.token, '82');
    await service.delivered();
    expect(shown(repo).targetUrl).toBe(newer.url);
    expect((await bySha(repo)).id).toBe(newer.id);
  });

  test('builds of different service_numbers for one commit and event give a warning', async () => {
    const repo = await newRepo();
    const older = await service.uploadAlone({ ...pushBuild(repo, '84'), service_event_type: 'push' });
    const newer = await service.uploadAlone({ ...pushBuild(repo, '85'), service_event_type: 'push' });
    expect(newer.warnings).toEqual([expect.stringContaining('84')]);
    expect((await service.build(older.id)).warnings.join()).toContain('85');
  });
});
