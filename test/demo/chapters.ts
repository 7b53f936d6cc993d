import { FORK, PULL } from './fork.ts';
import type { Scene } from './scene.ts';
import { describeBuild, type Story, tellComment, tellStatuses } from './story.ts';

interface Told {
  readonly scene: Scene;
  readonly story: Story;
}

/** A commit on the default branch, with which the pull request is compared. */
export async function mainBuild(told: Told): Promise<void> {
  const { scene, story } = told;
  story.heading('1. A push to main: two jobs, one build');
  await scene.upload({ run: '70', on: 'main', flag: 'web', report: 'c8-12.0.0-base' });
  await scene.upload({ run: '70', on: 'main', flag: 'billing', report: 'coverage.py-7.17.3-cobertura-base' });
  const build = await scene.close({ run: '70', on: 'main' });
  describeBuild(story, build);
  await tellStatuses(told, scene.commits.base);
}

/** The pull request's verdict fails. */
export async function firstPush(told: Told): Promise<void> {
  const { scene, story } = told;
  story.heading(`2. ${scene.kind.pullRequest(PULL.number)}: three jobs of two flags, in parallel`);
  await scene.upload({ run: '71', on: 'first push', flag: 'web', report: 'c8-12.0.0-head-leg-1' });
  await scene.upload({ run: '71', on: 'first push', flag: 'web', report: 'c8-12.0.0-head-leg-2' });
  await scene.upload({ run: '71', on: 'first push', flag: 'billing', report: 'coverage.py-7.17.3-cobertura-head' });
  story.detail('While the jobs arrive, it waits:');
  await tellStatuses(told, scene.commits.firstHead, 'pending');
  const build = await scene.close({ run: '71', on: 'first push' });
  describeBuild(story, build);
  await tellStatuses(told, scene.commits.firstHead);
  await tellComment(told, { isLast: false });
}

/** A push that brings one of its two flags. */
export async function secondPush(told: Told): Promise<void> {
  const { scene, story } = told;
  story.heading('3. The next push runs only the web tests: billing is carried forward');
  await scene.upload({ run: '72', on: 'second push', flag: 'web', report: 'c8-12.0.0-head' });
  const build = await scene.close({ run: '72', on: 'second push', carryforward: 'billing' });
  describeBuild(story, build);
  await tellStatuses(told, scene.commits.secondHead);
  story.detail('The comment is the same one, edited in place:');
  await tellComment(told);
}

/** A stranger's change, whose run has nothing to show but its id. */
export async function pullOfFork(told: Told): Promise<void> {
  const { scene, story } = told;
  const { pullRequest, words, runsForks } = scene.kind;
  story.heading(`4. ${pullRequest(FORK.number)} comes from a fork: ${words.ofFork}`);
  if (!runsForks) return;
  const step = { run: '73', on: 'fork' } as const;
  await scene.upload({ ...step, flag: 'web', report: 'c8-12.0.0-head' });
  const build = await scene.close({ ...step, carryforward: 'billing' });
  describeBuild(story, build);
  if (build.unverified !== true) throw new Error("The fork's build is not marked as unverified");
  await tellStatuses(told, scene.commits.forkHead);
  await tellComment(told, { pullRequest: FORK.number });
}
