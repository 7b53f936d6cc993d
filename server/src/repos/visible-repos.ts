import { effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoStore, Store } from '../storage/store.ts';

/**
 * The store as readers of pages, numbers and badges see it: a repo whose visibility nobody has set has its provider's,
 * where REQUIRE_SIGN_IN is off (rule 30). Asked at each read, so that the switch counts at once.
 */
export function withVisibility<S extends Pick<Store, 'repos'>>(
  store: S,
  policy: { readonly requireSignIn: boolean },
): S {
  const { repos } = store;
  const see = (repo: Repo): Repo => {
    const { visibility } = effectiveSettings(repo, policy);
    return { ...repo, settings: { ...repo.settings, visibility } };
  };
  const seen: Pick<RepoStore, 'find' | 'findByName' | 'list'> = {
    find: async (id) => optional(await repos.find(id), see),
    list: async (part) => (await repos.list(part)).map(see),
    findByName: async (service, name) => optional(await repos.findByName(service, name), see),
  };
  return { ...store, repos: { ...repos, ...seen } };
}

function optional(repo: Repo | undefined, change: (repo: Repo) => Repo): Repo | undefined {
  return repo && change(repo);
}
