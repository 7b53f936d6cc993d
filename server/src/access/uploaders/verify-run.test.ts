import { expect, test } from 'vitest';
import { GITHUB as host } from '../../../../test/support/hosts.ts';
import type { TokenView } from '../../ports/provider.ts';
import type { RunFacts } from '../../ports/provider-facts.ts';
import { createVerifyRun } from './verify-run.ts';

const head = 'a'.repeat(40);
const merge = 'c'.repeat(40);
const repo = { id: '7', name: 'acme/shop', mayPush: false };
const run: RunFacts = {
  id: '123',
  number: '88',
  repoId: '7',
  headRepoId: '7',
  headCommit: head,
  event: 'pull_request',
  actor: 'mona',
  ended: false,
  attempt: 1,
  headBranch: 'prices',
  endedAt: undefined,
  awaitsApproval: false,
  conclusion: undefined,
  pullRequests: [],
};

const VOUCHED = { id: '123', number: '88', headCommit: head };

/** A host with one run, which says what it was asked. */
function scene(change: Partial<RunFacts> = {}) {
  const asked: string[] = [];
  const time = { now: 1_000_000 };
  const state = { run: { ...run, ...change } };
  const view: TokenView = {
    readRepo: () => Promise.reject(new Error('not asked here')),
    findInstalled: () => Promise.reject(new Error('not asked here')),
    describePullRequest: () => Promise.reject(new Error('not asked here')),
    async readRun(call) {
      asked.push(`run ${call.run}`);
      return call.run === state.run.id ? state.run : undefined;
    },
    async describeCommit({ commit }) {
      asked.push(`commit ${commit[0]}`);
      return { parents: commit === merge ? ['b'.repeat(40), head] : [head], message: '', tree: '' };
    },
  };
  return { asked, time, state, view, verify: createVerifyRun({ clock: { now: () => time.now } }) };
}

test('what vouched is remembered for a minute: for the same repo, run and commits', async () => {
  const { asked, time, state, view, verify } = scene();
  const claim = { host, repo, runs: ['test', '123'], commits: [merge] };
  expect(await verify(view, claim)).toEqual(VOUCHED);
  expect(asked).toEqual(['run 123', 'commit c']);
  time.now += 59_999;
  expect(await verify(view, claim)).toEqual(VOUCHED);
  expect(asked).toHaveLength(2);
  state.run = { ...run, ended: true };
  expect(await verify(view, { ...claim, commits: [head] })).toMatchObject({
    found: expect.stringContaining('has ended'),
  });
  expect(await verify(view, { ...claim, commits: undefined })).toMatchObject({
    found: expect.stringContaining('has ended'),
  });
  expect(await verify(view, { ...claim, repo: { ...repo, id: '8' } })).toMatchObject({
    found: expect.stringContaining('another repo'),
  });
  time.now += 1;
  expect(await verify(view, claim)).toMatchObject({ found: expect.stringContaining('has ended') });
});

test('what did not vouch is asked again', async () => {
  const { asked, view, verify } = scene({ headRepoId: '9' });
  for (let i = 0; i < 2; i += 1)
    expect(await verify(view, { host, repo, runs: ['123'], commits: [head] })).toHaveProperty('found');
  expect(asked).toEqual(['run 123', 'run 123']);
});

test('little is asked: two runs, and one commit where one can be the merge commit', async () => {
  const { asked, view, verify } = scene();
  await verify(view, { host, repo, runs: ['1', '2', '123'], commits: [head] });
  expect(asked).toEqual(['run 1', 'run 2']);
  asked.length = 0;
  expect(await verify(view, { host, repo, runs: ['123'], commits: [merge, 'd'.repeat(40)] })).toHaveProperty('found');
  expect(await verify(view, { host, repo, runs: ['123'], commits: [] })).toHaveProperty('found');
  expect(await verify(view, { host, repo, runs: [], commits: [head] })).toHaveProperty('found');
  expect(asked).toEqual(['run 123', 'run 123']);
  const push = scene({ event: 'push' });
  expect(await push.verify(push.view, { host, repo, runs: ['123'], commits: [merge] })).toHaveProperty('found');
  expect(push.asked).toEqual(['run 123']);
});

test('only so much is remembered', async () => {
  const { asked, view, verify } = scene();
  const claim = (n: number) => ({ host, repo, runs: ['123'], commits: Array.from({ length: n }, () => head) });
  for (let n = 1; n <= 1_001; n += 1) await verify(view, claim(n));
  asked.length = 0;
  await verify(view, claim(1_001));
  await verify(view, claim(2));
  expect(asked).toEqual([]);
  await verify(view, claim(1));
  expect(asked).toEqual(['run 123']);
});
