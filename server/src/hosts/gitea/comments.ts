import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, idOf, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor } from '../rest/questions.ts';
import { type Gitea, inRepo, orMissing } from './questions.ts';

/** The one comment of ours on a pull request. */
export function createComments(gitea: Gitea): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  const { operations } = gitea;
  let me: number | undefined;
  const whoAmI = async (ask: Ask): Promise<number> => {
    me ??= await askFor(ask, operations.readMe, { path: '/user', read: ({ id }) => idOf(id) });
    return me;
  };
  const lookFor = (ask: Ask, path: string, pullRequest: number) => () =>
    ask(operations.readPull, { path: `${path}/pulls/${pullRequest}` });
  return {
    createComment: ({ repo, pullRequest, body }) =>
      inRepo(gitea, repo, (ask, path) => {
        const asked = { method: 'POST', path: `${path}/issues/${pullRequest}/comments`, body: { body } } as const;
        const read = askFor(ask, operations.createComment, { ...asked, read: ({ id }) => idOf(id) });
        return orMissing(read, lookFor(ask, path, pullRequest));
      }),
    async updateComment({ repo, commentId, body }) {
      if (!isNumericId(String(commentId))) return 'gone';
      try {
        await inRepo(gitea, repo, (ask, path) =>
          ask(operations.updateComment, {
            method: 'PATCH',
            path: `${path}/issues/comments/${commentId}`,
            body: { body },
          }),
        );
        return 'updated';
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
    // All of them come in one answer.
    findComment: ({ repo, pullRequest, marker }) =>
      inRepo(gitea, repo, async (ask, path) => {
        const author = await whoAmI(ask);
        const asked = ask(operations.listComments, { path: `${path}/issues/${pullRequest}/comments` });
        const listed = (await orMissing(asked, lookFor(ask, path, pullRequest))).json() ?? [];
        if (!Array.isArray(listed)) throw unexpectedAnswer(operations.listComments);
        for (const { id, user, body } of listed.map(fieldsOf)) {
          const [found, text] = [idOf(id), (textOf(body) ?? '').replaceAll('\r\n', '\n')];
          if (found !== undefined && idOf(fieldsOf(user).id) === author && text.split('\n', 1)[0] === marker)
            return { id: found, body: text };
        }
        return undefined;
      }),
  };
}
