import { Fragment, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from '../../core/printable.ts';

/** What is rendered in one go: a part of a page, or tags of our own that stand around the parts between them. */
export type Part = VNode | { readonly tags: string } | null | undefined | false;

/** Escaped by the renderer; whatever hides or reorders text is written out (rule 26). */
export function renderPart(part: VNode): string {
  return showHidden(renderToString(part));
}

/** Parts as text, made as they are asked for: others can be answered between two of them. */
export function* renderParts(parts: Iterable<Part>): Generator<string> {
  for (const part of parts) if (part) yield 'tags' in part ? part.tags : renderPart(part);
}

/** Rows that are rendered in one go: a page may have thousands. */
const ROWS_AT_ONCE = 25;

/** The rows of entries, each made when it is rendered. */
export function* mapRows<T>(entries: readonly T[], row: (entry: T) => VNode): Generator<VNode> {
  for (const entry of entries) yield row(entry);
}

/** Rows between tags, some at a time. */
export function* rowParts(before: string, rows: Iterable<VNode>, after: string): Generator<Part> {
  yield { tags: before };
  let some: VNode[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < ROWS_AT_ONCE) continue;
    yield h(Fragment, null, some);
    some = [];
  }
  yield h(Fragment, null, some);
  yield { tags: after };
}
