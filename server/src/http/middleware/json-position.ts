/** Where a text stops being JSON. */
export interface JsonPosition {
  /** Characters before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Where `text`, which is not JSON, goes wrong. The engine's own message is of no use to a caller: some of its forms
 * hold no position, others hold a piece of the text, which may be a secret.
 */
export function locateJsonError(text: string): JsonPosition {
  const offset = statedOffset(text) ?? firstWrong(text);
  const before = text.slice(0, offset).split('\n');
  return { offset, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/**
 * The offset in the engine's message, the text's length where it ends too early; undefined where the message has
 * neither.
 */
function statedOffset(text: string): number | undefined {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.startsWith('Unexpected end')) return text.length;
    const digits = / at position (\d+)/.exec(message)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }
}

/** The longest beginning of the text that could still become JSON, by halves: 20 attempts for a megabyte. */
function firstWrong(text: string): number {
  let [good, wrong] = [0, text.length];
  while (good + 1 < wrong) {
    const middle = (good + wrong) >> 1;
    if ((statedOffset(text.slice(0, middle)) ?? -1) >= middle) good = middle;
    else wrong = middle;
  }
  return good;
}
