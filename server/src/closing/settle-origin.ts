import type { Build } from '../domain/builds/build.ts';
import { reviseBuild } from '../domain/builds/revise-build.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { Deadline } from '../facts/deadline.ts';
import { type FindRunOrigin, OWN } from '../facts/find-run-origin.ts';
import type { BuildStore } from '../ports/build-store.ts';
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
    // Its head is on a branch of the repo: no run has to say so.
    const isOwn = pull !== undefined && !pull.fromFork && pull.headCommit === target;
    const origin = isOwn
      ? OWN
      : await findRunOrigin({ build, repo, deadline, isAway: !complete && refusal === undefined });
    const revision = { kind: 'origin', origin } as const;
    if (reviseBuild(build, revision) === build) return build;
    return (await builds.revise({ buildId: build.id, revision })) ?? build;
  };
}
