import { afterEach, describe, expect, test } from 'vitest';
import type { CheckRuns, Provider } from '../../server/src/ports/provider.ts';
import { connect, endScene, failureOf, pass, repo, START, serve, start } from '../support/github-provider-scene.ts';
import { base, head, merge } from '../support/github-scene.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';

afterEach(endScene);

const range = { repo, base, head };
const shaOf = (n: number): string => n.toString(16).padStart(40, '0');
/** A minute for each commit. */
const dateOf = (n: number): string => new Date(START + n * 60_000).toISOString();

/** Everything that is asked, once; `run` and `id` are the scene's. */
const QUESTIONS: readonly (readonly [string, (provider: Provider, run: string, id: string) => Promise<unknown>])[] = [
  ['describePullRequest', (provider) => provider.describePullRequest({ repo, pullRequest: 7 })],
  ['describeCommit', (provider) => provider.describeCommit({ repo, commit: merge })],
  ['findMergeBase', (provider) => provider.findMergeBase(range)],
  ['listFirstParents', (provider) => provider.listFirstParents({ repo, commit: head, limit: 100 })],
  ['compareFiles', (provider) => provider.compareFiles({ ...range, pullRequest: 7 })],
  ['describeRepo', (provider) => provider.describeRepo({ repo })],
  ['describeRepoById', (provider, _, id) => provider.describeRepoById({ id, name: repo })],
  ['readRun', (provider, run) => provider.readRun({ repo, run })],
  ['listRuns', (provider) => provider.listRuns({ repo })],
  ['listBranchesAt', (provider) => provider.listBranchesAt({ repo, commit: head })],
  [
    'listPullRequestsFrom',
    (provider) => provider.listPullRequestsFrom({ repo, headRepo: 'eve/shop', headBranch: 'prices' }),
  ],
];

async function startFacts(options: Parameters<typeof start>[0] = {}) {
  const { stand, provider } = await start(options);
  const run = String(stand.addRun(repo, { headSha: head }).id);
  const id = (await connect(stand.url, stand.token).describeRepo({ repo }))?.id ?? '';
  return { stand, provider, run, id, before: stand.requests().length };
}

describe('what a question costs', () => {
  test.each(QUESTIONS)('%s: one call, and nothing of the budget when it is asked again', async (_, ask) => {
    const { stand, provider, run, id, before } = await startFacts();
    const answer = await ask(provider, run, id);
    expect(answer).toBeDefined();
    expect(stand.costs(before)).toMatchObject({ calls: 1, notModified: 0 });
    expect(await ask(provider, run, id)).toEqual(answer);
    expect(stand.costs(before)).toMatchObject({ calls: 2, notModified: 1 });
  });

  test('merge base and files of one range are one answer', async () => {
    const { stand, provider, before } = await startFacts();
    await provider.findMergeBase(range);
    await provider.compareFiles(range);
    expect(stand.costs(before)).toMatchObject({ calls: 2, notModified: 1 });
    expect([...stand.costs(before).byPlace]).toEqual([['GET /repos/{}/{}/compare/{}', 2]]);
  });

  test('a changed answer is seen, and another provider has its own memory', async () => {
    const { stand, provider, before } = await startFacts();
    const ask = (by = provider) => by.describePullRequest({ repo, pullRequest: 7 });
    expect(await ask()).toMatchObject({ headCommit: head });
    stand.addPullRequest(repo, { number: 7, headSha: merge, baseRef: 'main' });
    expect(await ask()).toMatchObject({ headCommit: merge });
    expect(await ask(connect(stand.url, stand.token))).toMatchObject({ headCommit: merge });
    expect(stand.costs(before)).toMatchObject({ calls: 3, notModified: 0 });
  });

  test('statuses and comments are always read again', async () => {
    const { stand, provider, before } = await startFacts();
    for (let i = 0; i < 2; i += 1) await provider.readStatus({ repo, commit: head, context: 'coverage' });
    for (let i = 0; i < 2; i += 1) await provider.findComment({ repo, pullRequest: 7, marker: 'x' });
    expect(stand.costs(before)).toMatchObject({ calls: 5, notModified: 0 });
  });

  test('an old name costs a second call', async () => {
    const { stand, provider, before } = await startFacts();
    stand.renameRepo(repo, 'acme/store');
    expect(await provider.describeRepo({ repo })).toMatchObject({ name: 'acme/store' });
    expect(stand.requests().slice(before)).toMatchObject([{ status: 301 }, { status: 200 }]);
    expect(await provider.describeRepo({ repo })).toMatchObject({ name: 'acme/store' });
    expect(stand.costs(before)).toMatchObject({ calls: 4, notModified: 1 });
  });

  test('files beyond 300 cost one call for each hundred', async () => {
    const { stand, provider, before } = await startFacts();
    const files = Array.from({ length: 640 }, (_, i) => ({
      filename: `file-${i}`,
      status: 'added' as const,
      additions: 1,
      deletions: 0,
    }));
    stand.addPullRequest(repo, { number: 7, headSha: head, baseSha: base, baseRef: 'main', files });
    expect(await provider.compareFiles({ ...range, pullRequest: 7 })).toMatchObject({
      complete: true,
      files: { length: 640 },
    });
    expect(stand.costs(before).calls).toBe(8);
  });
});

describe('first parents', () => {
  /**
   * `steps` merges into main; each brings a branch of `width` commits, made before the merge. Answers main, newest
   * first.
   */
  function addMerges(stand: GithubStandIn, steps: number, width: number): readonly string[] {
    let count = 0;
    const add = (...parents: readonly string[]): string => {
      count += 1;
      return stand.addCommit(repo, { sha: shaOf(count), parents, date: dateOf(count), branch: 'main' }).sha;
    };
    const main = [add()];
    for (let step = 0; step < steps; step += 1) {
      let side = main[0] as string;
      for (let i = 0; i < width; i += 1) side = add(side);
      main.unshift(add(main[0] as string, side));
    }
    return main;
  }
  const ask = (provider: Provider, commit: string) => provider.listFirstParents({ repo, commit, limit: 100 });

  test('of small merged branches take few calls', async () => {
    const { stand, provider } = await start();
    const main = addMerges(stand, 120, 2);
    const found = await ask(provider, main[0] ?? '');
    expect(found).toEqual({ commits: main.slice(1, 1 + (found?.commits.length ?? 0)), end: 'cut' });
    expect(found?.commits.length).toBeGreaterThanOrEqual(60);
    expect(stand.requests()).toHaveLength(2);
  });

  test('are cut where merged branches are long: after two calls', async () => {
    const { stand, provider } = await start();
    const main = addMerges(stand, 60, 40);
    const found = await ask(provider, main[0] ?? '');
    expect(found?.end).toBe('cut');
    expect(found?.commits.length).toBeGreaterThanOrEqual(2);
    expect(found?.commits).toEqual(main.slice(1, 1 + (found?.commits.length ?? 0)));
    expect(stand.requests()).toHaveLength(2);
  });

  test('are found though a clock was wrong, and parents look newer than their children', async () => {
    const { stand, provider } = await start();
    const line: string[] = [];
    for (let i = 1; i <= 150; i += 1) {
      const parents = line.slice(0, 1);
      line.unshift(stand.addCommit(repo, { sha: shaOf(i), parents, date: dateOf((i * 7_919) % 150) }).sha);
    }
    expect(await ask(provider, line[0] ?? '')).toEqual({ commits: line.slice(1, 101), end: 'limit' });
  });

  test('of an empty repo are a definite answer: there are none', async () => {
    const { stand, provider } = await start();
    stand.addRepo('acme/empty');
    expect(await provider.listFirstParents({ repo: 'acme/empty', commit: head, limit: 1 })).toBeUndefined();
  });
});

describe('failures', () => {
  test.each(QUESTIONS)(
    '%s: 404, 410 and 422 are answers; 401 and a plain 403 are failures for good',
    async (_, ask) => {
      const { stand, provider, run, id, before } = await startFacts();
      for (const status of [404, 410, 422]) {
        stand.faults.next(1, { kind: 'status', status });
        expect(await ask(provider, run, id)).toBeUndefined();
      }
      for (const status of [401, 403]) {
        stand.faults.next(1, { kind: 'status', status });
        expect(await failureOf(ask(provider, run, id))).toMatchObject({ kind: 'permanent', status });
      }
      expect(stand.costs(before).calls).toBe(5);
    },
  );

  test.each(QUESTIONS)('%s: 500, 502 and a cut connection are tried again, then transient', async (_, ask) => {
    const { stand, provider, run, id, before } = await startFacts();
    stand.faults.next(1, { kind: 'status', status: 500 });
    stand.faults.next(1, { kind: 'drop', takesEffect: true });
    expect(await ask(provider, run, id)).toBeDefined();
    stand.faults.when(() => ({ kind: 'status', status: 502 }));
    expect(await failureOf(ask(provider, run, id))).toMatchObject({ kind: 'transient', status: 502 });
    expect(stand.costs(before).calls).toBe(6);
  });

  test.each(QUESTIONS)('%s: limits are obeyed', async (_, ask) => {
    const { stand, provider, run, id, before } = await startFacts();
    stand.faults.next(1, { kind: 'secondary-limit', status: 429, retryAfterSeconds: 30 });
    expect(await failureOf(ask(provider, run, id))).toMatchObject({ kind: 'limited', retryAt: START + 30_000 });
    expect(await failureOf(ask(provider, run, id))).toMatchObject({ kind: 'limited' });
    pass(30_000);
    expect(await ask(provider, run, id)).toBeDefined();
    expect(stand.costs(before).calls).toBe(2);
  });

  test.each(QUESTIONS)('%s: ends when the time of a call is over', async (_, ask) => {
    const { stand, provider, run, id } = await startFacts({ callTimeLimit: 150 });
    stand.faults.when(() => ({ kind: 'hang' }));
    const failure = await failureOf(ask(provider, run, id));
    expect(failure).toMatchObject({ kind: 'transient', message: expect.stringContaining('within 0.15 s') });
  });

  test.each([
    ['null', 'null'],
    ['nothing', '{}'],
    ['a list of something', '[{"sha": 5}]'],
    ['another shape', '{"head": 5, "files": [5], "merge_base_commit": {"sha": ""}, "id": "x", "private": "no"}'],
    ['a page of a proxy', '<html>'],
  ])('%s instead of an answer is a failure, no crash', async (_, text) => {
    const provider = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', etag: '"same"' }).end(text);
    });
    for (const [, ask] of QUESTIONS)
      expect(await failureOf(ask(provider, '7', '7'))).toMatchObject({ kind: 'transient' });
  });

  test('a file, a commit or a pull request that is only half there is no answer', async () => {
    const answers: readonly unknown[] = [
      { files: [{ filename: 'a.js', status: 'vanished' }] },
      { merge_base_commit: { sha: base }, ahead_by: -1, behind_by: 0 },
      { parents: [], message: 'x' },
      { head: { sha: head, ref: 'x' }, base: { sha: base, ref: 'main' }, state: 'limbo' },
    ];
    let answer: unknown;
    const provider = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    for (answer of answers) {
      for (const name of ['describePullRequest', 'describeCommit', 'findMergeBase', 'compareFiles']) {
        const ask = QUESTIONS.find(([one]) => one === name)?.[1];
        expect(await failureOf(ask?.(provider, '7', '7') ?? Promise.resolve())).toMatchObject({ kind: 'transient' });
      }
    }
  });

  test('check runs with a plain token say what is missing', async () => {
    const { provider } = await start();
    const call = { repo, commit: head, name: 'coverage', detailsUrl: 'https://c.example/1', title: 'x', summary: 'y' };
    const asked = (provider as Provider & CheckRuns).createCheckRun({
      ...call,
      conclusion: 'success',
      annotations: [],
    });
    expect((await failureOf(asked)).message).toBe(
      'GitHub answered 403 ("You must authenticate via a GitHub App.") when asked to create a check run: ' +
        'only a GitHub App may do that, and GITHUB_TOKEN is no App’s token.',
    );
  });
});

test('the head of a deleted fork is a fork’s', async () => {
  const provider = await serve((_request, response) => {
    const head_ = { sha: head, ref: 'fix', repo: null };
    const answer = { head: head_, base: { sha: base, ref: 'main', repo: { id: 5 } }, state: 'open', merged: false };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toMatchObject({ fromFork: true });
});
