import type Router from '@koa/router';
import type { RefusedUpload } from '../../core/builds/refused-upload.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { registerPart } from '../../repos/http/repo-pages-routes.ts';
import type { Services } from '../../services/services.ts';
import { listRefused, showUploads } from '../list-refused.ts';
import { renderUploadsPage } from '../pages/uploads-page.tsx';

const PATHS = ['/api/v1/repos', '/api/repos'].map((path) => `${path}/:service/:owner/*name/uploads/refused`);

/** `GET .../uploads/refused` of a repo, registered before the repos, whose names take any number of segments. */
export function registerRefusedUploads(router: Router, services: Services): void {
  const { identifyCaller } = services;
  router.get(PATHS, async (context) => {
    const { service = '', owner = '', name = '' } = context.params;
    const address = readRepoPath(service, `${owner}/${name}`);
    const { refused } = await listRefused(services, { caller: await identifyCaller(context), address });
    context.body = presentRefused(refused);
  });
}

/** `GET /<service>/<owner>/<repo>/uploads` */
export function registerUploadsPage(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'uploads', async (context, address) => {
    const shown = await showUploads(services, { caller: await identifyReader(context), address });
    await sendPage(context, renderUploadsPage(shown, pageOf(context)));
  });
}

/** `GET /api/v1/repos/<service>/<name>/uploads/refused` */
function presentRefused(refused: readonly RefusedUpload[]): Answer<'refusedUploads'> {
  return {
    refused: refused.map(({ code, sentence, field, client, firstAt, lastAt, count, unproven }) => ({
      code,
      message: sentence,
      field: field ?? null,
      client: client ?? null,
      count,
      proven: unproven !== true,
      first_at: new Date(firstAt).toISOString(),
      last_at: new Date(lastAt).toISOString(),
    })),
  };
}
