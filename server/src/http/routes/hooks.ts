import type Router from '@koa/router';
import * as say from '../../messages/bodies.ts';
import type { Host, Hosts } from '../../ports/host.ts';
import type { HandleEvent } from '../../use-cases/provider-events/handle-event.ts';
import { readBody } from '../middleware/read-body.ts';
import { createUploadBudget, type UploadBudget } from '../middleware/upload-budget.ts';
import { presentEventOutcome } from '../presenters/event-outcome-json.ts';

export interface HookRoutesDeps {
  readonly hosts: Pick<Hosts, 'all'>;
  readonly handleEvent: HandleEvent;
  /** The memory of all bodies that are held at once; HOOKS_MEMORY by default. */
  readonly budget?: UploadBudget;
}

/** Bytes: two of the largest deliveries of GitHub, and any number of usual ones. */
const HOOKS_MEMORY = 64 * 1024 * 1024;

/** `POST /hooks/<service>` for each host: its webhook. */
export function registerHookRoutes(router: Router, deps: HookRoutesDeps): void {
  const budget = deps.budget ?? createUploadBudget({ bytes: HOOKS_MEMORY });
  for (const host of deps.hosts.all) registerHook(router, host, { ...deps, budget });
}

function registerHook(router: Router, host: Host, deps: Required<HookRoutesDeps>): void {
  const { webhook, service, name: hostName } = host;
  const { handleEvent, budget } = deps;
  if (webhook === undefined) return;

  router.post(`/hooks/${service}`, async (context) => {
    const header = (name: string): string | undefined => context.get(name) || undefined;
    webhook.checkHeaders({ header });
    const memory = budget.open(context.request.length);
    try {
      const setting = say.limitOf(hostName);
      const body = await readBody(context.req, { limit: webhook.bodyLimit, setting, memory });
      const { name, event } = webhook.read({ header, body });
      const outcome = event && (await handleEvent(host, event));
      context.status = outcome?.known === true ? 200 : 202;
      context.body = presentEventOutcome(name, outcome);
    } finally {
      memory.release();
    }
  });
}
