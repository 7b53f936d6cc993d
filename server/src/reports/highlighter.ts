import type { Highlights } from '../core/coverage/highlights.ts';
import type { StoredSource } from './report-bytes.ts';

/** Characters of a text that is colored, and of a line: longer ones stay plain. */
export const MAX_HIGHLIGHTED_TEXT = 2 ** 20;
export const MAX_HIGHLIGHTED_LINE = 1_000;

/** Colors source texts, off the main thread, each content once. */
export interface Highlighter {
  /**
   * Repos take turns. `name` says which language it is. `pending`: not done yet, ask again in a moment. Never fails:
   * what cannot be colored, or takes too long, stays plain.
   */
  highlight(asked: {
    readonly repoId: number;
    readonly name: string;
    readonly source: StoredSource;
  }): Promise<Highlights | 'pending'>;
  close(): Promise<void>;
}
