import { afterEach, expect, test } from 'vitest';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { call, head, repo, startScene } from '../support/github-scene.ts';
import { ALL_FAULTS, mixFaults } from '../support/github-stand-in/fault-mix.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { loadGitHistory, readDiff } from '../support/github-stand-in/load-git-history.ts';
import { createCommitGraph } from '../support/histories/commit-graph.ts';
import { diffTrees } from '../support/histories/file-trees.ts';

let stand: GithubStandIn | undefined;
let git: GitRepo | undefined;

async function start(): Promise<GithubStandIn> {
  stand = await startScene();
  return stand;
}

afterEach(async () => {
  const violations = stand?.violations() ?? [];
  await stand?.close();
  git?.remove();
  stand = undefined;
  git = undefined;
  expect(violations).toEqual([]);
});

const status = { state: 'pending', context: 'coverage' };

test('a real git repo is loaded, and loaded again after a forced push', async () => {
  const github = await start();
  git = createGitRepo();
  git.commit('root', { 'a.js': 'a\n' });
  git.switchTo('topic');
  const before = git.commit('one', { 'b.js': 'b\n' });
  const place = { directory: git.directory, repo: 'acme/shop' };
  loadGitHistory(github, place);
  expect((await call(github, `${repo}/commits/topic`)).json).toMatchObject({ sha: before, commit: { message: 'one' } });
  git.git('commit', '-q', '--amend', '-m', 'another one\n\nwith a body');
  loadGitHistory(github, place);
  expect((await call(github, `${repo}/commits/topic`)).json).toMatchObject({
    sha: git.sha('topic'),
    commit: { message: 'another one\n\nwith a body', tree: { sha: git.git('rev-parse', 'topic^{tree}') } },
  });
  expect((await call(github, `${repo}/git/commits/${before}`)).status).toBe(200);
  expect((await call(github, `${repo}/compare/main...topic`)).json).toMatchObject({
    files: [{ filename: 'b.js', patch: '@@ -0,0 +1 @@\n+b' }],
  });
});

test('a pull request has the files of its branch, unless the test gives it others', async () => {
  const github = await start();
  git = createGitRepo();
  git.commit('root', { 'a.js': 'a\n' });
  git.switchTo('topic');
  const headSha = git.commit('one', { 'a.js': 'b\n' });
  loadGitHistory(github, { directory: git.directory, repo: 'acme/shop' });
  github.addPullRequest('acme/shop', { number: 8, headSha, headRef: 'topic', baseRef: 'main' });
  expect((await call(github, `${repo}/pulls/8/files`)).json).toMatchObject([
    { filename: 'a.js', additions: 1, deletions: 1 },
  ]);
  expect((await call(github, `${repo}/pulls/8`)).json).toMatchObject({ changed_files: 1 });
});

test('commits are listed newest first, a child before its parent, and in pages', async () => {
  const github = await start();
  git = createGitRepo();
  for (let i = 0; i < 5; i += 1) git.commit(`main ${i}`);
  git.switchTo('topic', 'HEAD~3');
  git.commit('topic');
  git.switchTo('main');
  const sha = git.merge('topic');
  loadGitHistory(github, { directory: git.directory, repo: 'acme/shop' });
  const listed = await call(github, `${repo}/commits?sha=${sha}`);
  expect(listed.json.map((commit) => commit.sha)).toEqual(git.git('rev-list', sha).split('\n'));
  const page = await call(github, `${repo}/commits?sha=main&per_page=2&page=2`);
  expect(page.json.map((commit) => commit.sha)).toEqual(listed.json.slice(2, 4).map((commit) => commit.sha));
  expect((await call(github, `${repo}/commits?sha=${'e'.repeat(40)}`)).status).toBe(404);
});

test('a graph in memory is what git makes of the same steps', async () => {
  git = createGitRepo();
  const graph = createCommitGraph();
  const real = git;
  const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
  const lines = Array.from({ length: 24 }, (_, line) => `line ${line}`);
  const both = (step: (of: Pick<GitRepo, 'commit' | 'switchTo' | 'merge' | 'squash' | 'rebase' | 'sha'>) => string) =>
    [step(real), step(graph)] as const;
  const [root] = [both((of) => of.commit('root', { 'a.txt': text(...lines), 'b.txt': 'b', 'c.txt': 'c\n' }))];
  both((of) => {
    of.switchTo('topic');
    return of.commit('topic', { 'a.txt': text(...lines, 'below'), 'b.txt': undefined, 'new.txt': 'n' });
  });
  both((of) => {
    of.switchTo('main');
    return of.commit('main', { 'a.txt': text('above', ...lines.with(12, 'other')), 'c.txt': 'cc\n' });
  });
  const main = both((of) => of.sha('main'));
  const merged = both((of) => of.merge('topic'));
  expect(graph.textOf(merged[1], 'a.txt')).toBe(`${real.git('show', `${merged[0]}:a.txt`)}\n`);
  const files = (of: string): ReadonlyMap<string, string> => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'new.txt'].map((name) => [name, graph.textOf(of, name)] as const);
    return new Map(names.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
  };
  const ends = [
    [root, main],
    [root, merged],
    [main, merged],
  ] as const;
  for (const [from, to] of ends) {
    // Behind its marks git names a line that stands above a hunk.
    const told = readDiff(real.directory, from[0], to[0]).map(({ patch, ...file }) => ({
      ...file,
      ...(patch === undefined ? {} : { patch: patch.replace(/^(@@ .* @@).*$/gm, '$1') }),
    }));
    expect(diffTrees(files(from[1]), files(to[1]))).toEqual(told);
  }
  expect(graph.mergeBases('main', 'topic')).toEqual([graph.sha('topic')]);
  expect(real.git('merge-base', 'main', 'topic')).toBe(real.sha('topic'));
  const rebased = both((of) => {
    of.switchTo('late', of.sha('topic'));
    of.commit('late', { 'late.txt': 'late\n' });
    return of.rebase('main');
  });
  expect(graph.mergeBases(rebased[1], 'main')).toEqual([merged[1]]);
  expect(real.git('merge-base', rebased[0], 'main')).toBe(merged[0]);
  expect(graph.textOf(rebased[1], 'late.txt')).toBe('late\n');
  const squashed = both((of) => {
    of.switchTo('main');
    return of.squash('late');
  });
  expect(graph.textOf(squashed[1], 'late.txt')).toBe(`${real.git('show', `${squashed[0]}:late.txt`)}\n`);
});

test('a renamed repo sends reads on by 301 and writes by 307', async () => {
  const github = await start();
  github.renameRepo('acme/shop', 'acme/store');
  const read = await fetch(`${github.url}${repo}/pulls/7`, {
    headers: { authorization: `token ${github.token}` },
    redirect: 'manual',
  });
  expect([read.status, read.headers.get('location')]).toEqual([
    301,
    expect.stringMatching(/\/repositories\/\d+\/pulls\/7$/),
  ]);
  expect((await call(github, `${repo}/pulls/7`)).json).toMatchObject({ number: 7 });
  expect((await call(github, `${repo}/statuses/${head}`, { body: status })).status).toBe(201);
  expect((await call(github, '/repositories/1')).status).toBe(404);
});

test('requests are counted, those answered 304 apart', async () => {
  const github = await start();
  const etag = (await call(github, `${repo}/pulls/7`)).headers.get('etag') ?? '';
  const since = github.requests().length;
  await call(github, `${repo}/pulls/7`, { headers: { 'if-none-match': etag } });
  await call(github, `${repo}/compare/main...${head}?per_page=1`);
  expect(github.costs(since)).toEqual({
    calls: 2,
    notModified: 1,
    byPlace: new Map([
      ['GET /repos/{}/{}/pulls/{}', 1],
      ['GET /repos/{}/{}/compare/{}', 1],
    ]),
  });
  expect(github.costs()).toMatchObject({ calls: 3 });
});

test('a request that arrives twice is done twice', async () => {
  const github = await start();
  github.faults.next(1, { kind: 'duplicate' });
  expect((await call(github, `${repo}/statuses/${head}`, { body: status })).status).toBe(201);
  expect(github.statuses('acme/shop', head)).toHaveLength(2);
  expect(github.requests()).toHaveLength(1);
});

test('a mix of faults meets the share that is wanted, with all of its faults', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const rule = mixFaults({ share: 0.3, random });
  const request = { index: 0, method: 'GET', path: '/', body: undefined };
  const met = Array.from({ length: 5_000 }, () => rule(request)).filter((fault) => fault !== undefined);
  expect(met.length).toBeGreaterThan(1_350);
  expect(met.length).toBeLessThan(1_650);
  expect(new Set(met).size).toBe(ALL_FAULTS.length);
});
