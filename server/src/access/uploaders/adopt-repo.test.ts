import { expect, test } from 'vitest';
import { readAllowedOwner } from '../../core/repo/allowed-owners.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { DEFAULT_REPO_SETTINGS } from '../../core/repo/settings.ts';
import type { Services } from '../../services/services.ts';
import type { NewRepo } from '../../storage/store.ts';
import { adoptRepo } from './adopt-repo.ts';

const seen = { service: 'github', name: 'acme/shop', providerId: '7' } as const;

/** A store in which somebody else's repo of that name may stand. */
function scene(taken?: Repo) {
  const made: NewRepo[] = [];
  const asRepo = ({ token, at, ...rest }: NewRepo): Repo => ({
    id: 1,
    suspended: undefined,
    providerId: undefined,
    createdAt: at,
    updatedAt: at,
    ...rest,
  });
  const services = {
    repos: {
      create: async (repo: NewRepo) => {
        if (taken !== undefined) return undefined;
        made.push(repo);
        return asRepo(repo);
      },
      findByName: async () => taken,
    },
    secrets: {
      newRepoToken: () => 'cvr_new',
      seal: (token: string) => ({ lookup: `lookup ${token}`, sealed: `sealed ${token}` }),
    },
    clock: { now: () => 5 },
    config: { allowedOwners: [readAllowedOwner('acme')], defaultRepoSettings: { minimum: 80 } },
  } as unknown as Services;
  return { made, adopt: (repo: Parameters<typeof adoptRepo>[1]) => adoptRepo(services, repo) };
}

test("a repo is made with a token of its own, bound to the provider's id", async () => {
  const { made, adopt } = scene();
  expect(await adopt(seen)).toMatchObject({ ...seen, owner: '(provider)', createdAt: 5 });
  expect(made).toEqual([
    {
      ...seen,
      owner: '(provider)',
      settings: { ...DEFAULT_REPO_SETTINGS, minimum: 80 },
      token: { lookup: 'lookup cvr_new', sealed: 'sealed cvr_new', expiresAt: undefined },
      at: 5,
    },
  ]);
});

test('a repo that somebody made in the same moment is taken as it is', async () => {
  const { adopt: first } = scene();
  const taken = await first(seen);
  const { made, adopt } = scene(taken);
  expect(await adopt(seen)).toBe(taken);
  expect(made).toEqual([]);
});

test('under another owner nothing is made', async () => {
  const { made, adopt } = scene();
  expect(await adopt({ ...seen, name: 'other/shop' })).toBeUndefined();
  expect(made).toEqual([]);
});
