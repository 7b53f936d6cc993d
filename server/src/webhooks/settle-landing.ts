import type { Build } from '../core/builds/build.ts';
import { findTask } from '../core/builds/due-tasks.ts';
import { planLanding } from '../core/builds/landing.ts';
import type { Clock } from '../platform/clock.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { RepoStore } from '../storage/store.ts';
import type { LandBuilds } from './land-builds.ts';

export interface SettleLandingDeps {
  readonly repos: Pick<RepoStore, 'find'>;
  readonly builds: Pick<BuildStore, 'find' | 'revise'>;
  readonly clock: Clock;
  readonly landBuilds: Pick<LandBuilds, 'ofPullRequest'>;
}

/**
 * Asks again what landed when a build's pull request was merged, since the provider gave no answer when the event came.
 */
export type SettleLanding = (build: Build) => Promise<void>;

export function createSettleLanding({ repos, builds, landBuilds, clock }: SettleLandingDeps): SettleLanding {
  return async ({ id, repoId, pullRequest, due: tasks }) => {
    const task = findTask(tasks, 'landing');
    const repo = await repos.find(repoId);
    if (repo === undefined || task === undefined) return;
    // A suspended repo takes nothing (rule 28).
    const takes = pullRequest !== undefined && repo.suspended === undefined;
    if (takes) await landBuilds.ofPullRequest(repo, pullRequest, task);
    const left = findTask((await builds.find(id))?.due ?? [], 'landing');
    const now = clock.now();
    if (left === undefined || left.at > now) return;
    // Another build has the question too, or newer ones hide this one: it must not come back at once, nor for ever.
    const due = takes ? planLanding(left, left, now) : undefined;
    await builds.revise({ buildId: id, revision: { kind: 'landing-due', due } });
  };
}
