import type { Ended } from '../metrics.ts';

type Work<Input extends unknown[], Value> = (...input: Input) => Promise<Value>;

/** The same work; `onEnd` is told how long each call took, and what it threw. */
export function timed<Input extends unknown[], Value>(
  work: Work<Input, Value>,
  onEnd: (end: Ended, error: unknown) => void,
): Work<Input, Value> {
  return async (...input) => {
    const since = performance.now();
    const end = (failed: boolean, error?: unknown): void =>
      onEnd({ seconds: (performance.now() - since) / 1_000, failed }, error);
    try {
      const value = await work(...input);
      end(false);
      return value;
    } catch (error) {
      end(true, error);
      throw error;
    }
  };
}
