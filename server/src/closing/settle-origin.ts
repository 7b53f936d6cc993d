import type { Build } from '../core/builds/build.ts';
import { reviseBuild } from '../core/builds/revise-build.ts';
import { awaitsAccess } from '../core/builds/run-origin.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { findRunOrigin, OWN } from '../hosts/facts/find-run-origin.ts';
import type { Services } from '../services/services.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { Answers } from './inquire.ts';

/**
 * The build as what the run of its uploads makes it: of a branch, or of a fork's pull request, whatever its client said
 * (rule 29). Asked where a build is prepared, so that no upload waits for it. `asked`: what the provider said of it.
 */
export async function settleOrigin(
  services: Pick<Services, 'hosts' | 'askProvider'> & { readonly builds: Pick<BuildStore, 'revise'> },
  input: {
    readonly build: Build;
    readonly repo: Repo;
    readonly deadline: Deadline;
    readonly asked: Pick<Answers, 'facts' | 'target' | 'refusal'>;
  },
): Promise<Build> {
  const { build } = input;
  const { facts, target, refusal } = input.asked;
  const { pull, complete } = facts;
  // Its head is on a branch of the repo: no run has to say so, unless the upload alone says what its run builds.
  const isOwn = pull !== undefined && !pull.fromFork && pull.headCommit === target && !awaitsAccess(build);
  const isAway = !complete && refusal === undefined;
  const origin = isOwn ? OWN : await findRunOrigin(services, { ...input, isAway });
  const revision = { kind: 'origin', origin } as const;
  if (reviseBuild(build, revision) === build) return build;
  return (await services.builds.revise({ buildId: build.id, revision })) ?? build;
}
