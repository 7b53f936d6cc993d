import type { Answer } from './answer.ts';
import { failure } from './answer.ts';

/** What goes wrong with one request. `takesEffect`: GitHub did what was asked, only the answer is lost or false. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly message?: string; readonly takesEffect?: boolean }
  /** Asked to slow down; without `retryAfterSeconds` the header is missing, as it sometimes is. */
  | { readonly kind: 'secondary-limit'; readonly status?: 403 | 429; readonly retryAfterSeconds?: number }
  /** The hour's budget is spent until `resetAt`, seconds since 1970. */
  | { readonly kind: 'primary-limit'; readonly status?: 403 | 429; readonly resetAt: number }
  /** Done after a delay, even when the caller has left by then. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Arrives twice, as when something on the way sends it again: done twice, and answered with the second outcome. */
  | { readonly kind: 'duplicate' }
  /** The connection is cut without an answer. */
  | { readonly kind: 'drop'; readonly takesEffect: boolean }
  /** No answer ever comes; ends when the caller hangs up or the stand-in closes. */
  | { readonly kind: 'hang'; readonly takesEffect?: boolean };

/** What a rule sees of a request. */
export interface FaultedRequest {
  /** 0 for the first request that this stand-in got. */
  readonly index: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
}

export type FaultRule = (request: FaultedRequest) => Fault | undefined;

export interface Faults {
  /** The next `count` requests (of those that `only` picks) meet this fault. */
  next(count: number, fault: Fault, only?: (request: FaultedRequest) => boolean): void;
  /** Asked for every request that no `next` takes; answers a function that removes the rule. */
  when(rule: FaultRule): () => void;
  clear(): void;
  /** How many requests met a fault. */
  count(): number;
}

/** The faults, and the question that the server asks of them for each request. */
export function createFaults(): { faults: Faults; pick: FaultRule } {
  let queue: { left: number; fault: Fault; only: (request: FaultedRequest) => boolean }[] = [];
  const rules = new Set<FaultRule>();
  let met = 0;

  const find: FaultRule = (request) => {
    const entry = queue.find(({ only }) => only(request));
    if (entry) {
      entry.left -= 1;
      queue = queue.filter(({ left }) => left > 0);
      return entry.fault;
    }
    for (const rule of rules) {
      const fault = rule(request);
      if (fault) return fault;
    }
    return undefined;
  };

  const faults: Faults = {
    next(count, fault, only = () => true) {
      if (count > 0) queue.push({ left: count, fault, only });
    },
    when(rule) {
      rules.add(rule);
      return () => rules.delete(rule);
    },
    clear() {
      queue = [];
      rules.clear();
    },
    count: () => met,
  };
  const pick: FaultRule = (request) => {
    const fault = find(request);
    if (fault) met += 1;
    return fault;
  };
  return { faults, pick };
}

/** The answer of a fault that has one. */
export function answerOf(fault: Extract<Fault, { kind: 'status' | 'secondary-limit' | 'primary-limit' }>): Answer {
  if (fault.kind === 'status') return failure(fault.status, fault.message ?? `Fault on purpose: ${fault.status}`);
  if (fault.kind === 'primary-limit') {
    return failure(fault.status ?? 403, 'API rate limit exceeded for installation ID 1.', {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(fault.resetAt),
    });
  }
  const seconds = fault.retryAfterSeconds;
  return failure(
    fault.status ?? 403,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    seconds === undefined ? {} : { 'retry-after': String(seconds) },
  );
}

export function takesEffect(fault: Fault): boolean {
  return fault.kind === 'slow' || fault.kind === 'duplicate' || ('takesEffect' in fault && fault.takesEffect === true);
}
