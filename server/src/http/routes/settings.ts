import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RepoRequest } from '../../use-cases/repos/find-administered-repo.ts';
import type { ShowSettings } from '../../use-cases/repos/show-settings.ts';
import type { UpdateSettings } from '../../use-cases/repos/update-settings.ts';
import { type IdentifyCaller, requireCaller } from '../middleware/authenticate.ts';
import { smallBodies } from '../middleware/small-bodies.ts';
import { presentSettings } from '../presenters/settings-json.ts';
import { readRepoPath } from './read-query.ts';
import { readSettingsChange } from './settings-fields.ts';

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
