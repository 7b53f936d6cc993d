import { move } from 'piscina';
import { MAX_HIGHLIGHTED_TEXT } from '../highlighter.ts';
import { createHighlightText, type HighlightBounds } from './highlight-text.ts';
import { unpackText } from './read-stored.ts';
import { ownProcessorTime } from './thread-time.ts';

export interface HighlightTask extends HighlightBounds {
  readonly name: string;
  /** As stored, compressed. */
  readonly bytes: Uint8Array;
}

const highlightText = createHighlightText({ elapsed: ownProcessorTime });

/** The entry of the thread that colors; undefined: it takes too long. A character is three bytes at most. */
export default async function highlight({ name, bytes, ...bounds }: HighlightTask): Promise<unknown> {
  const text = unpackText(bytes, MAX_HIGHLIGHTED_TEXT * 3);
  const isShort = text.length <= MAX_HIGHLIGHTED_TEXT;
  const runs = isShort ? await highlightText(name, text, bounds) : new Uint32Array(0);
  return runs && move(runs.buffer as ArrayBuffer);
}
