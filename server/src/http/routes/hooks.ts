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
  for (const { service, webhook } of deps.hosts.all)
    if (webhook !== undefined) registerHook(router, service, { ...deps, budget });
}

function registerHook(router: Router, service: Host['service'], deps: Required<HookRoutesDeps>): void {
  const { handleEvent, budget, hosts } = deps;

  router.post(`/hooks/${service}`, async (context) => {
    // As it is now: its App may have been made since the start.
    const host = hosts.all.find((one) => one.service === service);
    const webhook = host?.webhook;
    if (host === undefined || webhook === undefined) return;
    const header = (name: string): string | undefined => context.get(name) || undefined;
    webhook.checkHeaders({ header });
    const memory = budget.open(context.request.length);
    try {
      const setting = say.limitOf(host.name);
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
