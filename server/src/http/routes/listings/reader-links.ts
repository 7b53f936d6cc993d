import type { Context } from 'koa';
import type { Caller } from '../../../domain/repo/caller.ts';
import type { SiteLinks } from '../../../web/site-links.ts';
import type { Addresses } from '../../presenters/addresses.ts';
import { createPageLinks } from '../../presenters/page-links.ts';
import { readField } from './listing-query.ts';

/** The links of a page for whoever asked for it. */
export function linksFor(context: Pick<Context, 'query'>, caller: Caller, addresses: Addresses): SiteLinks {
  return createPageLinks(addresses, caller.kind === 'repo' ? readField(context.query, 'repo_token') : undefined);
}
