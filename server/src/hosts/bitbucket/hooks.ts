import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { putWebhook } from '../rest/put-webhook.ts';
import { hooksOff } from '../signed-body.ts';
import { OPERATIONS } from './operations.ts';
import { type Bitbucket, inRepo, listAll, uuidOf } from './questions.ts';
import { EVENTS } from './webhook.ts';

/** The webhook of a repo. */
export function createHooks(bitbucket: Bitbucket, secret: string | undefined): Pick<Provider, 'setWebhook'> {
  return {
    async setWebhook({ repo, address: url }) {
      if (secret === undefined)
        throw new ProviderFailure('permanent', hooksOff({ host: 'Bitbucket', setting: 'BITBUCKET_WEBHOOK_SECRET' }));
      return inRepo(bitbucket, repo, async (ask, path) => {
        const asked = { path: `${path}/hooks`, query: { pagelen: '100' }, most: 100 };
        const known = (await listAll(ask, OPERATIONS.listHooks, asked)).find((hook) => hook.url === url);
        const id = uuidOf(known?.uuid);
        const body = { description: 'coverage', url, active: true, secret, events: EVENTS };
        const place = { path: `${path}/hooks`, known, id: id && encodeURIComponent(id) };
        return putWebhook(ask, { ...place, operation: OPERATIONS.setHook, body });
      });
    },
  };
}
