import type Router from '@koa/router';
import type { ProviderHook } from '../../../ports/provider-events.ts';
import type { HearGithub } from '../../../use-cases/hear-github/hear-github.ts';
import { readBody } from '../../middleware/read-body.ts';
import { createUploadBudget, type UploadBudget } from '../../middleware/upload-budget.ts';
import { presentHeard } from '../../presenters/heard-json.ts';

export interface HookRoutesDeps {
  readonly githubHook: ProviderHook;
  readonly hearGithub: HearGithub;
  /** The memory of all bodies that are held at once; HOOKS_MEMORY unless told. */
  readonly budget?: UploadBudget;
}

/** GitHub sends no more in one delivery (docs.github.com, "Webhook events and payloads", "Payload cap"). */
const MAX_DELIVERY = 25 * 1024 * 1024;
/** Bytes: two of the largest deliveries, and any number of usual ones. */
const HOOKS_MEMORY = 64 * 1024 * 1024;

/** `POST /hooks/github`: GitHub's webhook. */
export function registerHookRoutes(router: Router, deps: HookRoutesDeps): void {
  const { githubHook, hearGithub, budget = createUploadBudget({ bytes: HOOKS_MEMORY }) } = deps;

  router.post('/hooks/github', async (context) => {
    const header = (name: string): string | undefined => context.get(name) || undefined;
    githubHook.checkHeaders({ header });
    const memory = budget.open(context.request.length);
    try {
      const body = await readBody(context.req, { limit: MAX_DELIVERY, setting: "GitHub's own limit", memory });
      const { name, event } = githubHook.read({ header, body });
      const heard = event && (await hearGithub(event));
      context.status = heard?.known === true ? 200 : 202;
      context.body = presentHeard(name, heard);
    } finally {
      memory.release();
    }
  });
}
