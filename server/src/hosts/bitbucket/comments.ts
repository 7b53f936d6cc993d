import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf, isNumericId, textOf } from '../answers.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, listAll, uuidOf } from './questions.ts';

const MAX_COMMENTS = 3_000;

/** The one comment of ours on a pull request. */
export function createComments(
  bitbucket: Bitbucket,
): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  let me: string | undefined;
  const commentsOf = (path: string, pullRequest: number): string => `${path}/pullrequests/${pullRequest}/comments`;
  return {
    createComment: ({ repo, pullRequest, body }) =>
      inRepo(bitbucket, repo, (ask, path) =>
        askFor(ask, OPERATIONS.createComment, {
          method: 'POST',
          path: commentsOf(path, pullRequest),
          body: { content: { raw: body } },
          read: ({ id, user }) => {
            me ??= uuidOf(fieldsOf(user).uuid);
            return idOf(id);
          },
        }),
      ),
    async updateComment({ repo, pullRequest, commentId, body }) {
      if (!isNumericId(String(commentId))) return 'gone';
      try {
        await inRepo(bitbucket, repo, (ask, path) =>
          ask(OPERATIONS.updateComment, {
            method: 'PUT',
            path: `${commentsOf(path, pullRequest)}/${commentId}`,
            body: { content: { raw: body } },
          }),
        );
        return 'updated';
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
    findComment: ({ repo, pullRequest, marker }) =>
      inRepo(bitbucket, repo, async (ask, path) => {
        me ??= await whoAmI(ask);
        const author = me;
        const isOurs = (comment: Fields): boolean =>
          isGeneral(comment) &&
          (author === undefined || fieldsOf(comment.user).uuid === author) &&
          firstLine(comment) === marker;
        const asked = { path: commentsOf(path, pullRequest), query: { pagelen: '100' }, max: MAX_COMMENTS };
        const found = (await listAll(ask, OPERATIONS.listComments, asked)).find(isOurs);
        const id = idOf(found?.id);
        return found === undefined || id === undefined ? undefined : { id, body: rawOf(found) };
      }),
  };
}

/** A repo's own token may be refused here: then whose it is shows in what it wrote. */
async function whoAmI(ask: Ask): Promise<string | undefined> {
  try {
    return await askFor(ask, OPERATIONS.readMe, { path: '/user', read: ({ uuid }) => uuidOf(uuid) });
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent' && error.status !== 401) return undefined;
    throw error;
  }
}

/** Replies, remarks on lines and deleted comments are in the same list. */
function isGeneral({ deleted, inline, parent }: Fields): boolean {
  return deleted !== true && (inline ?? undefined) === undefined && (parent ?? undefined) === undefined;
}

function rawOf({ content }: Fields): string {
  return (textOf(fieldsOf(content).raw) ?? '').replaceAll('\r\n', '\n');
}

function firstLine(comment: Fields): string {
  return rawOf(comment).split('\n', 1)[0]?.trimEnd() ?? '';
}
