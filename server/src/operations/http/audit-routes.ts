import type Router from '@koa/router';
import type { Context } from 'koa';
import { readCount, readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { readAuditFilter } from '../audit-filter.ts';
import { renderAuditPage } from '../pages/audit-page.tsx';
import { showAudit } from '../read-audit.ts';
import { presentAuditEntry } from './audit-json.ts';

const SIZES = { default: 100, max: 1_000 };

/** `GET /api/v1/audit` and `GET /admin/audit`: the newest entries, or those before `before`. */
export function registerAuditRoutes(router: Router, services: Services): void {
  const { identifyCaller, identifyReader, pageOf } = services;

  router.get('/api/v1/audit', async (context) => {
    const caller = await identifyCaller(context);
    const { entries, people, next } = await showAudit(services, { caller, part: partOf(context) });
    context.body = { entries: entries.map((entry) => presentAuditEntry(entry, people)), next_before: next ?? null };
  });

  router.get('/admin/audit', async (context) => {
    const caller = await identifyReader(context);
    const { repo, action } = searchOf(context);
    const shown = await showAudit(services, { caller, part: partOf(context) });
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
