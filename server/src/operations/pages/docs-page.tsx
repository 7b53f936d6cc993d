import type { VNode } from 'preact';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { Part } from '../../platform/web/render-parts.tsx';
import type { SiteLinks } from '../../platform/web/site-links.ts';

/** A heading of a page with what follows it, as plain text. */
export interface DocsSection {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Created by scripts/bundle-docs.ts from our own docs. */
export interface DocsPage {
  /** Below /docs; empty: the list of all pages. */
  readonly path: string;
  readonly title: string;
  /** Links to other pages begin with `docs:`. */
  readonly html: string;
  readonly sections: readonly DocsSection[];
}

export interface Docs {
  readonly pages: readonly DocsPage[];
  /** Pages that became a part of another one, by their former path: where they are now, with the heading. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Something that a search found. */
export interface DocsHit {
  readonly page: DocsPage;
  readonly section: DocsSection;
  readonly excerpt: string;
}

/** One page of the docs. */
export function renderDocsPage({ path, title, html, sections }: DocsPage, page: PageContext): Iterable<string> {
  const { links } = page;
  const [, ...parts] = sections;
  const text = html
    .replaceAll('href="docs:', `href="${links.docs()}/`)
    .replaceAll(`${links.docs()}/#`, `${links.docs()}#`);
  return renderPage(page, frameOf(links, path === '' ? undefined : title), [
    <Search links={links} text="" />,
    parts.length > 2 && path !== '' && (
      <details class="docs-parts">
        <summary>On this page</summary>
        <ul>
          {parts.map((one) => (
            <li>
              <a href={`#${one.id}`}>{one.title}</a>
            </li>
          ))}
        </ul>
      </details>
    ),
    { tags: `<article class="prose docs">${text}</article>` },
  ]);
}

/** What a search found. */
export function renderDocsSearch(query: string, hits: readonly DocsHit[], page: PageContext): Iterable<string> {
  const { links } = page;
  return renderPage(page, frameOf(links, 'Search'), hitParts(query, hits, links));
}

function* hitParts(query: string, hits: readonly DocsHit[], links: SiteLinks): Generator<Part> {
  yield (
    <>
      <h1>Search the docs</h1>
      <Search links={links} text={query} />
      {hits.length === 0 && <p>No page has all of these words. Try fewer, or look at the list of all pages.</p>}
    </>
  );
  for (const { page, section, excerpt } of hits)
    yield (
      <section class="prose docs">
        <h2>
          <a href={`${links.docs(page.path)}#${section.id}`}>
            {page.title === section.title ? section.title : `${page.title}: ${section.title}`}
          </a>
        </h2>
        <p>{excerpt}</p>
      </section>
    );
}

function frameOf(links: SiteLinks, title: string | undefined) {
  if (title === undefined) return { title: 'Docs', crumbs: [{ name: 'Docs' }] };
  return { title, crumbs: [{ name: 'Docs', href: links.docs() }, { name: title }] };
}

function Search({ links, text }: { readonly links: SiteLinks; readonly text: string }): VNode {
  return (
    <form class="filter" action={links.docs()} role="search">
      <input type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" value={text} size={28} />
      <button type="submit" class="btn">
        Search
      </button>
    </form>
  );
}
