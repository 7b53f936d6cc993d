import { expect, test } from 'vitest';
import { type CiFacts, statedFacts } from '../context/ci/ci-facts.ts';
import { describeEvent } from '../context/event.ts';
import type { LocalCheckout } from './local-checkout.ts';
import { knowsBase, runnerOf } from './runner-of-ci.ts';

const SHA = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);
const BASE = 'c'.repeat(40);

const checkout = (changes: Partial<LocalCheckout> = {}): LocalCheckout => ({
  root: '/shop',
  bounds: '/shop',
  headSha: SHA,
  branch: undefined,
  remoteSha: () => undefined,
  branchSha: () => undefined,
  ...changes,
});
const runOf = (ofCi: CiFacts) => ({ ci: undefined, ofCi, stated: statedFacts({}), facts: ofCi });
const factsOf = (ofCi: CiFacts, at = checkout()) => describeEvent(runnerOf(runOf(ofCi), at));

test('a push is of the branch and the commit that the CI names, else of what is checked out', () => {
  expect(factsOf({ branch: 'main', sha: SHA })).toMatchObject({ headSha: SHA, branch: 'main', pullRequest: '' });
  const local = checkout({ branch: 'topic' });
  expect(factsOf({}, local)).toMatchObject({ headSha: SHA, branch: 'topic', pullRequest: '', testsMerge: false });
});

test('a pull request is of its head, also where a merge was tested', () => {
  const pull: CiFacts = { pullRequest: '7', branch: 'coupons', sha: SHA, baseBranch: 'main', baseSha: BASE };
  expect(factsOf(pull)).toMatchObject({
    headSha: SHA,
    branch: 'coupons',
    pullRequest: '7',
    baseBranch: 'main',
    baseSha: BASE,
    testsMerge: false,
  });
  expect(factsOf({ ...pull, headSha: HEAD })).toMatchObject({ headSha: HEAD, testsMerge: true });
});

test('the base commit is taken from the clone where the CI names only a branch', () => {
  const pull: CiFacts = { pullRequest: '7', branch: 'coupons', sha: SHA, baseBranch: 'main' };
  const fetched = checkout({ remoteSha: (branch) => (branch === 'main' ? BASE : undefined) });
  expect(factsOf(pull, fetched)).toMatchObject({ baseSha: BASE });
  expect(knowsBase(runOf(pull), fetched)).toBe(true);
});

test('without a base commit a pull request of several commits has no change that is known', () => {
  const pull: CiFacts = { pullRequest: '7', branch: 'coupons', sha: SHA, baseBranch: 'main' };
  expect(knowsBase(runOf(pull), checkout())).toBe(false);
  expect(knowsBase(runOf({ ...pull, headSha: HEAD }), checkout())).toBe(true);
  expect(knowsBase(runOf({ ...pull, headSha: HEAD }), checkout({ headSha: HEAD }))).toBe(false);
  expect(knowsBase(runOf({ sha: SHA }), checkout())).toBe(true);
});
