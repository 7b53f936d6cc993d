import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for, in the words of the failure: "the status of the build". */
  readonly what: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** Called after each answer that was none: moves the time on, where that belongs to the test. */
  readonly meanwhile?: () => void;
}

/**
 * Asks again and again until the answer is neither undefined, null nor false, and gives that answer. A failure of the
 * last question is the cause of the error that ends the wait.
 */
export async function waitFor<T>(
  question: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const { what, timeoutMs = 10_000, intervalMs = 25, meanwhile } = options;
  const end = performance.now() + timeoutMs;
  for (;;) {
    const { answer, failure } = await ask(question);
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as Exclude<T, undefined | null | false>;
    if (performance.now() >= end) {
      const last =
        failure === undefined
          ? `the last answer was ${JSON.stringify(answer)}`
          : `the last question failed: ${failure}`;
      throw new Error(`Waited ${timeoutMs} ms for ${what} without success; ${last}`, { cause: failure });
    }
    meanwhile?.();
    await sleep(intervalMs);
  }
}

async function ask<T>(question: () => T | Promise<T>): Promise<{ answer?: T; failure?: unknown }> {
  try {
    return { answer: await question() };
  } catch (failure) {
    return { failure };
  }
}
