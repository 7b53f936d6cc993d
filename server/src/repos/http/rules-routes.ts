import type Router from '@koa/router';
import { readCount, readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { renderGroupPage } from '../pages/group-page.tsx';
import { renderGroupsPage } from '../pages/groups-page.tsx';
import { renderRulesPage } from '../pages/rules-page.tsx';
import { listGroups, showGroup } from '../show-groups.ts';
import { showRules } from '../show-rules.ts';
import { registerPart } from './repo-pages-routes.ts';

const ORDERS = ['missed', 'lowest', 'drop', 'gain'] as const;
/** For a group. */
const FILES_ON_PAGE = { default: 20, max: 100 };

/** `GET .../rules?build=`, `.../groups?by=owner` and `.../groups/<id>` of a repo. */
export function registerRulesRoutes(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'rules', async (context, address) => {
    const caller = await identifyReader(context);
    const shown = await showRules(services, { caller, address, build: readCount(context.query, 'build') });
    await sendPage(context, renderRulesPage(shown, pageOf(context)));
  });
  registerPart(router, services, 'groups', async (context, address) => {
    const shown = await listGroups(services, { caller: await identifyReader(context), address });
    const by = readField(context.query, 'by') === 'owner' ? 'owner' : 'group';
    await sendPage(context, renderGroupsPage(shown, by, pageOf(context)));
  });
  registerPart(router, services, 'groups/:group', async (context, address) => {
    const { group: id = '' } = context.params;
    const { query } = context;
    const asked = { query: readField(query, 'q') ?? '', sort: ORDERS.find((one) => one === readField(query, 'sort')) };
    const shown = await showGroup(services, {
      ...{ caller: await identifyReader(context), address, id },
      asked: { ...asked, sort: asked.sort ?? 'missed' },
      paging: readPaging(query, FILES_ON_PAGE),
    });
    await sendPage(context, renderGroupPage(shown, pageOf(context)));
  });
}
