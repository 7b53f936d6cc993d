import { quoteValue } from '../../core/failure.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { putWebhook, webhookState } from '../rest/put-webhook.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { hooksOff } from '../signed-body.ts';
import { OPERATIONS } from './operations.ts';
import { type DataCenter, inRepo, listAll } from './questions.ts';
import { EVENTS, HOOK } from './webhook.ts';

/** The webhook of a repo. */
export function createHooks(
  center: DataCenter,
  secret: string | undefined,
): Pick<Provider, 'setWebhook' | 'readWebhook'> {
  return {
    readWebhook: ({ repo, address }) =>
      definiteAnswer(
        inRepo(center, repo, async (ask, path) => {
          const hook = await findHook(ask, `${path}/webhooks`, address);
          const trouble = hook && (await findFailure(ask, `${path}/webhooks`, { hook, repo }));
          return webhookState(hook, { host: HOOK.host, repo, trouble });
        }),
      ),
    async setWebhook({ repo, address: url }) {
      if (secret === undefined) throw new ProviderFailure('permanent', hooksOff(HOOK));
      return inRepo(center, repo, async (ask, path) => {
        const known = await findHook(ask, `${path}/webhooks`, url);
        const body = { name: 'coverage', url, active: true, configuration: { secret }, events: EVENTS };
        const place = { path: `${path}/webhooks`, known, id: idOf(known?.id)?.toString() };
        return putWebhook(ask, { ...place, operation: OPERATIONS.setHook, body });
      });
    },
  };
}

async function findHook(ask: Ask, path: string, address: string): Promise<Fields | undefined> {
  return (await listAll(ask, OPERATIONS.listHooks, { path, max: 1_000 })).find(({ url }) => url === address);
}

/** It keeps what became of its last message. */
async function findFailure(
  ask: Ask,
  path: string,
  { hook, repo }: { readonly hook: Fields; readonly repo: string },
): Promise<string | undefined> {
  const asked = ask(OPERATIONS.readHook, { path: `${path}/${idOf(hook.id)}/latest` });
  const answer = await definiteAnswer(asked);
  // Nothing was sent yet.
  if (answer === undefined || answer.text === '') return undefined;
  const { outcome, description } = fieldsOf(fieldsOf(answer.json()).result);
  if (outcome !== 'FAILURE' && outcome !== 'ERROR') return undefined;
  const said = textOf(description);
  const why = said === undefined ? '' : `, with ${quoteValue(said, 100)}`;
  return `The last message to the webhook of ${repo} failed${why}.`;
}
