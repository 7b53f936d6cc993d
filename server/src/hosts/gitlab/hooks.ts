import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { webhookState } from '../rest/put-webhook.ts';
import { definiteAnswer } from '../rest/questions.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { askForPage, type Gitlab, inProject } from './questions.ts';
import { SIGNING } from './webhook.ts';

/** What `webhook-events.ts` reads. */
const EVENTS = { push_events: true, merge_requests_events: true, pipeline_events: true };

/** The webhook of a project, at most 100 of which it may have. Its secret is never shown, so it is always sent. */
export function createHooks(gitlab: Gitlab, secret: string | undefined): Pick<Provider, 'setWebhook' | 'readWebhook'> {
  return {
    readWebhook: ({ repo, address }) =>
      definiteAnswer(
        inProject(gitlab, repo, async (ask, path) => {
          const hook = await findHook(ask, `${path}/hooks`, address);
          const trouble = hook !== undefined && isStopped(hook) ? say.hookStopped(repo) : undefined;
          return webhookState(hook, { host: 'GitLab', repo, trouble });
        }),
      ),
    async setWebhook({ repo, address }) {
      if (secret === undefined) throw new ProviderFailure('permanent', say.WEBHOOK_OFF);
      return inProject(gitlab, repo, async (ask, path) => {
        const known = await findHook(ask, `${path}/hooks`, address);
        const id = known && idOf(known.id);
        const signs = secret.startsWith(SIGNING);
        const asked = { url: address, ...EVENTS, [signs ? 'signing_token' : 'token']: secret };
        const answer =
          id === undefined
            ? await ask(OPERATIONS.setHook, { method: 'POST', path: `${path}/hooks`, body: asked })
            : await ask(OPERATIONS.setHook, { method: 'PUT', path: `${path}/hooks/${id}`, body: asked });
        // An older GitLab leaves out what it does not know, and its messages would be refused.
        if (signs && fieldsOf(answer.json()).signing_token_present !== true)
          throw new ProviderFailure('permanent', say.SIGNING_TOKEN_NOT_TAKEN);
        if (known === undefined) return 'made';
        // A message that arrives lets it send again; without one it does at its own time.
        if (isStopped(known))
          await definiteAnswer(
            ask(OPERATIONS.testHook, { method: 'POST', path: `${path}/hooks/${id}/test/push_events` }),
          );
        return isWhole(known, signs) && !isStopped(known) ? 'unchanged' : 'repaired';
      });
    },
  };
}

async function findHook(ask: Ask, path: string, address: string): Promise<Fields | undefined> {
  const { entries } = await askForPage(ask, OPERATIONS.listHooks, { path });
  return entries.find(({ url }) => url === address);
}

/** GitLab stops sending where answers failed: for a while, then for good. */
function isStopped({ alert_status: status }: Fields): boolean {
  return status === 'disabled' || status === 'temporarily_disabled';
}

/** Whether a secret is set is told since GitLab 19.0. */
function isWhole(hook: Fields, signs: boolean): boolean {
  const hasEvents = Object.keys(EVENTS).every((name) => hook[name] === true);
  return hasEvents && (signs ? hook.signing_token_present : hook.token_present) !== false;
}
