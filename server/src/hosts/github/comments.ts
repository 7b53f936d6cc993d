import type { Provider } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { followingPage, lastPage } from './following-page.ts';
import type { AskIdentity, Identity } from './identity.ts';
import { OPERATIONS } from './operations.ts';
import { askOnce, requestList, updatedOrGone } from './requests.ts';

type FindCall = Parameters<Provider['findComment']>[0];
type Found = Awaited<ReturnType<Provider['findComment']>>;

const PER_PAGE = 100;
const MAX_PAGES = 30;

/** Comments of pull requests at GitHub, where they are those of the issue of that number. */
export function createComments(
  callsOf: CallsOf,
  askIdentity: AskIdentity,
): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  return {
    createComment: ({ repo, pullRequest, body }) =>
      askOnce(callsOf(repo), OPERATIONS.createComment, {
        send: (rest, options) =>
          rest.issues.createComment({
            ...splitRepoName(repo),
            issue_number: pullRequest,
            body,
            request: options,
          }),
        read: ({ id }) => idOf(id),
      }),
    updateComment: ({ repo, commentId, body }) =>
      updatedOrGone(
        askOnce(callsOf(repo), OPERATIONS.updateComment, {
          send: (rest, options) =>
            rest.issues.updateComment({
              ...splitRepoName(repo),
              comment_id: Number(commentId),
              body,
              request: options,
            }),
          read: ({ id }) => (id === Number(commentId) ? id : undefined),
        }),
      ),
    findComment: (wanted) => callsOf(wanted.repo)(async (call) => findComment(call, wanted, await askIdentity(call))),
  };
}

async function findComment(
  call: GithubCall,
  { repo, pullRequest, marker }: FindCall,
  identity: Identity,
): Promise<Found> {
  let page: number | undefined = 1;
  let last: number | undefined;
  for (let read = 0; page !== undefined && read < MAX_PAGES; read += 1) {
    const answer: Awaited<ReturnType<typeof requestList>> = await listComments(call, { repo, pullRequest, page });
    const ours = answer.entries.find((comment) => isOurs(comment, identity) && firstLine(comment.body) === marker);
    if (ours !== undefined) return toFound(ours);
    if (page === 1) last = lastPage(answer.link);
    page = followingPage({ page, last, link: answer.link });
  }
  return undefined;
}

function listComments(
  call: GithubCall,
  { repo, pullRequest, page }: { readonly repo: string; readonly pullRequest: number; readonly page: number },
) {
  const asked = { ...splitRepoName(repo), issue_number: pullRequest, per_page: PER_PAGE, page };
  return requestList(call, OPERATIONS.listComments, (rest, options) =>
    rest.issues.listComments({ ...asked, request: options }),
  );
}

/**
 * Rule 25: a comment of our own identity. If a token is some App's and does not say which, a comment by any App
 * counts.
 */
function isOurs(comment: Fields, identity: Identity): boolean {
  const user = fieldsOf(comment.user);
  if (identity === 'app') return user.type === 'Bot';
  if ('appId' in identity) return fieldsOf(comment.performed_via_github_app).id === identity.appId;
  return user.id === identity.userId;
}

/** Comments that were edited by hand have `\r\n`. */
function firstLine(body: unknown): string | undefined {
  return textOf(body)?.split(/\r?\n/, 1)[0];
}

function toFound(comment: Fields): Found {
  const id = idOf(comment.id);
  if (id === undefined) throw unexpectedAnswer(OPERATIONS.listComments);
  return { id, body: (textOf(comment.body) ?? '').replaceAll('\r\n', '\n') };
}
