import type Router from '@koa/router';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { RenderApiPage } from '../pages/api-page.tsx';
import { type ApiDocument, describeApi } from './document.ts';
import { toReadable } from './readable.ts';

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
  let described: ApiDocument | undefined;
  // Once: it takes longer than any other answer, and the address is known before the first request.
  const describe = (): ApiDocument => {
    described ??= describeApi({ url: baseUrl(), version });
    return described;
  };

  router.get('/api/openapi.json', (context) => {
    context.body = describe();
  });

  router.get('/api', async (context) => {
    await sendPage(context, renderApiPage(toReadable(describe()), pageOf(context)));
  });
}
