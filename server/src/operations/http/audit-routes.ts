import type Router from '@koa/router';
import type { Context } from 'koa';
import type { IdentifyCaller, IdentifyReader } from '../../access/browser/authenticate.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readCount, readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { readAuditFilter } from '../audit-filter.ts';
import type { RenderAuditPage } from '../pages/audit-page.tsx';
import type { ShowAudit } from '../read-audit.ts';
import { presentAuditEntry } from './audit-json.ts';

export interface AuditRoutesDeps {
  readonly identifyCaller: IdentifyCaller;
  readonly identifyReader: IdentifyReader;
  readonly showAudit: ShowAudit;
  readonly pageOf: PageOf;
  readonly renderAuditPage: RenderAuditPage;
}

const SIZES = { usual: 100, most: 1_000 };

/** `GET /api/v1/audit` and `GET /admin/audit`: the newest entries, or those before `before`. */
export function registerAuditRoutes(router: Router, deps: AuditRoutesDeps): void {
  const { identifyCaller, identifyReader, showAudit, pageOf, renderAuditPage } = deps;

  router.get('/api/v1/audit', async (context) => {
    const caller = await identifyCaller(context);
    const { entries, people, next } = await showAudit({ caller, part: partOf(context) });
    context.body = { entries: entries.map((entry) => presentAuditEntry(entry, people)), next_before: next ?? null };
  });

  router.get('/admin/audit', async (context) => {
    const caller = await identifyReader(context);
    const { repo, action } = searchOf(context);
    const shown = await showAudit({ caller, part: partOf(context) });
    await sendPage(context, renderAuditPage({ ...shown, repo, action }, pageOf(context)));
  });
}

function searchOf({ query }: Context) {
  const [repo, action, since, until] = ['repo', 'action', 'since', 'until'].map((name) => readField(query, name));
  return { repo, action, since, until };
}

function partOf(context: Context) {
  const { size: limit } = readPaging(context.query, SIZES);
  const beyond = readCount(context.query, 'before');
  return { ...readAuditFilter(searchOf(context)), beyond, limit, newestFirst: true };
}
