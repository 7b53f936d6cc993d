import type { Repo } from '../core/repo/repo.ts';
import type { Host } from '../ports/host.ts';
import type { EventRepo, ProviderEvent } from '../ports/provider-events.ts';
import type { Services } from '../services/services.ts';
import { endRun } from './end-run.ts';
import { gainAccess, loseAccess, renameOwner } from './follow-access.ts';
import { landPullRequest, landQueue } from './land-builds.ts';
import { type Recognized, recognizeRepo } from './recognize-repo.ts';
import { revisitCopies, revisitPullRequest } from './revisit-pull-request.ts';

/** What became of an event. */
export interface EventOutcome {
  /** Whether this server has a repo that the event is about. */
  readonly known: boolean;
  /** What changed, in short sentences; none: all was so already. */
  readonly effects: readonly string[];
}

type RepoEvent = Exclude<
  ProviderEvent,
  { kind: 'repos-listed' | 'repo-removed' | 'repo-changed' | 'access-lost' | 'owner-renamed' }
>;

/**
 * Handles a webhook's event. Every effect is a state, never a count: a repeated or late event changes nothing more.
 * Throws a Failure `unavailable` if the store does not answer: the host shows the delivery as failed then, and it can
 * be sent again.
 */
export async function handleEvent(services: Services, host: Host, event: ProviderEvent): Promise<EventOutcome> {
  switch (event.kind) {
    case 'repos-listed':
      return gather(await listRepos(services, host, event));
    case 'access-lost':
      return gather(await loseAccess(services, host, event));
    case 'owner-renamed':
      return gather(await renameOwner(services, host, event));
    case 'repo-removed':
      return gather([await suspendRemoved(services, host, event.repo)]);
    case 'repo-changed':
      return gather([await recognizeRepo(services, host, { seen: event.repo, change: event })]);
    default: {
      const recognized = await recognizeRepo(services, host, { seen: event.repo });
      const { repo } = recognized;
      // A suspended repo takes nothing (rule 28).
      const takes = repo !== undefined && repo.suspended === undefined;
      const effects = takes ? await handleRepoEvent(services, host, { repo, event }) : [];
      return gather([{ repo, effects: [...recognized.effects, ...effects] }]);
    }
  }
}

async function handleRepoEvent(
  services: Services,
  host: Host,
  { repo, event }: { readonly repo: Repo; readonly event: RepoEvent },
): Promise<readonly string[]> {
  switch (event.kind) {
    case 'pull-request-changed':
      return revisitPullRequest(services, repo, event);
    case 'pull-request-closed': {
      const { number: pullRequest, baseBranch: branch, landedCommit: commit } = event.pull;
      return commit === undefined ? [] : landPullRequest(services, repo, { pullRequest, landed: { branch, commit } });
    }
    case 'pushed':
      return [...(await landQueue(services, repo, event)), ...(await revisitCopies(services, repo, event))];
    case 'run-ended':
      return endRun(services, host, { repo, run: event.run });
  }
}

async function listRepos(
  services: Services,
  host: Host,
  { repos, gained: access }: Extract<ProviderEvent, { kind: 'repos-listed' }>,
): Promise<readonly Recognized[]> {
  const recognized = [];
  for (const seen of repos) recognized.push(await recognizeRepo(services, host, { seen }));
  const listed = recognized.map(({ repo }) => repo).filter((repo) => repo !== undefined);
  return [...recognized, ...(await gainAccess(services, host, { access, listed }))];
}

function gather(recognized: readonly Recognized[]): EventOutcome {
  return {
    known: recognized.some(({ repo, effects }) => repo !== undefined || effects.length > 0),
    effects: recognized.flatMap(({ effects }) => effects),
  };
}

/** A repo that its host has no more is suspended: what is stored stays, and can be removed by its administrators. */
async function suspendRemoved(
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
