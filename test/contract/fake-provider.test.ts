import { expect, test } from 'vitest';
import { ProviderFailure } from '../../server/src/ports/provider.ts';
import { createFakeHost } from '../support/fake-provider/fake-host.ts';
import { type CallFate, createFaultyHost } from '../support/faulty-provider.ts';
import { failureOf } from './provider/scene.ts';

const repo = 'acme/shop';
const commit = 'a'.repeat(40);

function startFake() {
  const host = createFakeHost();
  host.addRepo(repo);
  host.addCommit(repo, { sha: commit, message: 'Add prices' });
  return host;
}

test('a host in memory records what it was asked, and fails where the test says so', async () => {
  const host = startFake();
  const remove = host.when(({ operation }) =>
    operation === 'describeCommit' ? new ProviderFailure('transient', 'away') : undefined,
  );
  expect(await failureOf(host.provider.describeCommit({ repo, commit }))).toMatchObject({ kind: 'transient' });
  expect(await host.provider.describeRepo({ repo })).toMatchObject({ name: repo });
  remove();
  expect(await host.provider.describeCommit({ repo, commit })).toMatchObject({ message: 'Add prices' });
  expect(host.calls()).toEqual([
    { operation: 'describeCommit', call: { repo, commit } },
    { operation: 'describeRepo', call: { repo } },
    { operation: 'describeCommit', call: { repo, commit } },
  ]);
});

test('a faulty host answers questions under the fates of its calls; a lost answer is no uncertainty', async () => {
  const fates: CallFate[] = [
    { kind: 'fine' },
    { kind: 'transient' },
    { kind: 'uncertain', effect: true },
    { kind: 'limited', wait: 5 },
  ];
  const host = createFaultyHost({
    now: () => 100,
    nextFate: () => fates.shift() ?? { kind: 'fine' },
    facts: startFake().provider,
  });
  const provider = host.connect({ isAlive: () => true, die: () => {} });
  const ask = () => provider.describeCommit({ repo, commit });
  expect(await ask()).toMatchObject({ message: 'Add prices' });
  expect(await failureOf(ask())).toMatchObject({ kind: 'transient' });
  expect(await failureOf(ask())).toMatchObject({ kind: 'transient' });
  expect(await failureOf(ask())).toMatchObject({ kind: 'limited', retryAt: 105 });
  expect(await ask()).toBeDefined();
});

test('a faulty host without facts answers every question with a definite no, and takes no fate for it', async () => {
  const nextFate = (): CallFate => {
    throw new Error('a fate was taken');
  };
  const provider = createFaultyHost({ now: () => 0, nextFate }).connect({ isAlive: () => true, die: () => {} });
  expect(await provider.describeCommit({ repo, commit })).toBeUndefined();
  expect(await provider.findMergeBase({ repo, base: commit, head: commit })).toBeUndefined();
});
