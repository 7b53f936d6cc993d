import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { type IdentifyCaller, requireCaller } from '../../access/browser/authenticate.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { ShowSettings } from '../show-settings.ts';
import type { UpdateSettings } from '../update-settings.ts';
import { readSettingsChange } from './settings-fields.ts';
import { presentSettings } from './settings-json.ts';

export interface SettingsRoutesDeps {
  readonly showSettings: ShowSettings;
  readonly updateSettings: UpdateSettings;
  readonly identifyCaller: IdentifyCaller;
}

/** A repo may itself be called `settings`: the address of such a one has an owner before that word and no name. */
const PATHS = ['/api/v1/repos', '/api/repos'].map((path) => `${path}/:service/:owner/*name/settings`);

/** `GET` and `PUT .../settings` of a repo, registered before the repos: those names take any number of segments. */
export function registerSettingsRoutes(router: Router, deps: SettingsRoutesDeps): void {
  const { showSettings, updateSettings, identifyCaller } = deps;
  const body = smallBodies();
  const identify = requireCaller(identifyCaller);

  router.get(PATHS, identify, async (context) => {
    context.body = presentSettings(await showSettings(requestOf(context)));
  });

  router.put(PATHS, identify, body, async (context) => {
    const settings = readSettingsChange(context.request.body);
    context.body = presentSettings(await updateSettings({ ...requestOf(context), settings }));
  });
}

function requestOf({ state, params }: RouterContext): RepoRequest {
  const { service = '', owner = '', name = '' } = params;
  return { caller: state.caller, address: readRepoPath(service, `${owner}/${name}`) };
}
