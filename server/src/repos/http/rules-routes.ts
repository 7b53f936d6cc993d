import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { formOf, takeForm } from '../../access/browser/forms.ts';
import { ALL_DAYS } from '../../builds/trend.ts';
import { Failure } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readCount, readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { checkFile } from '../check-file.ts';
import { renderGroupPage } from '../pages/group-page.tsx';
import { renderGroupsPage } from '../pages/groups-page.tsx';
import { renderRulesPage } from '../pages/rules-page.tsx';
import { listGroups, showGroup } from '../show-groups.ts';
import { showRules } from '../show-rules.ts';
import { bounded, registerPart } from './repo-pages-routes.ts';

const ORDERS = ['missed', 'lowest', 'drop', 'gain'] as const;
/** For a group. */
const FILES_ON_PAGE = { default: 20, max: 100 };

/** `GET .../rules?build=`, `POST .../rules`, which checks a file, `.../groups?by=owner` and `.../groups/<id>`. */
export function registerRulesRoutes(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'rules', async (context, address) => {
    const caller = await identifyReader(context);
    const shown = await showRules(services, { caller, address, build: readCount(context.query, 'build') });
    await sendPage(context, renderRulesPage(shown, pageOf(context)));
  });
  const readForm = takeForm(services, { forPrograms: true });
  const check = async (context: RouterContext, address: RepoAddress): Promise<void> => {
    await readForm(context, async () => {});
    const caller = await identifyReader(context);
    if (caller.kind === 'anonymous') throw new Failure('credential-missing', 'Sign in to check a file here.');
    const shown = await showRules(services, { caller, address, build: undefined });
    // Browsers send CRLF, whatever was typed or pasted.
    const text = formOf(context)('file').replaceAll('\r\n', '\n');
    await sendPage(context, renderRulesPage(shown, pageOf(context), checkFile(services, shown.repo, text)));
  };
  registerPart(router, services, 'rules', check, { method: 'post' });
  registerGroupRoutes(router, services);
}

function registerGroupRoutes(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'groups', async (context, address) => {
    const shown = await listGroups(services, { caller: await identifyReader(context), address });
    const by = readField(context.query, 'by') === 'owner' ? 'owner' : 'group';
    await sendPage(context, renderGroupsPage(shown, by, pageOf(context)));
  });
  registerPart(router, services, 'groups/:group', async (context, address) => {
    const { group: id = '' } = context.params;
    const { query } = context;
    const days = bounded(query, 'days', { default: 30, max: ALL_DAYS });
    const sort = ORDERS.find((one) => one === readField(query, 'sort')) ?? 'missed';
    const shown = await showGroup(services, {
      ...{ caller: await identifyReader(context), address, id },
      asked: { query: readField(query, 'q') ?? '', sort, days },
      paging: readPaging(query, FILES_ON_PAGE),
    });
    await sendPage(context, renderGroupPage(shown, pageOf(context)));
  });
}
