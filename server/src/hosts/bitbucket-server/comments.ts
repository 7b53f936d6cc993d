import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { countOf, type Fields, fieldsOf, idOf, isNumericId, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { askFor } from '../rest/questions.ts';
import { OPERATIONS } from './operations.ts';
import { type DataCenter, inRepo, listAll } from './questions.ts';

const MAX_ACTIVITIES = 3_000;
/** Times that an edit is tried again where somebody else's came between. */
const MAX_CONFLICTS = 3;

/** The one comment of ours on a pull request. No request lists comments: it is found among all that happened. */
export function createComments(center: DataCenter): Pick<Provider, 'createComment' | 'updateComment' | 'findComment'> {
  let me: string | undefined;
  const pullOf = (path: string, pullRequest: number): string => `${path}/pull-requests/${pullRequest}`;
  return {
    createComment: ({ repo, pullRequest, body }) =>
      inRepo(center, repo, (ask, path) =>
        askFor(ask, OPERATIONS.createComment, {
          method: 'POST',
          path: `${pullOf(path, pullRequest)}/comments`,
          body: { text: body },
          read: ({ id, author }) => {
            me ??= textOf(fieldsOf(author).name);
            return idOf(id);
          },
        }),
      ),
    async updateComment({ repo, pullRequest, commentId, body }) {
      if (!isNumericId(String(commentId))) return 'gone';
      try {
        await inRepo(center, repo, (ask, path) =>
          edit(ask, `${pullOf(path, pullRequest)}/comments/${commentId}`, body),
        );
        return 'updated';
      } catch (error) {
        if (error instanceof ProviderFailure && (error.status === 404 || error.status === 410)) return 'gone';
        throw error;
      }
    },
    findComment: ({ repo, pullRequest, marker }) =>
      inRepo(center, repo, async (ask, path) => {
        const isOurs = (activity: Fields): boolean => {
          const { text, author } = fieldsOf(activity.comment);
          const isGeneral = activity.action === 'COMMENTED' && (activity.commentAnchor ?? undefined) === undefined;
          const isByUs = me === undefined || fieldsOf(author).name === me;
          return isGeneral && isByUs && textIn(text).split('\n', 1)[0]?.trimEnd() === marker;
        };
        const asked = { path: `${pullOf(path, pullRequest)}/activities`, max: MAX_ACTIVITIES, until: isOurs };
        const noting: Ask = async (operation, one) => {
          const answer = await ask(operation, one);
          me ??= nameIn(answer.headers);
          return answer;
        };
        const found = fieldsOf((await listAll(noting, OPERATIONS.listComments, asked)).find(isOurs)?.comment);
        const id = idOf(found.id);
        return id === undefined ? undefined : { id, body: textIn(found.text) };
      }),
  };
}

/** An edit names the version that it replaces. */
async function edit(ask: Ask, path: string, text: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const version = await askFor(ask, OPERATIONS.readComment, { path, read: (comment) => countOf(comment.version) });
    try {
      await ask(OPERATIONS.updateComment, { method: 'PUT', path, body: { text, version } });
      return;
    } catch (error) {
      const isConflict = error instanceof ProviderFailure && error.status === 409;
      if (!isConflict || tried >= MAX_CONFLICTS) throw error;
    }
  }
}

function textIn(text: unknown): string {
  return (textOf(text) ?? '').replaceAll('\r\n', '\n');
}

/** Every answer to a token says whose it is. */
export function nameIn(headers: Headers): string | undefined {
  const name = headers.get('x-ausername') ?? '';
  try {
    return textOf(decodeURIComponent(name));
  } catch {
    return name;
  }
}
