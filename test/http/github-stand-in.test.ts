import { afterEach, describe, expect, test } from 'vitest';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { call, head, repo, startScene } from '../support/github-scene.ts';
import { DESCRIBED } from '../support/github-stand-in/described.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { readDiff } from '../support/github-stand-in/load-git-history.ts';
import { checkAnswer } from '../support/github-stand-in/openapi-check.ts';
import { componentSchema, describeOperation, referencesOf } from '../support/github-stand-in/openapi-document.ts';
import { createCommitGraph } from '../support/histories/commit-graph.ts';
import { diffTrees } from '../support/histories/file-trees.ts';

/** What the stand-in is measured by: GitHub's own description, and git itself. */

let github: GithubStandIn | undefined;
let git: GitRepo | undefined;

async function start(): Promise<GithubStandIn> {
  github = await startScene();
  return github;
}

afterEach(async () => {
  await github?.close();
  git?.remove();
  github = undefined;
  git = undefined;
});

const statuses = `${repo}/statuses/${head}`;
const pending = { state: 'pending', context: 'coverage' };

describe("GitHub's OpenAPI description", () => {
  test.each([
    ['an unknown state', { ...pending, state: 'passed' }, /body\/state must be equal to one of the allowed values/],
    ['a missing state', { context: 'coverage' }, /required property 'state'/],
    ['a number as description', { ...pending, description: 5 }, /body\/description must be string,null/],
    ['a misspelt key', { ...pending, targetUrl: 'http://x' }, /must NOT have additional properties .*targetUrl/],
  ])('catches %s in a request', async (_, body, problem) => {
    const stand = await start();
    expect((await call(stand, statuses, { body })).status).toBe(422);
    expect(stand.violations()).toMatchObject([{ what: 'request', method: 'POST', path: statuses }]);
    expect(stand.violations()[0]?.problem).toMatch(problem);
    expect(stand.statuses('acme/shop', head)).toEqual([]);
  });

  test('catches unknown and ill-typed queries, a missing body, a wrong content type, unknown operations', async () => {
    const stand = await start();
    await call(stand, `${repo}/issues/7/comments?per_page=many&sort=asc`);
    await call(stand, statuses, { method: 'POST' });
    await call(stand, statuses, { body: pending, headers: { 'content-type': 'text/plain' } });
    await call(stand, `${repo}/check-suites`, { body: {} });
    const problems = stand.violations().map(({ problem }) => problem);
    expect(problems).toHaveLength(5);
    expect(problems.join('\n')).toMatch(
      /per_page must be integer.*query sort is not known.*body is missing.*text\/plain.*no such operation/s,
    );
    expect((await call(stand, statuses, { body: '{broken' })).json).toMatchObject({ message: 'Problems parsing JSON' });
  });

  test('catches a wrong answer', async () => {
    const stand = await start();
    const { json } = await call(stand, statuses, { body: pending });
    const template = '/repos/{owner}/{repo}/statuses/{sha}';
    const check = (body: unknown, status = 201) => checkAnswer('POST', template, { status, body });
    expect(check(json)).toEqual([]);
    expect(check({ ...json, creator: { ...(json.creator as object), url: 'here' } }).join()).toMatch(
      /must match format "uri"/,
    );
    expect(check({ ...json, id: 'one' }).join()).toMatch(/id must be integer/);
    expect(check({ ...json, context: undefined }).join()).toMatch(/required property 'context'/);
    expect(check(json, 200)).toEqual(['status 200 is not described']);
    expect(check({ errors: [{}] }, 422).join()).toMatch(/required property/);
  });
});

describe("the excerpt of GitHub's description", () => {
  test('holds every operation and message of the stand-in, with every schema that they refer to', () => {
    const schemas = new Set<string>(DESCRIBED.schemas);
    for (const { method, template } of DESCRIBED.operations) {
      const { parameters, bodySchema, answers } = describeOperation(method, template);
      referencesOf([...parameters, bodySchema, ...answers.values()], schemas);
      expect(answers.size).toBeGreaterThan(0);
    }
    // A set that grows while it is walked: what a schema refers to comes behind it.
    for (const name of schemas) referencesOf(componentSchema(name), schemas);
    expect(DESCRIBED.operations.length).toBeGreaterThan(20);
    expect(schemas.size).toBeGreaterThan(80);
  });

  test('says how to have more of it', () => {
    expect(() => componentSchema('webhook-star-created')).toThrow(/npm run excerpt/);
    expect(() => describeOperation('PUT', '/user/starred/{owner}/{repo}')).toThrow(/npm run excerpt/);
  });
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
