import { LRUCache } from 'lru-cache';
import type { Fetch } from '../../platform/outgoing.ts';

/**
 * A fetch that keeps answers with their ETags and has GitHub confirm them: a 304 does not count in the hourly limit
 * (docs.github.com, "Use conditional requests if appropriate"). For GET requests only.
 */
export type RememberAnswers = (sending: Fetch) => Fetch;

export interface RememberedLimits {
  readonly maxAnswers: number;
  /** Characters of all answers together. One that needs more than an eighth of them is not kept. */
  readonly maxCharacters: number;
}

interface Remembered {
  readonly etag: string;
  readonly text: string;
  readonly headers: Headers;
}

const LIMITS: RememberedLimits = { maxAnswers: 500, maxCharacters: 8 * 1024 * 1024 };

/**
 * Answers of one token, by address. Nothing is ever answered without asking: what is remembered is what GitHub says
 * now. Rejects if an answer's text does not arrive whole, as a fetch does that loses its connection.
 */
export function createRememberedAnswers(limits: RememberedLimits = LIMITS): RememberAnswers {
  return createSharedAnswers(limits)('');
}

/** The same for several sign-ins that share the limits and never see each other's answers. */
export function createSharedAnswers(limits: RememberedLimits = LIMITS): (signIn: string) => RememberAnswers {
  const answers = new LRUCache<string, Remembered>({
    max: limits.maxAnswers,
    maxSize: limits.maxCharacters,
    maxEntrySize: Math.floor(limits.maxCharacters / 8),
    sizeCalculation: ({ text }) => Math.max(1, text.length),
  });
  return (signIn) => rememberIn(answers, signIn);
}

const rememberIn =
  (answers: LRUCache<string, Remembered>, signIn: string): RememberAnswers =>
  (sending) =>
  async (input, init) => {
    const address = `${signIn} ${String(input)}`;
    const known = answers.get(address);
    const answer = await sending(input, known === undefined ? init : withEtag(init, known.etag));
    if (answer.status === 304 && known !== undefined) return answerFrom(known);
    const etag = answer.headers.get('etag');
    if (answer.status !== 200 || etag === null) return answer;
    const fresh = { etag, text: await answer.text(), headers: answer.headers };
    answers.set(address, fresh);
    return answerFrom(fresh);
  };

function withEtag(init: RequestInit | undefined, etag: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('if-none-match', etag);
  return { ...init, headers };
}

function answerFrom({ text, headers }: Remembered): Response {
  return new Response(text, { status: 200, headers });
}
