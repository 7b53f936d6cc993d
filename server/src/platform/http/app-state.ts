import type { FailureCode } from '../../core/failure.ts';
import type { SharedRepo, SignedIn } from '../../core/repo/caller.ts';

/** Structured lines; the Logger port fits. */
export interface AppLogger {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

/** Whom a browser's cookies say that it is. */
export interface Visitor {
  readonly person: SignedIn | undefined;
  readonly shares: readonly SharedRepo[];
}

/** What the middleware leaves for those after it. */
export interface AppState {
  /** As answered in X-Request-Id. */
  requestId: string;
  /** Throws a Failure if a field that is none for a token holds one; `text` is what the fields were read from. */
  refuseTokens: (fields: object, text: string) => void;
  /** Whom the browser's cookies name; undefined without one. */
  visitor?: Visitor;
  /** What pages say of somebody who is signed in. */
  viewer?: { readonly name: string; readonly administrator: boolean };
  /** What each form of this browser must hold; undefined: it has no cookie that one could be bound to. */
  csrf?: string;
  /** The fields of a form of our own, once it was checked. */
  form?: (name: string) => string;
  /** The code of the failure that was answered, for the log. */
  failure?: FailureCode;
}
