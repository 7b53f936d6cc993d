import type { OpenTokenView, RefreshedRepo } from '../../ports/provider.ts';
import { type Fields, fieldsOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';

import { askFor, definiteAnswer } from '../rest/questions.ts';
import { createFacts, identityOf } from './facts.ts';
import type { Flavor } from './flavor.ts';
import { connectGitea } from './provider.ts';
import { type Gitea, inRepo } from './questions.ts';
import { createRuns } from './runs.ts';

/**
 * A repo as a job's token sees it: it may push only while the job runs, and never if it is of a fork's pull request. It
 * does not say of which run it is: the upload has to, and the server's own token shows that run (`own`;
 * undefined: it has none).
 */
export function createOpenTokenView(
  flavor: Flavor,
  deps: HostDeps,
  { web, own }: { readonly web: string; readonly own: Gitea | undefined },
): OpenTokenView {
  return ({ token, timeLimit }) => {
    const seen = connectGitea(deps, { flavor, web, token, timeLimit });
    const facts = createFacts(own ?? seen);
    const readRepo = ({ repo }: { readonly repo: string }): Promise<RefreshedRepo | undefined> =>
      definiteAnswer(
        inRepo(seen, repo, (ask, path) => askFor(ask, seen.operations.readRepo, { path, read: toSeenRepo })),
      );
    return {
      readRepo,
      async findInstalled({ repo: name }) {
        const repo = name === undefined ? undefined : await readRepo({ repo: name });
        return repo?.mayPush === true ? { repo, covered: 1 } : { repo: undefined, covered: 0 };
      },
      readRun: createRuns(own ?? seen).readRun,
      describeCommit: facts.describeCommit,
      describePullRequest: facts.describePullRequest,
    };
  };
}

function toSeenRepo(repo: Fields): RefreshedRepo | undefined {
  const identity = identityOf(repo);
  return identity && { ...identity, mayPush: fieldsOf(repo.permissions).push === true };
}
