import type Router from '@koa/router';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { renderApiPage } from '../pages/api-page.tsx';
import type { ApiDocument } from './document.ts';

/** `GET /api/openapi.json`, for programs, and the page `GET /api`. */
export function registerApiDescription(
  router: Router,
  services: Pick<Services, 'baseUrl' | 'pageOf' | 'version'>,
): void {
  const { baseUrl, version, pageOf } = services;
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
