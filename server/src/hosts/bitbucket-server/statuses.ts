import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { isCommitSha } from '../answers.ts';
import { buildOf, shortKey, toShown } from '../build-status.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { readPull } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { type DataCenter, inRepo } from './questions.ts';

/** Characters that Bitbucket Data Center takes. */
const MAX_KEY = 255;

/**
 * Build statuses at Bitbucket Data Center, on the repo that a pull request goes to. Required builds compare `parent`
 * with what they are set to; without `ref` the list of pull requests does not show the status.
 */
export function createStatuses(center: DataCenter): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    async setStatus(call) {
      const { repo, commit, context, pullRequest } = call;
      if (!isCommitSha(commit))
        throw new ProviderFailure(
          'permanent',
          `Bitbucket Data Center sets statuses on whole commit SHAs only, not on ${quoteValue(commit)}.`,
        );
      const build = buildOf(call, MAX_KEY);
      await inRepo(center, repo, async (ask, path) => {
        const branch = pullRequest && (await definiteAnswer(readPull(ask, path, pullRequest)))?.headBranch;
        const ref = branch === undefined ? {} : { ref: `refs/heads/${branch}` };
        await ask(OPERATIONS.setStatus, {
          method: 'POST',
          path: `${path}/commits/${commit}/builds`,
          body: { ...build, parent: shortKey(context, MAX_KEY), ...ref },
        });
      });
    },
    readStatus: async ({ repo, commit, context }) => {
      if (!isCommitSha(commit)) return undefined;
      return definiteAnswer(
        inRepo(center, repo, (ask, path) =>
          askFor(ask, OPERATIONS.readStatus, {
            path: `${path}/commits/${commit}/builds`,
            query: { key: shortKey(context, MAX_KEY) },
            read: toShown,
          }),
        ),
      );
    },
  };
}
