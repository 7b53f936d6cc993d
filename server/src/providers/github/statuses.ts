import type { Provider, StatusCall } from '../../ports/provider.ts';
import { checkCommitSha, splitRepoName } from './addresses.ts';
import { fieldsOf, textOf } from './answers.ts';
import type { GithubCall, GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import { OPERATIONS } from './operations.ts';

type Place = Omit<StatusCall, 'content'>;
type Shown = NonNullable<Awaited<ReturnType<Provider['readStatus']>>>;

const PER_PAGE = 100;
/** GitHub takes 1,000 statuses per commit and context; ours is among the newest when it is read back. */
const MAX_PAGES = 10;
const STATES: ReadonlySet<unknown> = new Set(['pending', 'success', 'failure', 'error'] satisfies Shown['state'][]);

/** Commit statuses at GitHub. */
export function createStatuses(calls: GithubCalls): Pick<Provider, 'setStatus' | 'readStatus'> {
  return {
    setStatus: ({ repo, commit, context, content }) =>
      calls(async ({ client, ask }) => {
        const answer = await client.rest.repos.createCommitStatus({
          ...splitRepoName(repo),
          sha: checkCommitSha(commit),
          context,
          state: content.state,
          description: content.description,
          target_url: content.targetUrl,
          request: ask(OPERATIONS.setStatus),
        });
        // A redirect may turn a POST into a GET that answers 200: only the status itself tells that it was set.
        if (fieldsOf(answer.data).state !== content.state) throw unexpectedAnswer(OPERATIONS.setStatus);
      }),
    readStatus: (place) => definiteAnswer(calls((call) => findStatus(call, place))),
  };
}

/**
 * The list is newest first, so the first of our context is the one that counts. GitHub ignores the case of contexts
 * (rule 22).
 */
async function findStatus({ client, ask }: GithubCall, { repo, commit, context }: Place): Promise<Shown | undefined> {
  const wanted = context.toLowerCase();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await client.rest.repos.listCommitStatusesForRef({
      ...splitRepoName(repo),
      ref: checkCommitSha(commit),
      per_page: PER_PAGE,
      page,
      request: ask(OPERATIONS.readStatus),
    });
    if (!Array.isArray(data)) throw unexpectedAnswer(OPERATIONS.readStatus);
    const found = data.map(fieldsOf).find((status) => textOf(status.context)?.toLowerCase() === wanted);
    if (found !== undefined) return toShown(found);
    if (data.length < PER_PAGE) return undefined;
  }
  return undefined;
}

function toShown(status: Readonly<Record<string, unknown>>): Shown {
  if (!STATES.has(status.state)) throw unexpectedAnswer(OPERATIONS.readStatus);
  return {
    state: status.state as Shown['state'],
    description: textOf(status.description) ?? '',
    targetUrl: textOf(status.target_url) ?? '',
  };
}
