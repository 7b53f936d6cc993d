import type Router from '@koa/router';
import type { IdentifyCaller } from '../../access/browser/authenticate.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { type RepoPageRoutesDeps, registerPart } from '../../repos/http/repo-pages-routes.ts';
import type { ListRefused, ShowUploads } from '../list-refused.ts';
import type { RenderUploadsPage } from '../pages/uploads-page.tsx';
import { presentRefused } from './refused-json.ts';

export interface RefusedUploadsDeps extends Pick<RepoPageRoutesDeps, 'identifyReader' | 'knowsRepo'> {
  readonly listRefused: ListRefused;
  readonly showUploads: ShowUploads;
  readonly identifyCaller: IdentifyCaller;
  readonly pageOf: PageOf;
  readonly renderUploadsPage: RenderUploadsPage;
}

const PATHS = ['/api/v1/repos', '/api/repos'].map((path) => `${path}/:service/:owner/*name/uploads/refused`);

/** `GET .../uploads/refused` of a repo, registered before the repos, whose names take any number of segments. */
export function registerRefusedUploads(
  router: Router,
  deps: Pick<RefusedUploadsDeps, 'listRefused' | 'identifyCaller'>,
): void {
  const { listRefused, identifyCaller } = deps;
  router.get(PATHS, async (context) => {
    const { service = '', owner = '', name = '' } = context.params;
    const address = readRepoPath(service, `${owner}/${name}`);
    const { refused } = await listRefused({ caller: await identifyCaller(context), address });
    context.body = presentRefused(refused);
  });
}

/** `GET /<service>/<owner>/<repo>/uploads` */
export function registerUploadsPage(
  router: Router,
  deps: Omit<RefusedUploadsDeps, 'listRefused' | 'identifyCaller'>,
): void {
  const { identifyReader, showUploads, pageOf, renderUploadsPage } = deps;
  registerPart(router, deps, 'uploads', async (context, address) => {
    const shown = await showUploads({ caller: await identifyReader(context), address });
    await sendPage(context, renderUploadsPage(shown, pageOf(context)));
  });
}
