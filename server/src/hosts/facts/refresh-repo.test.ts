import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../../test/support/build-history.ts';
import { followProvider, type Repo } from '../../core/repo/repo.ts';
import { systemTimers } from '../../platform/timers/system-timers.ts';
import type { RepoFacts } from '../../ports/provider-facts.ts';
import type { Answer } from './ask-provider.ts';
import { createDeadline } from './deadline.ts';
import { refreshRepo } from './refresh-repo.ts';

const NOW = 10_000_000;
const FACTS: RepoFacts = {
  id: '4711',
  name: 'acme/app',
  defaultBranch: 'trunk',
  visibility: 'public',
  parent: undefined,
};
const SEEN = { defaultBranch: 'trunk', visibility: 'public', at: NOW } as const;

async function see(repo: Repo, answer: Answer<RepoFacts>, taken: readonly string[] = []) {
  let asked = 0;
  const services: Parameters<typeof refreshRepo>[0] = {
    repos: {
      follow: async (change) =>
        change.name !== undefined && taken.includes(change.name) ? 'name-taken' : followProvider(repo, change),
    },
    askProvider: async <T>() => {
      asked += 1;
      return answer as Answer<T>;
    },
    clock: { now: () => NOW },
  };
  return { ...(await refreshRepo(services, { repo, deadline: createDeadline(systemTimers, 1_000) })), asked };
}

describe('a repo as its provider sees it', () => {
  test('gets its default branch, visibility and id', async () => {
    const seen = await see(aRepo(), { kind: 'answer', value: FACTS });
    expect(seen).toMatchObject({ repo: { providerId: '4711', seen: SEEN }, unavailable: false });
  });

  test('is asked for once an hour', async () => {
    expect(await see(aRepo({ seen: { ...SEEN, at: NOW - 59 * 60_000 } }), { kind: 'unavailable' })).toMatchObject({
      asked: 0,
      unavailable: false,
    });
    expect(await see(aRepo({ seen: { ...SEEN, at: NOW - 61 * 60_000 } }), { kind: 'unavailable' })).toMatchObject({
      asked: 1,
      unavailable: false,
    });
  });

  test('follows a new name, unless another repo here has it', async () => {
    const renamed = { ...FACTS, name: 'acme/next' };
    expect((await see(aRepo(), { kind: 'answer', value: renamed })).repo.name).toBe('acme/next');
    const kept = await see(aRepo(), { kind: 'answer', value: renamed }, ['acme/next']);
    expect(kept.repo).toMatchObject({ name: 'acme/app', providerId: '4711', seen: SEEN });
  });

  test('rule 28: is suspended where the name means another repo now', async () => {
    const { repo } = await see(aRepo({ providerId: '1' }), { kind: 'answer', value: FACTS });
    expect(repo.suspended).toMatch(/now belongs to another repo .* \(id 4711, not 1\)/);
    expect(repo.seen).toBeUndefined();
  });

  test.each<[string, Repo, boolean]>([
    ['never known', aRepo(), true],
    ['known before', aRepo({ seen: { ...SEEN, at: 1 } }), false],
    ['set', aRepo({ settings: { ...aRepo().settings, defaultBranch: 'main' } }), false],
  ])('no answer lacks only where the default branch was %s', async (_, repo, unavailable) => {
    expect(await see(repo, { kind: 'unavailable' })).toMatchObject({ repo, unavailable });
  });

  test('a repo that the provider does not know stays as it is', async () => {
    expect(await see(aRepo(), { kind: 'answer', value: undefined })).toMatchObject({
      repo: aRepo(),
      unavailable: false,
    });
  });
});
