import type { PlaceId, StatusContent } from '../core/announce/delivery.ts';
import { sameContent } from '../core/announce/status-owner.ts';
import type { CheckRunCall, CheckRuns, CommentCall, Provider, StatusCall } from '../ports/provider.ts';
import type { LeasedCall } from './lease.ts';

export interface StatusAttempt {
  readonly provider: Pick<Provider, 'setStatus' | 'readStatus'>;
  readonly call: LeasedCall;
  readonly status: StatusCall;
  /** The outcome of the last attempt is unknown. */
  readonly uncertain: boolean;
}

/**
 * Makes a commit status be what is wanted. After an unknown outcome it is read back first (rule 27): GitHub takes 1,000
 * per commit and context, and each one is an event for everybody who listens (rule 23). Throws what the provider
 * throws.
 */
export async function announceStatus({ provider, call, status, uncertain }: StatusAttempt): Promise<void> {
  if (uncertain) {
    const { content: wanted, ...place } = status;
    const shown = await call(() => provider.readStatus(place));
    if (shown !== undefined && sameContent(wanted, { kind: 'status', ...shown } satisfies StatusContent)) return;
  }
  await call(() => provider.setStatus(status));
}

interface CheckAttempt {
  readonly provider: CheckRuns;
  readonly call: LeasedCall;
  readonly checkRun: CheckRunCall;
  /** The newest check run of the place, where it surely is that and has the annotations of the call already. */
  readonly checkRunId: PlaceId | undefined;
  /** The outcome of the last attempt is unknown. */
  readonly uncertain: boolean;
}

/**
 * Makes the check run of a commit show what is wanted; answers its id. Hosts add annotations and never take any away,
 * so other annotations need another check run. After an unknown outcome it is read back first, so that no crash adds
 * one more (rule 27). Throws what the provider throws.
 */
export async function announceCheck({
  provider,
  call,
  checkRun,
  checkRunId,
  uncertain,
}: CheckAttempt): Promise<PlaceId> {
  if (uncertain) {
    const found = await call(() => provider.findCheckRun(checkRun));
    if (found !== undefined) return found;
  }
  if (checkRunId !== undefined) {
    const answer = await call(() => provider.updateCheckRun({ ...checkRun, checkRunId }));
    if (answer === 'updated') return checkRunId;
  }
  return call(() => provider.createCheckRun(checkRun));
}

interface CommentAttempt {
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
