import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import type { GithubCall, GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { followingPage, lastPage } from './following-page.ts';
import type { AskIdentity, Identity } from './identity.ts';
import { OPERATIONS } from './operations.ts';

type FindCall = Parameters<Provider['findComment']>[0];
type Found = Awaited<ReturnType<Provider['findComment']>>;

const PER_PAGE = 100;
const MAX_PAGES = 30;

export interface CommentsDeps {
  readonly calls: GithubCalls;
  readonly askIdentity: AskIdentity;
}

/** Comments of pull requests at GitHub, where they are those of the issue of that number. */
export function createComments(deps: CommentsDeps): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  const { calls } = deps;
  return {
    createComment: ({ repo, pullRequest, body }) =>
      calls(async ({ client, ask }) => {
        const request = ask(OPERATIONS.createComment);
        const { data } = await client.rest.issues.createComment({
          ...splitRepoName(repo),
          issue_number: pullRequest,
          body,
          request,
        });
        const id = idOf(fieldsOf(data).id);
        if (id === undefined) throw unexpectedAnswer(OPERATIONS.createComment);
        return id;
      }),
    updateComment: async ({ repo, commentId, body }) => {
      try {
        return await calls(async ({ client, ask }) => {
          const request = ask(OPERATIONS.updateComment);
          const { data } = await client.rest.issues.updateComment({
            ...splitRepoName(repo),
            comment_id: commentId,
            body,
            request,
          });
          if (idOf(fieldsOf(data).id) !== commentId) throw unexpectedAnswer(OPERATIONS.updateComment);
          return 'updated' as const;
        });
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
    findComment: (wanted) => calls(async (call) => findComment(call, wanted, await deps.askIdentity(call))),
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
    const answer: Awaited<ReturnType<typeof listComments>> = await listComments(call, { repo, pullRequest, page });
    const ours = answer.comments.find((comment) => isOurs(comment, identity) && firstLine(comment.body) === marker);
    if (ours !== undefined) return toFound(ours);
    if (page === 1) last = lastPage(answer.link);
    page = followingPage({ page, last, link: answer.link });
  }
  return undefined;
}

async function listComments(
  { client, ask }: GithubCall,
  { repo, pullRequest, page }: { readonly repo: string; readonly pullRequest: number; readonly page: number },
) {
  const { data, headers } = await client.rest.issues.listComments({
    ...splitRepoName(repo),
    issue_number: pullRequest,
    per_page: PER_PAGE,
    page,
    request: ask(OPERATIONS.listComments),
  });
  // An answer cut short must not read as "no comment": a second one would be created.
  if (!Array.isArray(data)) throw unexpectedAnswer(OPERATIONS.listComments);
  return { comments: data.map(fieldsOf), link: headers.link ?? '' };
}

/**
 * Rule 25: a comment of our own identity. Where a token is some App's and does not say whose, a comment by any App must
 * do.
 */
function isOurs(comment: Readonly<Record<string, unknown>>, identity: Identity): boolean {
  const user = fieldsOf(comment.user);
  if (identity === 'app') return user.type === 'Bot';
  if ('appId' in identity) return fieldsOf(comment.performed_via_github_app).id === identity.appId;
  return user.id === identity.userId;
}

/** Comments that were edited by hand have `\r\n`. */
function firstLine(body: unknown): string | undefined {
  return textOf(body)?.split(/\r?\n/, 1)[0];
}

function toFound(comment: Readonly<Record<string, unknown>>): Found {
  const id = idOf(comment.id);
  if (id === undefined) throw unexpectedAnswer(OPERATIONS.listComments);
  return { id, body: (textOf(comment.body) ?? '').replaceAll('\r\n', '\n') };
}
