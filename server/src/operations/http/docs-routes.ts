import { readFile } from 'node:fs/promises';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { type Docs, renderDocsPage, renderDocsSearch } from '../pages/docs-page.tsx';
import { searchDocs } from '../pages/docs-search.ts';

/** More than anybody types. */
const MAX_QUERY = 200;

/** `GET /docs` and its pages: the docs of this version, with `?q=` to search them, for everybody. */
export function registerDocs(
  router: Router,
  { readDocs, pageOf }: { readonly readDocs: () => Promise<Docs | undefined>; readonly pageOf: PageOf },
): void {
  const show = async (context: RouterContext, path: string): Promise<void> => {
    const docs = await readDocs();
    if (docs === undefined)
      throw new Failure('not-found', 'The docs are not here: "npm run build" creates them beside the server.');
    const page = docs.pages.find((one) => one.path === path);
    const moved = Object.hasOwn(docs.moved, path) ? docs.moved[path] : undefined;
    if (page === undefined && moved !== undefined) {
      context.status = 301;
      context.redirect(pageOf(context).links.docs(moved));
      return;
    }
    if (page === undefined)
      throw new Failure(
        'not-found',
        `The docs have no page ${quoteValue(path)}. /docs lists all of them, and /docs?q=words searches them.`,
      );
    const query = [context.query.q ?? ''].flat()[0]?.trim().slice(0, MAX_QUERY) ?? '';
    const shown = pageOf(context);
    context.set('Cache-Control', 'no-cache');
    await sendPage(
      context,
      query === '' ? renderDocsPage(page, shown) : renderDocsSearch(query, searchDocs(docs, query), shown),
    );
  };

  router.get('/docs', (context) => show(context, ''));
  router.get('/docs/:page', (context) => show(context, context.params.page ?? ''));
  router.get('/docs/:folder/:page', (context) => show(context, `${context.params.folder}/${context.params.page}`));
}

/** Created by scripts/bundle-docs.ts; the same place whether the server runs from its sources or built. */
const BUILT = new URL('../../../dist/docs.json', import.meta.url);

/** Reads them when they are first asked for: they are 1 MB. Undefined if they were not built. */
export function createDocsReader(path = BUILT): () => Promise<Docs | undefined> {
  let reading: Promise<Docs | undefined> | undefined;
  return () => {
    reading ??= readFile(path, 'utf8').then(
      (text) => JSON.parse(text) as Docs,
      () => {
        reading = undefined;
        return undefined;
      },
    );
    return reading;
  };
}
