import type { Repo } from '../core/repo/repo.ts';
import type { Host } from '../ports/host.ts';
import type { EventRepo, ProviderEvent } from '../ports/provider-events.ts';
import { createEndRun, type EndRunDeps } from './end-run.ts';
import { createFollowAccess, type FollowAccess, type FollowAccessDeps } from './follow-access.ts';
import { createLandBuilds, type LandDeps } from './land-builds.ts';
import { createRecogniseRepo, type RecogniseDeps, type Recognised } from './recognise-repo.ts';
import { createRevisitCopies, createRevisitPullRequest, type RevisitDeps } from './revisit-pull-request.ts';
import { createSuspendRemoved } from './suspend-removed.ts';

export interface HandleEventDeps extends RecogniseDeps, RevisitDeps, LandDeps, EndRunDeps, FollowAccessDeps {
  readonly repos: RecogniseDeps['repos'] & FollowAccessDeps['repos'];
  readonly builds: RevisitDeps['builds'] & LandDeps['builds'] & EndRunDeps['builds'] & FollowAccessDeps['builds'];
}

/** What became of an event. */
export interface EventOutcome {
  /** Whether this server has a repo that the event is about. */
  readonly known: boolean;
  /** What changed, in short sentences; none: all was so already. */
  readonly effects: readonly string[];
}

/**
 * Handles a webhook's event. Every effect is a state, never a count: a repeated or late event changes nothing more.
 * Throws a Failure `unavailable` where the store does not answer: the host shows the delivery as failed then, and it
 * can be sent again.
 */
export type HandleEvent = (host: Host, event: ProviderEvent) => Promise<EventOutcome>;

type RepoEvent = Exclude<
  ProviderEvent,
  { kind: 'repos-listed' | 'repo-removed' | 'repo-changed' | 'access-lost' | 'owner-renamed' }
>;

export function createHandleEvent(deps: HandleEventDeps): HandleEvent {
  const recognise = createRecogniseRepo(deps);
  const suspendRemoved = createSuspendRemoved(deps);
  const followAccess = createFollowAccess(deps);
  const handleRepoEvent = createHandleRepoEvent(deps);
  return async (host, event) => {
    switch (event.kind) {
      case 'repos-listed':
        return gather(await listed({ recognise, followAccess }, host, event));
      case 'access-lost':
        return gather(await followAccess.lost(host, event));
      case 'owner-renamed':
        return gather(await followAccess.renamed(host, event));
      case 'repo-removed':
        return gather([await suspendRemoved(host, event.repo)]);
      case 'repo-changed':
        return gather([await recognise(host, event.repo, event)]);
      default: {
        const recognised = await recognise(host, event.repo);
        const { repo } = recognised;
        // A suspended repo takes nothing (rule 28).
        const takes = repo !== undefined && repo.suspended === undefined;
        const effects = takes ? await handleRepoEvent(host, repo, event) : [];
        return gather([{ repo, effects: [...recognised.effects, ...effects] }]);
      }
    }
  };
}

function createHandleRepoEvent(
  deps: HandleEventDeps,
): (host: Host, repo: Repo, event: RepoEvent) => Promise<readonly string[]> {
  const revisitPullRequest = createRevisitPullRequest(deps);
  const revisitCopies = createRevisitCopies(deps);
  const landBuilds = createLandBuilds(deps);
  const endRun = createEndRun(deps);
  return async (host, repo, event) => {
    switch (event.kind) {
      case 'pull-request-changed':
        return revisitPullRequest(repo, event);
      case 'pull-request-closed': {
        const { number, baseBranch: branch, landedCommit: commit } = event.pull;
        return commit === undefined ? [] : landBuilds.ofPullRequest(repo, number, { branch, commit });
      }
      case 'pushed':
        return [...(await landBuilds.ofQueue(repo, event)), ...(await revisitCopies(repo, event))];
      case 'run-ended':
        return endRun(host, repo, event.run);
    }
  };
}

async function listed(
  {
    recognise,
    followAccess,
  }: {
    readonly recognise: (host: Host, seen: EventRepo) => Promise<Recognised>;
    readonly followAccess: FollowAccess;
  },
  host: Host,
  { repos, gained }: Extract<ProviderEvent, { kind: 'repos-listed' }>,
): Promise<readonly Recognised[]> {
  const recognised = [];
  for (const repo of repos) recognised.push(await recognise(host, repo));
  const known = recognised.map(({ repo }) => repo).filter((repo) => repo !== undefined);
  return [...recognised, ...(await followAccess.gained(host, gained, known))];
}

function gather(recognised: readonly Recognised[]): EventOutcome {
  return {
    known: recognised.some(({ repo, effects }) => repo !== undefined || effects.length > 0),
    effects: recognised.flatMap(({ effects }) => effects),
  };
}
