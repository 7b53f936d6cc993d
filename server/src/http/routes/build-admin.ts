import type Router from '@koa/router';
import { z } from 'zod';
import type { ExcludeBase } from '../../use-cases/builds/exclude-base.ts';
import { type IdentifyCaller, requireCaller } from '../middleware/authenticate.ts';
import { smallBodies } from '../middleware/small-bodies.ts';
import { presentExclusion } from '../presenters/exclusion-json.ts';
import { checkFields, field, isSwitch } from './checked-fields.ts';

export interface BuildAdminRoutesDeps {
  readonly excludeBase: ExcludeBase;
  readonly identifyCaller: IdentifyCaller;
}

const SCHEMA = z.strictObject({ excluded: field('true or false', isSwitch) });

/** `PUT /api/v1/builds/<id>/base`: takes a build out of the bases, or takes that back. */
export function registerBuildAdminRoutes(router: Router, deps: BuildAdminRoutesDeps): void {
  const { excludeBase, identifyCaller } = deps;

  router.put('/api/v1/builds/:id/base', requireCaller(identifyCaller), smallBodies(), async (context) => {
    const { excluded } = checkFields(SCHEMA, context.request.body ?? {}, { prefix: '', known: ['excluded'] });
    const { caller } = context.state;
    context.body = presentExclusion(await excludeBase({ caller, reference: context.params.id ?? '', excluded }));
  });
}
