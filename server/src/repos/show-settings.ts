import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { type EffectiveSettings, effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

export interface ShownSettings {
  readonly repo: Repo;
  /** What it goes by where its settings leave it open. */
  readonly effective: EffectiveSettings;
}

/** A repo's settings, for anybody who may change them. */
export async function showSettings(
  services: Pick<Services, 'config' | 'resolveAccess' | 'repos'>,
  request: RepoRequest,
): Promise<ShownSettings> {
  const { config } = services;
  const repo = await findAdministeredRepo(services, request);
  return { repo, effective: effectiveSettings(repo, config) };
}
