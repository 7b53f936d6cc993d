import type { Provider, StatusCall } from '../../ports/provider.ts';
import { type Fields, textOf } from '../answers.ts';
import { checkCommitSha, splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { askOnce, definiteAnswer, requestList } from './requests.ts';

type Place = Omit<StatusCall, 'content'>;
type Shown = NonNullable<Awaited<ReturnType<Provider['readStatus']>>>;

const PER_PAGE = 100;
/** GitHub takes 1,000 statuses per commit and context; ours is among the newest when it is read back. */
const MAX_PAGES = 10;
const STATES: ReadonlySet<unknown> = new Set(['pending', 'success', 'failure', 'error'] satisfies Shown['state'][]);

/** Commit statuses at GitHub. */
export function createStatuses(callsOf: CallsOf): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    setStatus: async ({ repo, commit, context, content: { state, description, targetUrl } }) => {
      await askOnce(callsOf(repo), OPERATIONS.setStatus, {
        send: (rest, options) => {
          const place = { ...splitRepoName(repo), sha: checkCommitSha(commit), context };
          const content = { state, description, target_url: targetUrl };
          return rest.repos.createCommitStatus({ ...place, ...content, request: options });
        },
        // A redirect may turn a POST into a GET that answers 200: only the status itself shows that it was set.
        read: (set) => (set.state === state ? state : undefined),
      });
    },
    readStatus: (place) => definiteAnswer(callsOf(place.repo)((call) => findStatus(call, place))),
  };
}

/**
 * The list is newest first, so the first of our context is the one that counts. GitHub ignores the case of contexts
 * (rule 22).
 */
async function findStatus(call: GithubCall, { repo, commit, context }: Place): Promise<Shown | undefined> {
  const wanted = context.toLowerCase();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asked = { ...splitRepoName(repo), ref: checkCommitSha(commit), per_page: PER_PAGE, page };
    const { entries } = await requestList(call, OPERATIONS.readStatus, (rest, options) =>
      rest.repos.listCommitStatusesForRef({ ...asked, request: options }),
    );
    const found = entries.find((status) => textOf(status.context)?.toLowerCase() === wanted);
    if (found !== undefined) return toShown(found);
    if (entries.length < PER_PAGE) return undefined;
  }
  return undefined;
}

function toShown(status: Fields): Shown {
  if (!STATES.has(status.state)) throw unexpectedAnswer(OPERATIONS.readStatus);
  return {
    state: status.state as Shown['state'],
    description: textOf(status.description) ?? '',
    targetUrl: textOf(status.target_url) ?? '',
  };
}
