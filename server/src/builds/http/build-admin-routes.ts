import type Router from '@koa/router';
import { z } from 'zod';
import { requireCaller } from '../../access/browser/authenticate.ts';
import type { Build } from '../../core/builds/build.ts';
import { SWITCH_FORM } from '../../core/repo/sentences.ts';
import { A_SWITCH, checkFields, field, isSwitch } from '../../platform/http/checked-fields.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { excludeBase } from '../exclude-base.ts';
import { listSetAside } from '../list-set-aside.ts';
import { removeBuild } from '../remove-build.ts';
import { presentSetAside } from './build-parts-json.ts';

export const exclusionSchema = z.strictObject({ excluded: field(SWITCH_FORM, isSwitch, A_SWITCH) });

/**
 * `PUT /api/v1/builds/<id>/base`: takes a build out of the bases, or takes that back. `DELETE /api/v1/builds/<id>`
 * removes one. `GET /api/v1/builds/set-aside` lists those that were given up.
 */
export function registerBuildAdminRoutes(router: Router, services: Services): void {
  const { identifyCaller, addresses } = services;
  const identify = requireCaller(identifyCaller);

  router.get('/api/v1/builds/set-aside', identify, async (context) => {
    context.body = presentSetAside(await listSetAside(services, context.state.caller), addresses);
  });

  router.delete('/api/v1/builds/:id', identify, async (context) => {
    await removeBuild(services, { caller: context.state.caller, reference: context.params.id ?? '' });
    context.status = 204;
  });

  router.put('/api/v1/builds/:id/base', identify, smallBodies(), async (context) => {
    const { excluded } = checkFields(exclusionSchema, context.request.body ?? {}, { prefix: '', known: ['excluded'] });
    const { caller } = context.state;
    context.body = presentExclusion(
      await excludeBase(services, { caller, reference: context.params.id ?? '', excluded }),
    );
  });
}

/** `PUT /api/v1/builds/<id>/base` */
function presentExclusion({ id, excludedAsBase }: Build): Answer<'exclusion'> {
  return {
    id: String(id),
    excluded: excludedAsBase !== undefined,
    excluded_by: excludedAsBase?.by ?? null,
    excluded_at: excludedAsBase ? new Date(excludedAsBase.at).toISOString() : null,
  };
}
