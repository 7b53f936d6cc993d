import type { Build } from '../domain/build/build.ts';
import type { BuildStore } from '../ports/build-store.ts';
import type { RepoStore } from '../ports/store.ts';
import type { LandBuilds } from './hear-github/land-builds.ts';

export interface SettleLandingDeps {
  readonly repos: Pick<RepoStore, 'find'>;
  readonly builds: Pick<BuildStore, 'revise'>;
  readonly landBuilds: Pick<LandBuilds, 'ofPullRequest'>;
}

/** Asks again what landed when a build's pull request was merged, since the provider gave no answer when that was heard. */
export type SettleLanding = (build: Build) => Promise<void>;

export function createSettleLanding({ repos, builds, landBuilds }: SettleLandingDeps): SettleLanding {
  return async ({ id, repoId, pullRequest, landingDue }) => {
    const repo = await repos.find(repoId);
    if (repo === undefined || landingDue === undefined) return;
    if (pullRequest !== undefined && repo.suspended === undefined) {
      await landBuilds.ofPullRequest(repo, pullRequest, landingDue);
      return;
    }
    // A suspended repo takes nothing (rule 28).
    await builds.revise({ buildId: id, revision: { kind: 'landing-due', due: undefined } });
  };
}
