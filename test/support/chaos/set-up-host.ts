import type { HostSetUp } from '../github-stand-in/host-set-up.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { commitNamed, REPOS } from './plan-repos.ts';
import { BASE_BRANCH } from './plan-stories.ts';

/** Makes the repos, commits and pull requests of a plan; `locked` says which pull requests take no comments. */
export function setUpHost(
  host: HostSetUp,
  builds: readonly PlannedBuild[],
  locked: (pullRequest: number) => boolean,
): void {
  for (const repo of REPOS) {
    host.addRepo(repo.name);
    host.addCommit(repo.name, { sha: commitNamed(repo, 'the beginning'), branch: BASE_BRANCH });
  }
  for (const { repo, commit, target, parent, branch, pullRequest, message } of builds) {
    host.addCommit(repo.name, { sha: target, parents: [parent], branch });
    if (pullRequest === undefined) continue;
    if (commit !== target) host.addCommit(repo.name, { sha: commit, parents: [parent, target], message });
    const merge = commit === target ? {} : { mergeCommitSha: commit };
    // The last head that is added is the one that it has in the end.
    host.addPullRequest(repo.name, {
      number: pullRequest,
      headSha: target,
      baseRef: BASE_BRANCH,
      headRef: branch,
      locked: locked(pullRequest),
      ...merge,
    });
  }
}
