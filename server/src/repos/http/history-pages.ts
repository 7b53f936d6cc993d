import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { formOf, personOf, takeForm } from '../../access/browser/forms.ts';
import { withUploadForm } from '../../access/browser/upload-forms.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { Failure } from '../../core/failure.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import {
  changeHistoryImport,
  type HistoryAction,
  type HistoryServices,
  showHistoryImport,
  takeHistory,
} from '../history-imports.ts';
import { renderHistoryPage } from '../pages/history-page.tsx';
import { registerPart } from './repo-pages-routes.ts';

type PageServices = Services & HistoryServices;

/** The bytes of an archive that is uploaded. */
const LARGEST_ARCHIVE = 128 * 2 ** 20;
const PART = 'settings/import';
const ACTIONS: readonly HistoryAction[] = ['start', 'pause', 'discard', 'remove'];
/** What the page itself reports. */
const REFUSED = { 'payload-invalid': 422, 'payload-too-large': 413, conflict: 409 } as const;

/** `GET` and `POST /<service>/<owner>/<repo>/settings/import`: with a file it is checked, else `do` says what to do. */
export function registerHistoryPages(router: Router, services: PageServices): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, PART, async (context, address) => {
    await send(context, services, { caller: await identifyReader(context), address });
  });

  registerPart(
    router,
    services,
    PART,
    async (context, address) => {
      let request: RepoRequest | undefined;
      // A person is known once the form has shown its token.
      const identify = async () => {
        request = { caller: await identifyReader(context), address };
        return request;
      };
      try {
        await (context.is('multipart/form-data')
          ? take(context, services, identify)
          : act(context, services, identify));
        context.status = 303;
        context.redirect(pageOf(context).links.ofRepo(address, PART));
      } catch (error) {
        if (request === undefined || !(error instanceof Failure) || !(error.code in REFUSED)) throw error;
        context.status = REFUSED[error.code as keyof typeof REFUSED];
        await send(context, services, request, error.message);
      }
    },
    { method: 'post' },
  );
}

type Identify = () => Promise<RepoRequest>;

async function take(context: RouterContext, services: PageServices, identify: Identify): Promise<void> {
  // Nobody who may not import anything keeps this server busy with a large body.
  if (context.get('Authorization') === '') personOf(context);
  else await showHistoryImport(services, await identify());
  await withUploadForm(context, { baseUrl: services.baseUrl(), limit: LARGEST_ARCHIVE }, async (file) => {
    const request = await identify();
    if (file === undefined) throw new Failure('payload-invalid', NO_FILE);
    await takeHistory(services, { ...request, archive: file });
  });
}

async function act(context: RouterContext, services: PageServices, identify: Identify): Promise<void> {
  await takeForm(services, { forPrograms: true })(context, async () => {});
  const request = await identify();
  const action = ACTIONS.find((one) => one === formOf(context)('do'));
  if (action === undefined) throw new Failure('payload-invalid', NO_FILE);
  await changeHistoryImport(services, { ...request, action });
}

async function send(context: RouterContext, services: PageServices, request: RepoRequest, refused?: string) {
  const { addresses, pageOf } = services;
  const shown = await showHistoryImport(services, request);
  await sendPage(context, renderHistoryPage({ shown, refused, root: addresses.root() }, pageOf(context)));
}

const NO_FILE = 'Choose the archive that you made from the folder coverage-history.';
