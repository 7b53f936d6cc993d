import type { VNode } from 'preact';
import type { PageContext } from './page-context.ts';

/** What chats and search engines show of a link. */
export interface Unfurling {
  readonly title: string;
  readonly description: string;
  /** Absolute. */
  readonly address: string;
}

export interface HeadOf {
  readonly page: PageContext;
  readonly title: string;
  readonly unfurling: Unfurling | undefined;
  readonly favicon: string | undefined;
  readonly follows: boolean;
}

/** Seconds after which a page that will say something else is loaded again. With a script it asks for itself. */
const RELOAD = 20;

export function PageHead({ page: { site }, title, unfurling, favicon = site.icon, follows }: HeadOf): VNode {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Coverage`}</title>
      {unfurling === undefined ? <meta name="robots" content="noindex" /> : <OpenGraph {...unfurling} />}
      <link rel="icon" type="image/svg+xml" href={favicon} />
      <link rel="stylesheet" href={site.style} />
      <script type="module" src={site.script} />
      {follows && (
        <noscript>
          <meta http-equiv="refresh" content={String(RELOAD)} />
        </noscript>
      )}
    </head>
  );
}

function OpenGraph({ title, description, address }: Unfurling): VNode {
  const properties = { 'og:type': 'website', 'og:title': title, 'og:description': description, 'og:url': address };
  return (
    <>
      {Object.entries(properties).map(([property, content]) => (
        <meta property={property} content={content} />
      ))}
      <meta name="description" content={description} />
    </>
  );
}
