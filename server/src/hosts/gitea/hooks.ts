import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf } from '../answers.ts';
import type { Ask } from '../rest/calls.ts';
import { putWebhook, webhookState } from '../rest/put-webhook.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { hooksOff } from '../signed-body.ts';
import { askForPages, type Gitea, inRepo } from './questions.ts';
import { eventsOf } from './webhook-events.ts';

const MAX_PAGES = 4;

/** The webhook of a repo. */
export function createHooks(gitea: Gitea, secret: string | undefined): Pick<Provider, 'setWebhook' | 'readWebhook'> {
  const { operations, flavor } = gitea;
  const { service, name, setting } = flavor;
  const findHook = async (ask: Ask, path: string, address: string): Promise<Fields | undefined> => {
    const { entries } = await askForPages(ask, operations.listHooks, { path, maxPages: MAX_PAGES });
    return entries.find(({ config }) => fieldsOf(config).url === address);
  };
  return {
    readWebhook: ({ repo, address }) =>
      definiteAnswer(
        inRepo(gitea, repo, async (ask, path) =>
          webhookState(await findHook(ask, `${path}/hooks`, address), { host: name, repo }),
        ),
      ),
    async setWebhook({ repo, address: url }) {
      if (secret === undefined)
        throw new ProviderFailure('permanent', hooksOff({ host: name, setting: `${setting}_WEBHOOK_SECRET` }));
      return inRepo(gitea, repo, async (ask, path) => {
        const known = await findHook(ask, `${path}/hooks`, url);
        const config = { url, content_type: 'json', secret };
        const body = { type: service, active: true, config, events: eventsOf(flavor) };
        const place = { path: `${path}/hooks`, known, id: idOf(known?.id)?.toString() };
        return putWebhook(ask, { ...place, operation: operations.setHook, body, method: 'PATCH' });
      });
    },
  };
}
