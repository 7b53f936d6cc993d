import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject } from './questions.ts';

const MAX_PAGES = 30;

/** The one note of ours on a merge request. */
export function createNotes(gitlab: Gitlab): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  let me: number | undefined;
  const whoAmI = async (ask: Ask): Promise<number> => {
    me ??= await askFor(ask, OPERATIONS.readMe, { path: '/user', read: ({ id }) => idOf(id) });
    return me;
  };
  const notesOf = (path: string, pullRequest: number): string => `${path}/merge_requests/${pullRequest}/notes`;
  return {
    createComment: ({ repo, pullRequest, body }) =>
      inProject(gitlab, repo, (ask, path) =>
        askFor(ask, OPERATIONS.createNote, {
          method: 'POST',
          path: notesOf(path, pullRequest),
          body: { body: withoutActions(body) },
          read: ({ id }) => idOf(id),
        }),
      ),
    async updateComment({ repo, pullRequest, commentId, body }) {
      if (!isNumericId(String(commentId))) return 'gone';
      try {
        await inProject(gitlab, repo, (ask, path) =>
          ask(OPERATIONS.updateNote, {
            method: 'PUT',
            path: `${notesOf(path, pullRequest)}/${commentId}`,
            body: { body: withoutActions(body) },
          }),
        );
        return 'updated';
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
    findComment: ({ repo, pullRequest, marker }) =>
      inProject(gitlab, repo, async (ask, path) => {
        const author = await whoAmI(ask);
        const isOurs = (note: Fields): boolean =>
          note.system !== true && idOf(fieldsOf(note.author).id) === author && firstLine(note.body) === marker;
        let page: string | undefined = '1';
        for (let read = 0; page !== undefined && read < MAX_PAGES; read += 1) {
          const asked = { path: notesOf(path, pullRequest), query: { sort: 'asc', order_by: 'created_at', page } };
          const listed: Awaited<ReturnType<typeof askForPage>> = await askForPage(ask, OPERATIONS.listNotes, asked);
          const found = listed.entries.find(isOurs);
          const id = idOf(found?.id);
          if (id !== undefined) return { id, body: (textOf(found?.body) ?? '').replaceAll('\r\n', '\n') };
          page = listed.next;
        }
        return undefined;
      }),
  };
}

/** A line of a note that begins with a slash may be a command, such as `/close`. */
function withoutActions(body: string): string {
  return body.replace(/^([^\S\r\n\u2028\u2029]*)\//gm, '$1&#47;');
}

function firstLine(body: unknown): string | undefined {
  return textOf(body)?.split(/\r?\n/, 1)[0];
}
