import { startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import type { FlavorName } from '../support/gitea-stand-in/present.ts';
import { runActionStep } from './action-step.ts';
import { FORK } from './fork.ts';
import type { DemoHost } from './hosts.ts';
import { type TestedCommits, testedBy } from './tested.ts';

const TESTED: TestedCommits = { ofPulls: 'head', ofForks: 'head' };

const MARKS: Readonly<Record<FlavorName, Readonly<Record<string, string>>>> = {
  gitea: { GITEA_ACTIONS: 'true' },
  // Its runner says that it is Gitea's as well.
  forgejo: { GITEA_ACTIONS: 'true', FORGEJO_ACTIONS: 'true' },
};

/** Gitea or Forgejo, and the built action as their runners start it. */
const hostOf = (service: FlavorName, name: string): DemoHost => ({
  service,
  name,
  pullRequest: (number) => `Pull request ${number}`,
  words: {
    isChecked: 'which knows the operations and the pitfalls that this server meets there',
    ofFork: `its run has no secret, and ${name} vouches for it`,
  },
  tested: TESTED,
  runsForks: true,
  async start({ now }) {
    const gitea = await startGiteaStandIn({ flavor: service, now });
    const setting = service.toUpperCase();
    return {
      ...gitea,
      env: { [`${setting}_URL`]: gitea.url, [`${setting}_TOKEN`]: gitea.token },
      violation: () => gitea.violations()[0],
      beginRun({ repo, run, on, commits: { forkHead: headSha } }) {
        const { headRepo, headRef: headBranch } = FORK;
        const head = { headSha, headRepo, headBranch };
        if (on === 'fork') gitea.addRun(repo, { id: Number(run), event: 'pull_request', actor: 'eve', ...head });
      },
      runStep(step) {
        const tested = testedBy(step.on, step.commits, TESTED);
        const ref = tested.pull && { GITHUB_REF: `refs/pull/${tested.pull.number}/head` };
        return runActionStep(step, tested, { ...MARKS[service], GITHUB_SERVER_URL: gitea.url, ...ref });
      },
    };
  },
});

export const GITEA = hostOf('gitea', 'Gitea');
export const FORGEJO = hostOf('forgejo', 'Forgejo');
