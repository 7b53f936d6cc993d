import type { EventRepo } from '../../ports/provider-events.ts';
import type { RecogniseDeps, Recognised } from './recognise-repo.ts';

const REMOVED = 'It was deleted at GitHub.';

/** A repo that GitHub has no more is suspended: what is stored stays, and is removed by whoever may. */
export type SuspendRemoved = (gone: EventRepo) => Promise<Recognised>;

export function createSuspendRemoved(deps: RecogniseDeps): SuspendRemoved {
  const { repos, clock } = deps;
  return async ({ id, name, described }) => {
    const named = async () => {
      const repo = await repos.findByName('github', name);
      return repo?.providerId === undefined ? repo : undefined;
    };
    const repo = (await repos.findByProviderId('github', id)) ?? (await named());
    if (repo === undefined || repo.suspended === REMOVED) return { repo, effects: [] };
    const at = clock.now();
    // As if GitHub had changed it now: an event from before, that comes late, does not bring it back.
    const seen = described && {
      defaultBranch: described.defaultBranch,
      visibility: described.visibility,
      at,
      changedAt: at,
    };
    const followed = await repos.follow({
      repoId: repo.id,
      providerId: id,
      suspended: REMOVED,
      ...(seen && { seen }),
      at,
    });
    return {
      repo: typeof followed === 'object' ? followed : undefined,
      effects: ['the repo is suspended, since it was deleted'],
    };
  };
}
