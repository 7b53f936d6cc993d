import { LATE_PERIOD } from './deployment.ts';
import type { JobReceipt } from './ledger.ts';
import type { PlannedRequest } from './plan-requests.ts';

/** What came back; `nothing` says why none did. */
export type ChaosReply =
  | { readonly status: number; readonly text: string }
  | { readonly nothing: 'connection cut' | 'no answer' };

/** What a client makes of a reply. */
export type Judged =
  | { readonly kind: 'accepted'; readonly receipt: JobReceipt }
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'too early' }
  /** `repeat`: the server failed, not the request; what it promised is still wanted. */
  | { readonly kind: 'finding'; readonly what: string; readonly repeat?: boolean };

/** What had been promised when the attempt was sent. */
export interface Promised {
  /** A job of the request's build was answered 200. */
  readonly exists: boolean;
  /** See Ledger.youngest. */
  readonly youngest: number | undefined;
}

/**
 * 200 and 503 are answers, and a cut connection is what a kill looks like; anything else must have a reason in the
 * rules.
 */
export function judgeReply(request: PlannedRequest, reply: ChaosReply, promised: Promised): Judged {
  if ('nothing' in reply) return { kind: 'again', why: reply.nothing };
  const { status, text } = reply;
  if (status === 503) return { kind: 'again', why: 'answered 503' };
  // Only a proxy says so: its server was killed while it had the request.
  if (status === 502) return { kind: 'again', why: 'answered 502' };
  if (status === 200) return judgeSuccess(request, text);
  if (status === 422 && request.kind === 'rerun') return judgeRerun(text, promised);
  if (status === 422 && request.kind === 'close') return judgeClose(request.named, text, promised);
  return unexpected(reply);
}

function judgeSuccess(request: PlannedRequest, text: string): Judged {
  const json = JSON.parse(text) as Record<string, unknown>;
  if (request.kind === 'upload') {
    const { message, url } = json;
    if (typeof message === 'string' && typeof url === 'string') return { kind: 'accepted', receipt: { message, url } };
    return { kind: 'finding', what: `the answer 200 to an upload is ${text}` };
  }
  const { done, jobs } = json;
  const expected = request.build.jobs.length;
  if (done !== true) return { kind: 'finding', what: `the answer 200 to a close is ${text}` };
  // A nameless close may mean another build, and so may one whose number several builds have.
  const isPlain = request.kind === 'close' && request.last && request.build.repo.numbers === 'run';
  if (isPlain && jobs !== expected)
    return { kind: 'finding', what: `${expected} jobs were answered 200 before this close, but it says ${jobs}` };
  return { kind: 'done' };
}

/**
 * A build that nobody has closed yet cannot be worked out again: a close may be answered before its result is there.
 */
function judgeRerun(text: string, { exists }: Promised): Judged {
  if (/never been closed/.test(text) || (/No build matching/.test(text) && !exists)) return { kind: 'too early' };
  return unexpected({ status: 422, text });
}

function judgeClose(named: boolean, text: string, { exists, youngest }: Promised): Judged {
  if (named)
    return /No build matching/.test(text) && !exists ? { kind: 'too early' } : unexpected({ status: 422, text });
  // Without a name it finds nothing when deadlines have closed everything; not so soon after a job.
  const mayBeClosed = youngest === undefined || performance.now() > youngest + LATE_PERIOD;
  return /No open parallel build/.test(text) && mayBeClosed ? { kind: 'too early' } : unexpected({ status: 422, text });
}

function unexpected({ status, text }: { readonly status: number; readonly text: string }): Judged {
  return { kind: 'finding', what: `answered ${status}: ${text.slice(0, 300)}`, repeat: status >= 500 };
}
