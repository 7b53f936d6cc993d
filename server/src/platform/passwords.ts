import type { QueueKey } from './scheduler.ts';

/** Keeps passwords so that a reader of the store cannot tell them. */
export interface Passwords {
  /** What is stored of a password, with its salt and parameters. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the stored one; against undefined, if nobody has it, it takes as long. Throws a Failure
   * `unavailable` while too many of its share are being compared.
   */
  matches(password: string, stored: string | undefined, key: QueueKey): Promise<boolean>;
}
