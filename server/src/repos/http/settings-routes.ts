import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { z } from 'zod';
import { requireCaller } from '../../access/browser/authenticate.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { ALL_SETTINGS } from '../../core/repo/settings.ts';
import { checkFields, REASON } from '../../platform/http/checked-fields.ts';
import { readRepoPath } from '../../platform/http/read-query.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import { writeSetting } from '../../platform/http/written-settings.ts';
import type { Services } from '../../services/services.ts';
import { lowerRatchet } from '../lower-ratchet.ts';
import { type ShownSettings, showSettings } from '../show-settings.ts';
import { updateSettings } from '../update-settings.ts';
import { readSettingsChange } from './settings-fields.ts';

/** A repo may itself be called `settings`: the address of such a one has an owner before that word and no name. */
const PATHS = ['/api/v1/repos', '/api/repos'].map((path) => `${path}/:service/:owner/*name/settings`);

const RATCHET_PATHS = PATHS.map((path) => path.replace(/settings$/, 'ratchet'));

export const ratchetSchema = z.strictObject({ reason: REASON });

/**
 * `GET` and `PUT .../settings` of a repo, and `POST .../ratchet`, registered before the repos: those names take any
 * number of segments.
 */
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

  router.post(RATCHET_PATHS, identify, body, async (context) => {
    const { reason } = readRatchetReason(context.request.body ?? {});
    context.body = presentSettings(await lowerRatchet(services, { ...requestOf(context), reason }));
  });
}

export function readRatchetReason(body: unknown): { readonly reason: string } {
  const { reason } = checkFields(ratchetSchema, body, { prefix: '', known: ['reason'] });
  return { reason: reason.trim() };
}

function requestOf({ state, params }: RouterContext): RepoRequest {
  const { service = '', owner = '', name = '' } = params;
  return { caller: state.caller, address: readRepoPath(service, `${owner}/${name}`) };
}

/**
 * `GET` and `PUT /api/v1/repos/<service>/<name>/settings`: what is set, and what the repo goes by where that is left
 * open.
 */
function presentSettings({ repo, effective }: ShownSettings): object {
  const shown = ALL_SETTINGS.filter(({ setAt }) => setAt !== 'repo');
  return {
    ...Object.fromEntries(shown.map((setting) => writeSetting(setting, repo.settings))),
    effective: {
      default_branches: effective.defaultBranches,
      default_branch_from: effective.defaultBranchFrom,
      visibility: effective.visibility,
      visibility_from: effective.visibilityFrom,
      accept_forks: effective.acceptForks,
    },
  };
}
