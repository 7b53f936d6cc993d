import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { idOf } from '../answers.ts';
import { putWebhook } from '../rest/put-webhook.ts';
import { hooksOff } from '../signed-body.ts';
import { OPERATIONS } from './operations.ts';
import { type DataCenter, inRepo, listAll } from './questions.ts';
import { EVENTS, HOOK } from './webhook.ts';

/** The webhook of a repo. */
export function createHooks(center: DataCenter, secret: string | undefined): Pick<Provider, 'setWebhook'> {
  return {
    async setWebhook({ repo, address: url }) {
      if (secret === undefined) throw new ProviderFailure('permanent', hooksOff(HOOK));
      return inRepo(center, repo, async (ask, path) => {
        const asked = { path: `${path}/webhooks`, most: 1_000 };
        const known = (await listAll(ask, OPERATIONS.listHooks, asked)).find((hook) => hook.url === url);
        const body = { name: 'coverage', url, active: true, configuration: { secret }, events: EVENTS };
        const place = { path: `${path}/webhooks`, known, id: idOf(known?.id)?.toString() };
        return putWebhook(ask, { ...place, operation: OPERATIONS.setHook, body });
      });
    },
  };
}
