import type Router from '@koa/router';
import type { ListRefused, ShowUploads } from '../../use-cases/uploads/list-refused.ts';
import type { RenderUploadsPage } from '../../web/uploads-page.tsx';
import type { IdentifyCaller } from '../middleware/authenticate.ts';
import { sendPage } from '../middleware/send-pieces.ts';
import type { PageOf } from '../presenters/page-of.ts';
import { presentRefused } from '../presenters/refused-json.ts';
import { readRepoPath } from './read-query.ts';
import { type RepoPageRoutesDeps, registerPart } from './repo-pages.ts';

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
