import type { PlaceId } from '../core/announce/delivery.ts';
import type { CommentCall, Provider } from '../ports/provider.ts';
import type { LeasedCall } from './lease.ts';

export interface CommentAttempt {
  readonly provider: Pick<Provider, 'createComment' | 'updateComment' | 'findComment'>;
  readonly call: LeasedCall;
  readonly comment: CommentCall;
  /** Where the comment is, if that is known. */
  readonly commentId: PlaceId | undefined;
  /** Called as soon as the comment is found, so that it is remembered even when the edit fails. */
  readonly onFound: (commentId: PlaceId) => void;
}

/**
 * Makes the comment of a pull request say what is wanted; answers its id. It is looked for before one is created,
 * always, so that a lost answer, a crash or a lost database never makes a second one (rules 25 and 27). Throws what the
 * provider throws.
 */
export async function announceComment(attempt: CommentAttempt): Promise<PlaceId> {
  const { provider, call, comment, commentId, onFound } = attempt;
  if (commentId !== undefined) {
    const answer = await call(() => provider.updateComment({ ...comment, commentId }));
    if (answer === 'updated') return commentId;
  }
  const { body, ...place } = comment;
  const found = await call(() => provider.findComment({ ...place, marker: markerOf(body) }));
  if (found !== undefined) {
    onFound(found.id);
    if (found.body === body) return found.id;
    const answer = await call(() => provider.updateComment({ ...comment, commentId: found.id }));
    if (answer === 'updated') return found.id;
  }
  return call(() => provider.createComment(comment));
}

/** The first line, by which our comment is found again (rule 25). */
function markerOf(body: string): string {
  return body.split('\n', 1)[0] ?? '';
}
