import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { isCommitSha } from '../answers.ts';
import { buildOf, shortKey, toShown } from '../build-status.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type Bitbucket, inRepo } from './questions.ts';

/** Characters that Bitbucket takes. */
const MAX_KEY = 40;

/**
 * Build statuses at Bitbucket: one for each key of a commit, which the next one replaces. No `refname` goes with it: it
 * would hide the status from every pull request of the commit but one.
 */
export function createStatuses(bitbucket: Bitbucket): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    async setStatus(call) {
      const { repo, commit } = call;
      if (!isCommitSha(commit))
        throw new ProviderFailure(
          'permanent',
          `Bitbucket sets statuses on whole commit SHAs only, not on ${quoteValue(commit)}.`,
        );
      await inRepo(bitbucket, repo, (ask, path) =>
        ask(OPERATIONS.setStatus, {
          method: 'POST',
          path: `${path}/commit/${commit}/statuses/build`,
          body: buildOf(call, MAX_KEY),
        }),
      );
    },
    readStatus: async ({ repo, commit, context }) => {
      if (!isCommitSha(commit)) return undefined;
      const key = encodeURIComponent(shortKey(context, MAX_KEY));
      return definiteAnswer(
        inRepo(bitbucket, repo, (ask, path) =>
          askFor(ask, OPERATIONS.readStatus, {
            path: `${path}/commit/${commit}/statuses/build/${key}`,
            read: toShown,
          }),
        ),
      );
    },
  };
}
