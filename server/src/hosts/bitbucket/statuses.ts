import type { CommitStatusState } from '../../core/announce/delivery.ts';
import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure, type StatusCall } from '../../ports/provider.ts';
import { type Fields, textOf } from '../answers.ts';
import { isCommitSha } from '../git-names.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { shortKey } from '../short-key.ts';
import { OPERATIONS } from './operations.ts';
import { type Bitbucket, inRepo } from './questions.ts';

/** Characters that Bitbucket takes. */
const MAX_KEY = 40;
const MAX_NAME = 255;

const STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED', error: 'FAILED' } as const;

/**
 * Build statuses at Bitbucket: one for each key of a commit, which the next one replaces. No `refname` goes with it: it
 * would hide the status from every pull request of the commit but one.
 */
export function createStatuses(bitbucket: Bitbucket): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    async setStatus({ repo, commit, context, content }) {
      if (!isCommitSha(commit))
        throw new ProviderFailure(
          'permanent',
          `Bitbucket sets statuses on whole commit SHAs only, not on ${quoteValue(commit)}.`,
        );
      await inRepo(bitbucket, repo, (ask, path) =>
        ask(OPERATIONS.setStatus, {
          method: 'POST',
          path: `${path}/commit/${commit}/statuses/build`,
          body: buildOf(context, content, MAX_KEY),
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

/** A status as both Bitbuckets take it. The address is a template there, so that braces would be filled in. */
export function buildOf(context: string, content: StatusCall['content'], maxKey: number) {
  return {
    key: shortKey(context, maxKey),
    name: context.slice(0, MAX_NAME).toWellFormed(),
    state: STATES[content.state],
    description: content.description,
    url: content.targetUrl.replaceAll('{', '%7B').replaceAll('}', '%7D'),
  };
}

export function toShown({ state, description, url }: Fields) {
  if (textOf(state) === undefined) return undefined;
  return { state: stateOf(state), description: textOf(description) ?? '', targetUrl: textOf(url) ?? '' };
}

function stateOf(state: unknown): CommitStatusState {
  if (state === 'SUCCESSFUL') return 'success';
  if (state === 'FAILED') return 'failure';
  return state === 'INPROGRESS' ? 'pending' : 'error';
}
