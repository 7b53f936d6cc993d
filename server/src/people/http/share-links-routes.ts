import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { requireCaller } from '../../access/browser/authenticate.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { createShareLink, listShareLinks, revokeShareLink, type WantedShareLink } from '../../access/share-links.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { fieldWrong } from './sentences.ts';
import { presentNewShareLink, presentShareLink } from './share-link-json.ts';

const PATHS = ['/api/v1', '/api'].map((path) => `${path}/repos/:service/*name/share-links`);
const USUAL_DAYS = 30;
const MAX_DAYS = 365;
const MAX_NAME = 100;

/** Links that read one repo without an account: made, listed and revoked by its maintainers. */
export function registerShareLinkRoutes(router: Router, services: Services): void {
  const { identifyCaller, addresses } = services;
  const identify = requireCaller(identifyCaller);

  router.get(PATHS, identify, async (context) => {
    const { links } = await listShareLinks(services, requestOf(context));
    context.body = { share_links: links.map(presentShareLink) };
  });

  router.post(PATHS, identify, smallBodies(), async (context) => {
    const wanted = readWantedLink((context.request.body ?? {}) as Readonly<Record<string, unknown>>);
    const made = await createShareLink(services, { ...requestOf(context), wanted });
    context.status = 201;
    context.body = presentNewShareLink(made, addresses);
  });

  router.delete(
    PATHS.map((path) => `${path}/:id`),
    identify,
    async (context) => {
      await revokeShareLink(services, { ...requestOf(context), id: Number(context.params.id) });
      context.status = 204;
    },
  );
}

/** For a repo whose address continues behind its name. */
export function requestOf({ state, params }: RouterContext): RepoRequest {
  const { service = '', name = '' } = params;
  return { caller: state.caller, address: readRepoPath(service, name) };
}

/** For JSON, or for a form, where numbers are text. Throws a Failure `payload-invalid`. */
export function readWantedLink(fields: Readonly<Record<string, unknown>>): WantedShareLink {
  const { name, expires_in_days: days = USUAL_DAYS, source = false } = fields;
  if (typeof name !== 'string' || name.trim() === '' || name.trim().length > MAX_NAME)
    throw refuse('name', name, `a text of 1 to ${MAX_NAME} characters that says what the link is for`);
  const count = typeof days === 'string' && /^\d{1,4}$/.test(days) ? Number(days) : days;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_DAYS)
    throw refuse('expires_in_days', days, `a whole number from 1 to ${MAX_DAYS}`);
  if (typeof source !== 'boolean') throw refuse('source', source, 'true or false');
  return { name: name.trim(), days: count, source };
}

function refuse(field: string, value: unknown, form: string): Failure {
  return new Failure('payload-invalid', fieldWrong({ field, form, found: quoteValue(value) }), { field });
}
