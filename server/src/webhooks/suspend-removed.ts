import type { Host } from '../ports/host.ts';
import type { EventRepo } from '../ports/provider-events.ts';
import type { Services } from '../services/services.ts';
import type { Recognized } from './recognize-repo.ts';

/** A repo that its host has no more is suspended: what is stored stays, and can be removed by its administrators. */
export async function suspendRemoved(
  { repos, clock }: Pick<Services, 'repos' | 'clock'>,
  { service, name: hostName }: Host,
  { id, name, described }: EventRepo,
): Promise<Recognized> {
  const removed = `It was deleted at ${hostName}.`;
  const named = async () => {
    const repo = await repos.findByName(service, name);
    return repo?.providerId === undefined ? repo : undefined;
  };
  const repo = (await repos.findByProviderId(service, id)) ?? (await named());
  if (repo === undefined || repo.suspended === removed) return { repo, effects: [] };
  const at = clock.now();
  // As if the host had changed it now: an event from before, that comes late, does not bring it back.
  const seen = described && {
    defaultBranch: described.defaultBranch,
    visibility: described.visibility,
    at,
    changedAt: at,
  };
  const followed = await repos.follow({
    repoId: repo.id,
    providerId: id,
    suspended: removed,
    ...(seen && { seen }),
    at,
  });
  return {
    repo: typeof followed === 'object' ? followed : undefined,
    effects: ['the repo is suspended, since it was deleted'],
  };
}
