import { completeChange, effectiveSettings } from '../domain/repo/effective-settings.ts';
import type { RepoSettings } from '../domain/repo/repo.ts';
import type { Clock } from '../ports/clock.ts';
import type { RepoStore } from '../ports/store.ts';
import { findAdministeredRepo, type RepoRequest } from './find-administered-repo.ts';
import type { ShownSettings, ShowSettingsDeps } from './show-settings.ts';
import { createUpdateRepo } from './update-repo.ts';

export interface UpdateSettingsDeps extends ShowSettingsDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'update'>;
  readonly clock: Clock;
}

export type UpdateSettings = (request: RepoRequest & { readonly settings: Partial<RepoSettings> }) => Promise<ShownSettings>;

/** Changes the settings that are given, nothing else, and remembers the status names that a change replaces. */
export function createUpdateSettings(deps: UpdateSettingsDeps): UpdateSettings {
  const { repos, clock, requireSignIn } = deps;
  const updateRepo = createUpdateRepo(deps);
  return async ({ settings, ...request }) => {
    const before = await findAdministeredRepo(repos, request);
    const change = completeChange(before.settings, settings, clock.now());
    const repo = await updateRepo({ ...request, settings: change });
    return { repo, effective: effectiveSettings(repo, { requireSignIn }) };
  };
}
