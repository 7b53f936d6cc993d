import { move } from 'piscina';
import { MAX_HIGHLIGHTED_TEXT } from '../ports/highlighter.ts';
import { highlightText } from './highlight-text.ts';
import { unpackText } from './read-stored.ts';

export interface HighlightTask {
  readonly name: string;
  /** As stored, compressed. */
  readonly bytes: Uint8Array;
}

/** The entry of the thread that colours. A character is three bytes at most. */
export default async function highlight(task: HighlightTask): Promise<unknown> {
  const { name, bytes } = task;
  const text = unpackText(bytes, MAX_HIGHLIGHTED_TEXT * 3);
  const runs = text.length > MAX_HIGHLIGHTED_TEXT ? new Uint32Array(0) : await highlightText(name, text);
  return move(runs.buffer as ArrayBuffer);
}
