import type { CommitStatusState } from '../../core/announce/delivery.ts';
import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, isCommitSha, textOf } from '../answers.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { askForPages, BARE, type Gitea, inRepo, orMissing } from './questions.ts';

type Shown = NonNullable<Awaited<ReturnType<Provider['readStatus']>>>;

/** Contexts of a commit that are looked through: 500. */
const MAX_PAGES = 10;

/** Commit statuses at Gitea: each is a new one, and the newest of its context counts. */
export function createStatuses(gitea: Gitea): Pick<Provider, 'setStatus' | 'readStatus'> {
  const { operations, flavor } = gitea;
  return {
    async setStatus({ repo, commit, context, content: { state, description, targetUrl } }) {
      if (!isCommitSha(commit)) {
        const sentence = `${flavor.name} sets statuses on whole commit SHAs only, not on ${quoteValue(commit)}.`;
        throw new ProviderFailure('permanent', sentence);
      }
      const body = { state, context, description, target_url: targetUrl };
      await inRepo(gitea, repo, (ask, path) =>
        orMissing(ask(operations.setStatus, { method: 'POST', path: `${path}/statuses/${commit}`, body }), () =>
          ask(operations.readCommit, { path: `${path}/git/commits/${commit}`, query: BARE }),
        ),
      );
    },
    readStatus: async ({ repo, commit, context }) => {
      if (!isCommitSha(commit)) return undefined;
      return definiteAnswer(
        inRepo(gitea, repo, async (ask, path) => {
          const asked = { path: `${path}/commits/${commit}/status`, field: 'statuses', maxPages: MAX_PAGES };
          const { entries } = await askForPages(ask, operations.readStatus, asked);
          const found = entries.find((one) => one.context === context);
          return found && toShown(found);
        }),
      );
    },
  };
}

const STATES: ReadonlySet<unknown> = new Set(['pending', 'success', 'failure', 'error'] satisfies CommitStatusState[]);

/** What is sent as `state` is answered as `status`; other clients that set statuses may know more states. */
function toShown(one: Fields): Shown {
  const { status, description, target_url: url } = fieldsOf(one);
  const state = STATES.has(status) ? (status as CommitStatusState) : status === 'warning' ? 'failure' : 'pending';
  return { state, description: textOf(description) ?? '', targetUrl: textOf(url) ?? '' };
}
