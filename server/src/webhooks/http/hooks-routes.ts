import type Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import { Failure } from '../../core/failure.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { readBody } from '../../platform/http/read-body.ts';
import { createUploadBudget, type UploadBudget } from '../../platform/http/upload-budget.ts';
import type { Host } from '../../ports/host.ts';
import type { Services } from '../../services/services.ts';
import { type EventOutcome, handleEvent } from '../handle-event.ts';
import type { WebhookNotes } from '../note-webhook.ts';
import { withWholeCommits } from '../whole-commits.ts';

interface HookServices extends Services {
  readonly webhookNotes: Pick<WebhookNotes, 'note'>;
}

/** Bytes: two of the largest deliveries of GitHub, and any number of usual ones. */
const HOOKS_MEMORY = 64 * 1024 * 1024;

/** `POST /hooks/<service>` for each host: its webhook. */
export function registerHookRoutes(
  router: Router,
  services: HookServices,
  /** The memory of all bodies that are held at once. */
  budget = createUploadBudget({ bytes: HOOKS_MEMORY }),
): void {
  for (const { service, webhook } of services.hosts.all)
    if (webhook !== undefined) registerHook(router, service, { ...services, budget });
}

function registerHook(
  router: Router,
  service: Host['service'],
  services: HookServices & { readonly budget: UploadBudget },
): void {
  const { webhookNotes, budget, hosts, logger } = services;

  const noteUnsigned: RouterMiddleware = async (_context, next) => {
    try {
      await next();
    } catch (error) {
      if (isUnsigned(error)) await webhookNotes.note(service, 'refused');
      throw error;
    }
  };

  router.post(`/hooks/${service}`, noteUnsigned, async (context) => {
    // As it is now: its App may have been made since the start.
    const host = hosts.all.find((one) => one.service === service);
    const webhook = host?.webhook;
    if (host === undefined || webhook === undefined) return;
    const header = (name: string): string | undefined => context.get(name) || undefined;
    webhook.checkHeaders({ header });
    const memory = budget.open(context.request.length);
    try {
      const setting = `${host.name}'s own limit`;
      const body = await readBody(context.req, { limit: webhook.bodyLimit, setting, memory });
      const { name, event } = await webhook.read({ header, body });
      await webhookNotes.note(service, 'delivered');
      const outcome = event && (await handleEvent(services, host, await withWholeCommits(host, event, hosts)));
      const told = { request: context.state.requestId, service, event: name, ...outcome };
      logger[outcome === undefined ? 'debug' : 'info'](told, 'webhook handled');
      context.status = outcome?.known === true ? 200 : 202;
      context.body = presentEventOutcome(name, outcome);
    } finally {
      memory.release();
    }
  });
}

/** Its signature is wrong, or it has none. */
function isUnsigned(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'credential-unknown' || error.code === 'credential-missing');
}

/**
 * What `POST /hooks/<service>` answers: the host shows it beside the delivery. Undefined: an event that does not matter
 * here.
 */
function presentEventOutcome(event: string, outcome: EventOutcome | undefined): Answer<'eventOutcome'> {
  if (outcome === undefined) return { event, outcome: 'ignored', effects: [] };
  const { known, effects } = outcome;
  return { event, outcome: known ? 'heard' : 'unknown-repo', effects };
}
