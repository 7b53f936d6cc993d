import { Fragment, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from '../domain/printable.ts';
import { STYLES } from './styles.ts';

/** What is rendered in one go: a part of a page, or tags of our own that stand around the parts between them. */
export type Part = VNode | { readonly tags: string } | null | undefined | false;

/**
 * A whole page as HTML text, in pieces that are rendered as they are asked for: others can be answered between two of
 * them. Everything in the parts and `title` is escaped by the renderer, and whatever hides or reorders text is written
 * out (rule 26).
 */
export function* renderPage(title: string, header: VNode | undefined, main: Iterable<Part>): Generator<string> {
  const head = (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLES }} />
    </head>
  );
  yield `<!doctype html><html lang="en">${render(head)}<body>${header === undefined ? '' : render(header)}<main>`;
  for (const part of main) if (part) yield 'tags' in part ? part.tags : render(part);
  yield '</main></body></html>';
}

function render(part: VNode): string {
  return showHidden(renderToString(part));
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
