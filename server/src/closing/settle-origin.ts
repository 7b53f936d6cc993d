import type { Build } from '../core/builds/build.ts';
import { reviseBuild } from '../core/builds/revise-build.ts';
import { awaitsAccess } from '../core/builds/run-origin.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { type FindRunOrigin, OWN } from '../hosts/facts/find-run-origin.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { Answers } from './inquire.ts';

/**
 * The build as what the run of its uploads makes it: of a branch, or of a fork's pull request, whatever its client said
 * (rule 29). Asked where a build is prepared, so that no upload waits for it.
 */
export type SettleOrigin = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
  /** What the provider said of the build. */
  readonly asked: Pick<Answers, 'facts' | 'target' | 'refusal'>;
}) => Promise<Build>;

export function createSettleOrigin({
  builds,
  findRunOrigin,
}: {
  readonly builds: Pick<BuildStore, 'revise'>;
  readonly findRunOrigin: FindRunOrigin;
}): SettleOrigin {
  return async ({ build, repo, deadline, asked: { facts, target, refusal } }) => {
    const { pull, complete } = facts;
    // Its head is on a branch of the repo: no run has to say so, unless the upload alone says what its run builds.
    const isOwn = pull !== undefined && !pull.fromFork && pull.headCommit === target && !awaitsAccess(build);
    const origin = isOwn
      ? OWN
      : await findRunOrigin({ build, repo, deadline, isAway: !complete && refusal === undefined });
    const revision = { kind: 'origin', origin } as const;
    if (reviseBuild(build, revision) === build) return build;
    return (await builds.revise({ buildId: build.id, revision })) ?? build;
  };
}
