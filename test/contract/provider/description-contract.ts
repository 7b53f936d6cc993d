import { describe, expect, test } from 'vitest';
import {
  type Able,
  createScenes,
  failureOf,
  HOSTILE_COMMITS,
  hostileRepos,
  type OpenScene,
  ofNoRepo,
  repo,
  shaOf,
} from './scene.ts';

const [base, head, merge] = ['base', 'head', 'merge'].map(shaOf) as [string, string, string];

const OPENED = '2026-01-02T03:04:05Z';

/** Pull requests, commits, repos and runs, each as it is now. */
export function describeDescriptions(open: OpenScene, able: Able): void {
  const start = createScenes(open);

  describe('pull requests', () => {
    test('open, with and without a temporary merge commit', async () => {
      const { host, provider } = await start();
      host.addCommit(repo, { sha: base, branch: 'release/1.x' });
      host.addPullRequest(repo, {
        number: 7,
        headSha: head,
        headRef: 'fix/a#b',
        baseRef: 'release/1.x',
        mergeCommitSha: merge,
        openedAt: OPENED,
      });
      const facts = {
        headCommit: head,
        headBranch: 'fix/a#b',
        baseBranch: 'release/1.x',
        baseCommit: base,
        mergeCommit: able.mergeCommits ? merge : undefined,
        state: 'open',
        title: 'Change 7',
        openedAt: Date.parse(OPENED),
        merged: false,
        landedCommit: undefined,
        headRepoId: (await provider.describeRepo({ repo }))?.id,
        fromFork: false,
      };
      expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toEqual(facts);
      host.addPullRequest(repo, { number: 7, headSha: head, headRef: 'fix/a#b', baseRef: 'release/1.x' });
      expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toEqual({
        ...facts,
        mergeCommit: undefined,
      });
    });

    test('from a branch are listed, whatever became of them', async () => {
      const { host, provider } = await start();
      const change = { headSha: head, headRef: 'fix/a#b', baseRef: 'main' };
      host.addPullRequest(repo, { ...change, number: 1, state: 'closed', merged: true, mergeCommitSha: merge });
      host.addPullRequest(repo, { ...change, number: 2, headRepo: 'mallory/shop', mergeCommitSha: merge });
      host.addPullRequest(repo, { ...change, number: 3, headRepo: 'mallory/shop', headRef: 'other' });
      const from = (headRepo: string) => provider.listPullRequestsFrom({ repo, headRepo, headBranch: 'fix/a#b' });
      const own = { ...(await provider.describePullRequest({ repo, pullRequest: 1 })), number: 1 };
      expect(own).toMatchObject({ merged: true, landedCommit: merge, mergeCommit: undefined });
      expect(await from(repo)).toEqual([own]);
      const forks = await provider.describePullRequest({ repo, pullRequest: 2 });
      expect(await from('mallory/shop')).toEqual([{ ...forks, number: 2 }]);
      expect(await from('eve/shop')).toEqual([]);
    });

    test('that are open are listed, the newest first', async () => {
      const { host, provider } = await start();
      for (let number = 1; number <= 230; number += 1)
        host.addPullRequest(repo, {
          number,
          headSha: head,
          baseRef: 'main',
          ...(number % 50 === 0 ? { state: 'closed' } : {}),
        });
      const open = await provider.listOpenPullRequests({ repo });
      expect(open).toHaveLength(226);
      expect(open?.slice(0, 4)).toEqual([230, 229, 228, 227]);
      expect(open).not.toContain(150);
      expect(await ofNoRepo(provider.listOpenPullRequests({ repo: 'octo/none' }))).toBeUndefined();
    });

    test('closed, merged, and from a fork', async () => {
      const { host, provider } = await start();
      const change = { headSha: head, baseRef: 'main' };
      host.addPullRequest(repo, { ...change, number: 1, state: 'closed' });
      host.addPullRequest(repo, { ...change, number: 2, state: 'closed', merged: true, mergeCommitSha: merge });
      host.addPullRequest(repo, { ...change, number: 3, headRepo: 'mallory/shop' });
      const [closed, merged, forked] = await Promise.all(
        [1, 2, 3].map((pullRequest) => provider.describePullRequest({ repo, pullRequest })),
      );
      expect(closed).toMatchObject({ state: 'closed', merged: false, landedCommit: undefined });
      expect(merged).toMatchObject({ state: 'closed', merged: true, landedCommit: merge, mergeCommit: undefined });
      expect(forked).toMatchObject({ state: 'open', fromFork: true });
      expect(forked?.headRepoId).not.toBe(closed?.headRepoId);
      expect(await provider.describePullRequest({ repo, pullRequest: 4 })).toBeUndefined();
    });
  });

  test('commits: parents in their order, message and tree', async () => {
    const { host, provider } = await start();
    host.addCommit(repo, { sha: base, message: 'Add prices\n\nand more', tree: shaOf('tree') });
    host.addCommit(repo, { sha: merge, parents: [base, head] });
    const described = await provider.describeCommit({ repo, commit: base });
    expect(described).toEqual({
      parents: [],
      message: 'Add prices\n\nand more',
      ...(able.trees && { tree: shaOf('tree') }),
    });
    expect(await provider.describeCommit({ repo, commit: merge })).toMatchObject({ parents: [base, head] });
    for (const commit of [shaOf('unknown'), ...HOSTILE_COMMITS]) {
      expect(await provider.describeCommit({ repo, commit })).toBeUndefined();
    }
  });

  describe('repos', () => {
    test('by name, by id, and by a name that they had', async () => {
      const { host, provider } = await start();
      host.addRepo('mona/shop', { private: true, defaultBranch: 'trunk', parent: repo });
      const facts = await provider.describeRepo({ repo: 'MONA/Shop' });
      const parent = await provider.describeRepo({ repo });
      expect(parent).toMatchObject({ name: repo, defaultBranch: 'main', visibility: 'public', parent: undefined });
      expect(parent?.id).toMatch(able.ids);
      expect(facts).toMatchObject({
        name: 'mona/shop',
        defaultBranch: 'trunk',
        visibility: 'private',
        parent: { id: parent?.id, name: repo },
      });
      host.renameRepo(repo, 'acme-group/store');
      const renamed = await provider.describeRepo({ repo });
      expect(renamed).toEqual({ ...parent, name: 'acme-group/store' });
      expect(await provider.describeRepoById({ id: parent?.id ?? '', name: repo })).toEqual(renamed);
    });

    test('that took the old name of another are themselves', async () => {
      const { host, provider } = await start();
      const before = await provider.describeRepo({ repo });
      host.renameRepo(repo, 'acme/store');
      host.addRepo(repo);
      expect((await provider.describeRepo({ repo }))?.id).not.toBe(before?.id);
      expect(await provider.describeRepoById({ id: before?.id ?? '', name: repo })).toMatchObject({
        name: 'acme/store',
      });
    });

    test('that are not there are a definite answer', async () => {
      const { host, provider } = await start();
      const { id = '' } = (await provider.describeRepo({ repo })) ?? {};
      host.removeRepo(repo);
      expect(await ofNoRepo(provider.describeRepo({ repo }))).toBeUndefined();
      for (const odd of [id, '0', '-1', '1e3', '../user', '', '9'.repeat(30)]) {
        expect(await ofNoRepo(provider.describeRepoById({ id: odd, name: repo }))).toBeUndefined();
      }
    });

    test('keep their old name for all that is asked and said', async () => {
      const { host, provider } = await start();
      host.addCommit(repo, { sha: head, branch: 'main' });
      host.addPullRequest(repo, { number: 7, headSha: head, baseRef: 'main' });
      host.renameRepo(repo, 'acme/store');
      const content = { kind: 'status', state: 'success', description: 'x', targetUrl: 'https://c.example/' } as const;
      await provider.setStatus({ repo, commit: head, context: 'coverage', content });
      await provider.createComment({ repo, pullRequest: 7, body: 'hello' });
      expect(await provider.readStatus({ repo, commit: head, context: 'coverage' })).toMatchObject({
        state: 'success',
      });
      expect(await provider.describePullRequest({ repo, pullRequest: 7 })).toMatchObject({ headCommit: head });
      expect(host.comments('acme/store', 7)).toHaveLength(1);
    });
  });

  test('branches that point to a commit are those of the repo itself', async () => {
    const { host, provider } = await start();
    host.addCommit(repo, { sha: base, branch: 'main' });
    host.addCommit(repo, { sha: base, branch: 'fix/a#b' });
    host.addPullRequest(repo, { number: 3, headSha: head, headRepo: 'mallory/shop', baseRef: 'main' });
    const at = (commit: string) => provider.listBranchesAt({ repo, commit });
    expect(await at(base)).toEqual(['main', 'fix/a#b']);
    expect(await at(head)).toEqual([]);
    for (const commit of [merge, 'main', '../x']) expect(await at(commit)).toBeUndefined();
  });

  describe.runIf(able.runs)('runs', () => {
    test('in progress and ended, with the pull requests that they are of', async () => {
      const { host, provider } = await start();
      host.addPullRequest(repo, { number: 7, headSha: head, headRef: 'prices', baseRef: 'main' });
      host.addPullRequest(repo, { number: 8, headSha: head, headRef: 'prices', baseRef: 'main', state: 'closed' });
      const { id } = host.addRun(repo, { headSha: head, headBranch: 'prices', event: 'pull_request', attempt: 2 });
      const described = await provider.readRun({ repo, run: String(id) });
      const { id: repoId } = (await provider.describeRepo({ repo })) ?? {};
      expect(described).toEqual({
        id: String(id),
        repoId,
        number: '1',
        headRepoId: repoId,
        headRepoName: repo,
        headCommit: head,
        headBranch: 'prices',
        endedAt: undefined,
        awaitsApproval: false,
        event: 'pull_request',
        actor: 'mona',
        attempt: 2,
        ended: false,
        conclusion: undefined,
        pullRequests: [7],
      });
      const forked = host.addRun(repo, { headSha: head, headBranch: 'prices', headRepo: 'mallory/shop' });
      const ofFork = await provider.readRun({ repo, run: String(forked.id) });
      expect(ofFork).toMatchObject({ pullRequests: [] });
      expect(ofFork?.headRepoId).not.toBe(repoId);
    });

    test('of a commit are listed, a fork’s too, newest first', async () => {
      const { host, provider } = await start();
      const own = host.addRun(repo, { headSha: head, headBranch: 'prices' });
      const forked = host.addRun(repo, { headSha: head, headBranch: 'main', headRepo: 'mallory/shop' });
      host.addRun(repo, { headSha: base });
      const { id: repoId } = (await provider.describeRepo({ repo })) ?? {};
      const found = (await provider.listRunsOfCommit({ repo, commit: head })) ?? [];
      expect(found.map(({ id }) => id)).toEqual([String(forked.id), String(own.id)]);
      expect(found.map(({ headRepoId }) => headRepoId === repoId)).toEqual([false, true]);
      for (const commit of [base.replace(/./g, '9'), '1234567', 'main', ''])
        expect(await provider.listRunsOfCommit({ repo, commit })).toEqual([]);
    });

    test('lead to the pull requests from their branch, a fork’s too, newest first', async () => {
      const { host, provider } = await start();
      const ofMallory = { headSha: head, headRef: 'main', headRepo: 'mallory/shop', baseRef: 'main' };
      host.addPullRequest(repo, { number: 7, ...ofMallory, state: 'closed' });
      host.addPullRequest(repo, { number: 8, ...ofMallory });
      host.addPullRequest(repo, { number: 9, ...ofMallory, headRef: 'other' });
      const { id } = host.addRun(repo, { headSha: head, headBranch: 'main', headRepo: 'mallory/shop' });
      const run = await provider.readRun({ repo, run: String(id) });
      const { headRepoId } = run ?? {};
      const one = { headCommit: head, headBranch: 'main', headRepoId };
      const found = await provider.findPullRequestsOfRun({ repo, run: String(id) });
      expect(found).toMatchObject([
        { ...one, number: 8, state: 'open' },
        { ...one, number: 7, state: 'closed' },
      ]);
      for (const unknown of ['12', 'x']) {
        expect(await provider.findPullRequestsOfRun({ repo, run: unknown })).toBeUndefined();
      }
    });

    test.each([
      ['success', 'success'],
      ['neutral', 'success'],
      ['failure', 'failure'],
      ['timed_out', 'failure'],
      ['startup_failure', 'failure'],
      ['cancelled', 'cancelled'],
      ['stale', 'cancelled'],
      ['skipped', 'skipped'],
      ['action_required', 'failure'],
    ] as const)('that ended as %s count as %s', async (conclusion, expected) => {
      const { host, provider } = await start();
      const { id } = host.addRun(repo, { headSha: head, status: 'completed', conclusion, updatedAt: OPENED });
      expect(await provider.readRun({ repo, run: String(id) })).toMatchObject({
        ended: true,
        conclusion: expected,
        endedAt: Date.parse(OPENED),
        awaitsApproval: conclusion === 'action_required',
      });
    });

    test('are listed, with all that are in progress', async () => {
      const { host, provider } = await start();
      const old = host.addRun(repo, { headSha: head });
      expect(await provider.listRuns({ repo })).toHaveLength(1);
      for (let count = 0; count < 60; count += 1) host.addRun(repo, { headSha: head, status: 'completed' });
      const newest = host.addRun(repo, { headSha: head, status: 'waiting' });
      const listed = (await provider.listRuns({ repo })) ?? [];
      const has = ({ id }: { readonly id: number }): boolean => listed.some((run) => run.id === String(id));
      expect([has(old), has(newest)]).toEqual([true, true]);
      const alone = await provider.readRun({ repo, run: String(old.id) });
      expect(listed.find(({ id }) => id === String(old.id))).toEqual({ ...alone, pullRequests: [] });
    });

    test('that are not there, or no ids, are a definite answer', async () => {
      const { provider } = await start();
      for (const run of ['12', '', 'build', '../1', '1?x', '0x10', '9'.repeat(30)]) {
        expect(await provider.readRun({ repo, run })).toBeUndefined();
      }
    });
  });

  test.each(hostileRepos(able))('nothing is asked about %j', async (name) => {
    const { provider } = await start();
    const range = { repo: name, base, head };
    for (const call of [
      provider.describePullRequest({ repo: name, pullRequest: 7 }),
      provider.describeCommit({ repo: name, commit: head }),
      provider.describeRepo({ repo: name }),
      provider.readRun({ repo: name, run: '7' }),
      provider.listRunsOfCommit({ repo: name, commit: head }),
      provider.findPullRequestsOfRun({ repo: name, run: '7' }),
      provider.findMergeBase(range),
      provider.compareFiles(range),
      provider.listFirstParents({ repo: name, commit: head, limit: 10 }),
    ])
      expect(await failureOf(call)).toMatchObject({ kind: 'permanent', status: undefined });
  });
}
