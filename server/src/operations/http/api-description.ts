import type Router from '@koa/router';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { RenderApiPage } from '../pages/api-page.tsx';
import type { ApiDocument } from './document.ts';

export interface ApiDescriptionDeps {
  /** BASE_URL, or where the server listens. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly pageOf: PageOf;
  readonly renderApiPage: RenderApiPage;
}

/** `GET /api/openapi.json`, for programs, and the page `GET /api`. */
export function registerApiDescription(router: Router, deps: ApiDescriptionDeps): void {
  const { baseUrl, version, pageOf, renderApiPage } = deps;
  let described: Promise<ApiDocument> | undefined;
  // Once: it takes longer than any other answer, and the address is known before the first request. The schemas of
  // answers were an eighth of each start.
  const describe = (): Promise<ApiDocument> => {
    described ??= import('./document.ts').then(({ describeApi }) => describeApi({ url: baseUrl(), version }));
    return described;
  };

  router.get('/api/openapi.json', async (context) => {
    context.body = await describe();
  });

  router.get('/api', async (context) => {
    const { toReadable } = await import('./readable.ts');
    await sendPage(context, renderApiPage(toReadable(await describe()), pageOf(context)));
  });
}
