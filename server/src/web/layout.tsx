import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from '../domain/printable.ts';
import { STYLES } from './styles.ts';

/**
 * A whole page as HTML text. Everything in `children` and `title` is escaped by the renderer, and whatever hides or
 * reorders text is written out (rule 26).
 */
export function renderPage(title: string, children: ComponentChildren): string {
  const page: VNode = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>{children}</body>
    </html>
  );
  return `<!doctype html>${showHidden(renderToString(page))}`;
}
