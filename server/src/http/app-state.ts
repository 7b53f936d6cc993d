import type { FailureCode } from '../domain/failure.ts';

/** Structured lines; the Logger port fits. */
export interface AppLogger {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

/** What the middleware leaves for those after it. */
export interface AppState {
  /** As answered in X-Request-Id. */
  requestId: string;
  /** Throws a Failure where a field that is none for a token holds one; `text` is what the fields were read from. */
  refuseTokens: (fields: object, text: string) => void;
  /** The code of the failure that was answered, for the log. */
  failure?: FailureCode;
}
