import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { requireCaller } from '../../access/browser/authenticate.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { showSettings } from '../show-settings.ts';
import { updateSettings } from '../update-settings.ts';
import { readSettingsChange } from './settings-fields.ts';
import { presentSettings } from './settings-json.ts';

/** A repo may itself be called `settings`: the address of such a one has an owner before that word and no name. */
const PATHS = ['/api/v1/repos', '/api/repos'].map((path) => `${path}/:service/:owner/*name/settings`);

/** `GET` and `PUT .../settings` of a repo, registered before the repos: those names take any number of segments. */
export function registerSettingsRoutes(router: Router, services: Services): void {
  const { identifyCaller } = services;
  const body = smallBodies();
  const identify = requireCaller(identifyCaller);

  router.get(PATHS, identify, async (context) => {
    context.body = presentSettings(await showSettings(services, requestOf(context)));
  });

  router.put(PATHS, identify, body, async (context) => {
    const settings = readSettingsChange(context.request.body);
    context.body = presentSettings(await updateSettings(services, { ...requestOf(context), settings }));
  });
}

function requestOf({ state, params }: RouterContext): RepoRequest {
  const { service = '', owner = '', name = '' } = params;
  return { caller: state.caller, address: readRepoPath(service, `${owner}/${name}`) };
}
