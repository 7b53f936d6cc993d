import { startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { runActionStep } from './action-step.ts';
import { FORK } from './fork.ts';
import type { DemoHost } from './hosts.ts';
import { type TestedCommits, testedBy } from './tested.ts';

const TESTED: TestedCommits = { ofPulls: 'merge', ofForks: 'merge' };

/** GitHub, and the built action as its runner starts it. */
export const GITHUB: DemoHost = {
  service: 'github',
  name: 'GitHub',
  pullRequest: (number) => `Pull request ${number}`,
  words: {
    isChecked: "which checks every request against GitHub's own API description",
    ofFork: 'its run has no secret, and GitHub vouches for it',
  },
  tested: TESTED,
  runsForks: true,
  async start({ now }) {
    const github = await startGithubStandIn({ now });
    return {
      ...github,
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token },
      violation: () => github.violations().map((one) => JSON.stringify(one))[0],
      beginRun({ repo, run, on, commits: { forkHead: headSha } }) {
        const { headRepo, headRef: headBranch } = FORK;
        const head = { headSha, headRepo, headBranch };
        if (on === 'fork') github.addRun(repo, { id: Number(run), event: 'pull_request', actor: 'eve', ...head });
      },
      runStep: (step) => runActionStep(step, testedBy(step.on, step.commits, TESTED)),
    };
  },
};
