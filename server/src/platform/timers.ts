/** Waiting, as an argument, so that tests move the time instead of waiting. */
export interface Timers {
  /** Milliseconds since some moment in the past, which nobody can set back. */
  elapsed(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `run` once after `ms`; 0: after one turn of the event loop. */
  start(ms: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
  /** It no longer keeps the process alive. */
  unref(): void;
}
