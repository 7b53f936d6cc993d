import type { FetchRefusal } from '../core/repo/no-text.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { StoredSource } from './report-bytes.ts';

/** A file's text from the store, else from its git host. */
export type FetchSource = (asked: {
  readonly repo: Repo;
  readonly commit: string;
  readonly path: string;
  /** Milliseconds that the asker waits; 4,000 where undefined. What comes later is kept for the next time. */
  readonly longestWait?: number;
}) => Promise<StoredSource | FetchRefusal>;
