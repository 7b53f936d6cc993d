import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { PlannedBuild } from './plan-builds.ts';
import { commitNamed, REPOS } from './plan-repos.ts';
import { BASE_BRANCH } from './plan-stories.ts';

/** Makes the repos, commits and pull requests of a plan; `locked` says which pull requests take no comments. */
export function setUpGithub(
  github: GithubStandIn,
  builds: readonly PlannedBuild[],
  locked: (pullRequest: number) => boolean,
): void {
  for (const repo of REPOS) {
    github.addRepo(repo.name);
    github.addCommit(repo.name, { sha: commitNamed(repo, 'the beginning'), branch: BASE_BRANCH });
  }
  for (const { repo, commit, target, parent, branch, pullRequest, message } of builds) {
    github.addCommit(repo.name, { sha: target, parents: [parent], branch });
    if (pullRequest === undefined) continue;
    if (commit !== target) github.addCommit(repo.name, { sha: commit, parents: [parent, target], message });
    const merge = commit === target ? {} : { mergeCommitSha: commit };
    // The last head that is added is the one that it has in the end.
    github.addPullRequest(repo.name, {
      number: pullRequest,
      headSha: target,
      baseRef: BASE_BRANCH,
      headRef: branch,
      locked: locked(pullRequest),
      ...merge,
    });
  }
}
