import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { createShareLink, listShareLinks, revokeShareLink } from '../../access/share-links.ts';
import { readField, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { listMembers, putMember, removeMember } from '../members.ts';
import { renderMadeLinkPage, renderSharingPage } from '../pages/sharing-forms.tsx';
import { leadToSignIn } from './account-routes.ts';
import { readRole } from './members-routes.ts';
import { shareAddress } from './share-link-json.ts';
import { readWantedLink } from './share-links-routes.ts';

/** `/sharing`: who else reads a repo, and what its forms send. */
export function registerSharingForms(router: Router, services: Services): void {
  const { addresses, pageOf, basePath } = services;
  const form = takeForm(services);
  const back = (context: RouterContext): void =>
    leadTo(context, pageOf(context).links.sharingOf(requestOf(context).address));

  router.get('/sharing', async (context) => {
    if (context.state.visitor?.person === undefined) return leadToSignIn(context, basePath);
    const [service = '', name = ''] = ['service', 'repo'].map((field) => readField(context.query, field));
    const request = { caller: personOf(context).caller, address: readRepoPath(service, name) };
    const { repo, links, commit } = await listShareLinks(services, request);
    const shown = { repo, links, commit, members: await listMembers(services, request) };
    await sendPage(context, renderSharingPage(shown, pageOf(context)));
  });

  router.post('/sharing/links', form, async (context) => {
    const field = formOf(context);
    const fields = { name: field('name'), expires_in_days: field('expires_in_days'), source: field('source') !== '' };
    const made = await createShareLink(services, { ...requestOf(context), wanted: readWantedLink(fields) });
    await sendPage(context, renderMadeLinkPage({ ...made, url: shareAddress(made, addresses) }, pageOf(context)));
  });

  router.post('/sharing/revoke', form, async (context) => {
    await revokeShareLink(services, { ...requestOf(context), id: Number(formOf(context)('id')) });
    back(context);
  });

  router.post('/sharing/members', form, async (context) => {
    const field = formOf(context);
    const request = { ...requestOf(context), account: field('account') };
    if (field('role') === 'none') await removeMember(services, request);
    else await putMember(services, { ...request, role: readRole({ role: field('role') }) });
    back(context);
  });
}

function requestOf(context: RouterContext): RepoRequest {
  const field = formOf(context);
  return { caller: personOf(context).caller, address: readRepoPath(field('service'), field('repo')) };
}
