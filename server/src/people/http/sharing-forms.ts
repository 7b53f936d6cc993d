import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import type { ShareLinks } from '../../access/share-links.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readField, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { Members } from '../members.ts';
import type { RenderMadeLinkPage, RenderSharingPage } from '../pages/sharing-forms.tsx';
import { leadToSignIn } from './account-routes.ts';
import { readRole } from './members-routes.ts';
import { shareAddress } from './share-link-json.ts';
import { readWantedLink } from './share-links-routes.ts';

export interface SharingFormDeps {
  readonly shareLinks: ShareLinks;
  readonly members: Members;
  readonly addresses: Addresses;
  readonly pageOf: PageOf;
  readonly renderMadeLinkPage: RenderMadeLinkPage;
  readonly renderSharingPage: RenderSharingPage;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  readonly baseUrl: () => string;
}

/** `/sharing`: who else reads a repo, and what its forms send. */
export function registerSharingForms(router: Router, deps: SharingFormDeps): void {
  const { shareLinks, members, addresses, pageOf, renderMadeLinkPage, renderSharingPage, basePath } = deps;
  const form = takeForm(deps);
  const back = (context: RouterContext): void =>
    leadTo(context, pageOf(context).links.sharingOf(requestOf(context).address));

  router.get('/sharing', async (context) => {
    if (context.state.visitor?.person === undefined) return leadToSignIn(context, basePath);
    const [service = '', name = ''] = ['service', 'repo'].map((field) => readField(context.query, field));
    const request = { caller: personOf(context).caller, address: readRepoPath(service, name) };
    const { repo, links, commit } = await shareLinks.list(request);
    const shown = { repo, links, commit, members: await members.list(request) };
    await sendPage(context, renderSharingPage(shown, pageOf(context)));
  });

  router.post('/sharing/links', form, async (context) => {
    const field = formOf(context);
    const fields = { name: field('name'), expires_in_days: field('expires_in_days'), source: field('source') !== '' };
    const made = await shareLinks.create({ ...requestOf(context), wanted: readWantedLink(fields) });
    await sendPage(context, renderMadeLinkPage({ ...made, url: shareAddress(made, addresses) }, pageOf(context)));
  });

  router.post('/sharing/revoke', form, async (context) => {
    await shareLinks.revoke({ ...requestOf(context), id: Number(formOf(context)('id')) });
    back(context);
  });

  router.post('/sharing/members', form, async (context) => {
    const field = formOf(context);
    const request = { ...requestOf(context), account: field('account') };
    if (field('role') === 'none') await members.remove(request);
    else await members.put({ ...request, role: readRole({ role: field('role') }) });
    back(context);
  });
}

function requestOf(context: RouterContext): RepoRequest {
  const field = formOf(context);
  return { caller: personOf(context).caller, address: readRepoPath(field('service'), field('repo')) };
}
