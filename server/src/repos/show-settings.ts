import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { type EffectiveSettings, effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoStore } from '../storage/store.ts';

export interface ShowSettingsDeps {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly knowAccess: KnowAccess;
  /** REQUIRE_SIGN_IN: then a provider's word opens no repo (rule 30). */
  readonly requireSignIn: boolean;
}

export interface ShownSettings {
  readonly repo: Repo;
  /** What it goes by where its settings leave it open. */
  readonly effective: EffectiveSettings;
}

export type ShowSettings = (request: RepoRequest) => Promise<ShownSettings>;

/** A repo's settings, for whoever may change them. */
export function createShowSettings(deps: ShowSettingsDeps): ShowSettings {
  const { requireSignIn } = deps;
  return async (request) => {
    const repo = await findAdministeredRepo(deps, request);
    return { repo, effective: effectiveSettings(repo, { requireSignIn }) };
  };
}
