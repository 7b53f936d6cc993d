import { completeChange, effectiveSettings } from '../domain/repo/effective-settings.ts';
import type { RepoSettings } from '../domain/repo/repo.ts';
import type { BuildStore } from '../ports/build-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { RepoStore } from '../ports/store.ts';
import { findAdministeredRepo, type RepoRequest } from './find-administered-repo.ts';
import type { ShownSettings, ShowSettingsDeps } from './show-settings.ts';
import { createUpdateRepo } from './update-repo.ts';

export interface UpdateSettingsDeps extends ShowSettingsDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'update'>;
  readonly builds: Pick<BuildStore, 'list' | 'revise'>;
  readonly clock: Clock;
  readonly onDue: () => void;
}

/** Pull requests whose newest build is among so many of the repo's newest get new names at once; others with their next build. */
const RECENT = 200;

export type UpdateSettings = (request: RepoRequest & { readonly settings: Partial<RepoSettings> }) => Promise<ShownSettings>;

/** Changes the settings that are given, nothing else, and remembers the status names that a change replaces. */
export function createUpdateSettings(deps: UpdateSettingsDeps): UpdateSettings {
  const { repos, clock, requireSignIn } = deps;
  const updateRepo = createUpdateRepo(deps);
  return async ({ settings, ...request }) => {
    const before = await findAdministeredRepo(repos, request);
    const change = completeChange(before.settings, settings, clock.now());
    const repo = await updateRepo({ ...request, settings: change });
    if (change.formerStatusNames !== undefined) await nameAnew(deps, repo.id);
    return { repo, effective: effectiveSettings(repo, { requireSignIn }) };
  };
}

/** Open pull requests may be protected by the new names from now on: their newest builds say their verdict under these too. */
async function nameAnew({ builds, clock, onDue }: UpdateSettingsDeps, repoId: number): Promise<void> {
  const page = await builds.list({ repoId, branch: undefined, offset: 0, limit: RECENT });
  const ofPulls = page.builds.filter(({ pullRequest, facts }) => pullRequest !== undefined && facts?.pull?.state !== 'closed');
  const newest = [...Map.groupBy(ofPulls, ({ pullRequest }) => pullRequest).values()].flatMap((list) => list.slice(0, 1));
  for (const { id } of newest) await builds.revise({ buildId: id, revision: { kind: 'revisit', at: clock.now() } });
  onDue();
}
