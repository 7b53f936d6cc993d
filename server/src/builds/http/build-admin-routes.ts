import type Router from '@koa/router';
import { z } from 'zod';
import { type IdentifyCaller, requireCaller } from '../../access/browser/authenticate.ts';
import { SWITCH_FORM } from '../../core/repo/sentences.ts';
import { A_SWITCH, checkFields, field, isSwitch } from '../../platform/http/checked-fields.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { ExcludeBase } from '../exclude-base.ts';
import type { ListSetAside } from '../list-set-aside.ts';
import type { RemoveBuild } from '../remove-build.ts';
import { presentExclusion } from './exclusion-json.ts';
import { presentSetAside } from './set-aside-json.ts';

export interface BuildAdminRoutesDeps {
  readonly excludeBase: ExcludeBase;
  readonly removeBuild: RemoveBuild;
  readonly listSetAside: ListSetAside;
  readonly addresses: Addresses;
  readonly identifyCaller: IdentifyCaller;
}

export const exclusionSchema = z.strictObject({ excluded: field(SWITCH_FORM, isSwitch, A_SWITCH) });

/**
 * `PUT /api/v1/builds/<id>/base`: takes a build out of the bases, or takes that back. `DELETE /api/v1/builds/<id>`
 * removes one. `GET /api/v1/builds/set-aside` lists those that were given up.
 */
export function registerBuildAdminRoutes(router: Router, deps: BuildAdminRoutesDeps): void {
  const { excludeBase, removeBuild, listSetAside, identifyCaller, addresses } = deps;
  const identify = requireCaller(identifyCaller);

  router.get('/api/v1/builds/set-aside', identify, async (context) => {
    context.body = presentSetAside(await listSetAside(context.state.caller), addresses);
  });

  router.delete('/api/v1/builds/:id', identify, async (context) => {
    await removeBuild({ caller: context.state.caller, reference: context.params.id ?? '' });
    context.status = 204;
  });

  router.put('/api/v1/builds/:id/base', identify, smallBodies(), async (context) => {
    const { excluded } = checkFields(exclusionSchema, context.request.body ?? {}, { prefix: '', known: ['excluded'] });
    const { caller } = context.state;
    context.body = presentExclusion(await excludeBase({ caller, reference: context.params.id ?? '', excluded }));
  });
}
