/**
 * A fetch that keeps answers with their ETags and has GitHub confirm them: a 304 costs nothing of the hour's budget
 * (docs.github.com, "Use conditional requests if appropriate"). For GET requests only.
 */
export type RememberAnswers = (sending: typeof fetch) => typeof fetch;

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
 * now. An answer whose text does not arrive whole rejects, as a fetch does that lost its connection.
 */
export function createRememberedAnswers(limits: RememberedLimits = LIMITS): RememberAnswers {
  return createSharedAnswers(limits)('');
}

/** The same for several who are not told each other's answers, and share the limits. */
export function createSharedAnswers(limits: RememberedLimits = LIMITS): (whose: string) => RememberAnswers {
  const shelf = createShelf(limits);
  return (whose) => rememberOn(shelf, whose);
}

const rememberOn =
  (shelf: ReturnType<typeof createShelf>, whose: string): RememberAnswers =>
  (sending) =>
  async (input, init) => {
    const address = `${whose} ${String(input)}`;
    const known = shelf.take(address);
    const answer = await sending(input, known === undefined ? init : withEtag(init, known.etag));
    if (answer.status === 304 && known !== undefined) return answerFrom(known);
    const etag = answer.headers.get('etag');
    if (answer.status !== 200 || etag === null) return answer;
    const fresh = { etag, text: await answer.text(), headers: answer.headers };
    shelf.keep(address, fresh);
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

/** Drops what was longest unused when it is full. */
function createShelf({ maxAnswers, maxCharacters }: RememberedLimits) {
  const answers = new Map<string, Remembered>();
  let characters = 0;
  const drop = (address: string): void => {
    characters -= answers.get(address)?.text.length ?? 0;
    answers.delete(address);
  };
  return {
    /** What is known, which is now the last used. */
    take(address: string): Remembered | undefined {
      const known = answers.get(address);
      if (known !== undefined) {
        answers.delete(address);
        answers.set(address, known);
      }
      return known;
    },
    keep(address: string, answer: Remembered): void {
      drop(address);
      if (answer.text.length > maxCharacters / 8) return;
      answers.set(address, answer);
      characters += answer.text.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers && characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
}
