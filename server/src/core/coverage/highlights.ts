/**
 * The parts of a text that are colored: four numbers each (line from 0 on, first character, the one after the last,
 * index into HIGHLIGHT_KINDS), in order. Empty: the text stays plain.
 */
export type Highlights = Uint32Array;

export const HIGHLIGHT_KINDS = ['keyword', 'string', 'comment'] as const;
export const NUMBERS_PER_RUN = 4;
