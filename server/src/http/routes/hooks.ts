import type Router from '@koa/router';
import type { ProviderHook } from '../../ports/provider-events.ts';
import type { HandleEvent } from '../../use-cases/provider-events/handle-event.ts';
import { readBody } from '../middleware/read-body.ts';
import { createUploadBudget, type UploadBudget } from '../middleware/upload-budget.ts';
import { presentEventOutcome } from '../presenters/event-outcome-json.ts';

export interface HookRoutesDeps {
  readonly githubHook: ProviderHook;
  readonly handleEvent: HandleEvent;
  /** The memory of all bodies that are held at once; HOOKS_MEMORY unless told. */
  readonly budget?: UploadBudget;
}

/** GitHub sends no more in one delivery (docs.github.com, "Webhook events and payloads", "Payload cap"). */
const MAX_DELIVERY = 25 * 1024 * 1024;
/** Bytes: two of the largest deliveries, and any number of usual ones. */
const HOOKS_MEMORY = 64 * 1024 * 1024;

/** `POST /hooks/github`: GitHub's webhook. */
export function registerHookRoutes(router: Router, deps: HookRoutesDeps): void {
  const { githubHook, handleEvent, budget = createUploadBudget({ bytes: HOOKS_MEMORY }) } = deps;

  router.post('/hooks/github', async (context) => {
    const header = (name: string): string | undefined => context.get(name) || undefined;
    githubHook.checkHeaders({ header });
    const memory = budget.open(context.request.length);
    try {
      const body = await readBody(context.req, { limit: MAX_DELIVERY, setting: "GitHub's own limit", memory });
      const { name, event } = githubHook.read({ header, body });
      const heard = event && (await handleEvent(event));
      context.status = heard?.known === true ? 200 : 202;
      context.body = presentEventOutcome(name, heard);
    } finally {
      memory.release();
    }
  });
}
