import type { Build } from '../core/builds/build.ts';
import { findTask } from '../core/builds/due-tasks.ts';
import { planLanding } from '../core/builds/landing.ts';
import type { Services } from '../services/services.ts';
import { landPullRequest } from './land-builds.ts';

/**
 * Asks again what landed when a build's pull request was merged, since the provider gave no answer when the event came.
 */
export async function settleLanding(
  services: Pick<Services, 'repos' | 'hosts' | 'builds' | 'askProvider' | 'clock' | 'timers'>,
  { id, repoId, pullRequest, due: tasks }: Build,
): Promise<void> {
  const { repos, builds, clock } = services;
  const task = findTask(tasks, 'landing');
  const repo = await repos.find(repoId);
  if (repo === undefined || task === undefined) return;
  // A suspended repo takes nothing (rule 28).
  const takes = pullRequest !== undefined && repo.suspended === undefined;
  // The slot that it is settled in looks for what is due when it is done.
  if (takes) await landPullRequest({ ...services, onDue: () => {} }, repo, { pullRequest, landed: task });
  const left = findTask((await builds.find(id))?.due ?? [], 'landing');
  const now = clock.now();
  if (left === undefined || left.at > now) return;
  // Another build has the question too, or newer ones hide this one: it must not come back at once, nor forever.
  const due = takes ? planLanding(left, left, now) : undefined;
  await builds.revise({ buildId: id, revision: { kind: 'landing-due', due } });
}
