import type { StoredSource } from './store.ts';

/**
 * The parts of a text that are coloured: four numbers each (line from 0 on, first character, the one after the last,
 * index into HIGHLIGHT_KINDS), in order. Empty: the text stays plain.
 */
export type Highlights = Uint32Array;

export const HIGHLIGHT_KINDS = ['keyword', 'string', 'comment'] as const;
export type HighlightKind = (typeof HIGHLIGHT_KINDS)[number];
export const NUMBERS_PER_RUN = 4;

/** Characters of a text that is coloured, and of a line: longer ones stay plain. */
export const MAX_HIGHLIGHTED_TEXT = 2 ** 20;
export const MAX_HIGHLIGHTED_LINE = 1_000;

/** Colours source texts, off the main thread, each content once. */
export interface Highlighter {
  /**
   * `name` says which language it is. `pending`: not done yet, ask again in a moment. Never fails: what cannot be
   * coloured, or takes too long, stays plain.
   */
  highlight(asked: { readonly name: string; readonly source: StoredSource }): Promise<Highlights | 'pending'>;
  close(): Promise<void>;
}
