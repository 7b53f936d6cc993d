import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import type { Fields } from '../answers.ts';
import { putWebhook, webhookState } from '../rest/put-webhook.ts';
import { definiteAnswer } from '../rest/questions.ts';
import { hooksOff } from '../signed-body.ts';
import { OPERATIONS } from './operations.ts';
import { type Ask, type Bitbucket, inRepo, listAll, uuidOf } from './questions.ts';
import { EVENTS } from './webhook.ts';

/** The webhook of a repo. */
export function createHooks(
  bitbucket: Bitbucket,
  secret: string | undefined,
): Pick<Provider, 'setWebhook' | 'readWebhook'> {
  return {
    readWebhook: ({ repo, address }) =>
      definiteAnswer(
        inRepo(bitbucket, repo, async (ask, path) =>
          webhookState(await findHook(ask, `${path}/hooks`, address), { host: 'Bitbucket', repo }),
        ),
      ),
    async setWebhook({ repo, address: url }) {
      if (secret === undefined)
        throw new ProviderFailure('permanent', hooksOff({ host: 'Bitbucket', setting: 'BITBUCKET_WEBHOOK_SECRET' }));
      return inRepo(bitbucket, repo, async (ask, path) => {
        const known = await findHook(ask, `${path}/hooks`, url);
        const id = uuidOf(known?.uuid);
        const body = { description: 'coverage', url, active: true, secret, events: EVENTS };
        const place = { path: `${path}/hooks`, known, id: id && encodeURIComponent(id) };
        return putWebhook(ask, { ...place, operation: OPERATIONS.setHook, body });
      });
    },
  };
}

async function findHook(ask: Ask, path: string, address: string): Promise<Fields | undefined> {
  const asked = { path, query: { pagelen: '100' }, max: 100 };
  return (await listAll(ask, OPERATIONS.listHooks, asked)).find(({ url }) => url === address);
}
