import type Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type { ExcludeBase } from '../../../use-cases/builds/exclude-base.ts';
import type { IdentifyCaller } from '../../middleware/authenticate.ts';
import { smallBodies } from '../../middleware/small-bodies.ts';
import { presentExclusion } from '../../presenters/exclusion-json.ts';
import { readExclusion } from './base-fields.ts';

export interface BuildAdminRoutesDeps {
  readonly excludeBase: ExcludeBase;
  readonly identifyCaller: IdentifyCaller;
}

/** `PUT /api/v1/builds/<id>/base`: takes a build out of the bases, or takes that back. */
export function registerBuildAdminRoutes(router: Router, deps: BuildAdminRoutesDeps): void {
  const { excludeBase, identifyCaller } = deps;
  const identify: RouterMiddleware = async (context, next) => {
    context.state.caller = await identifyCaller(context);
    return next();
  };

  router.put('/api/v1/builds/:id/base', identify, smallBodies(), async (context) => {
    const excluded = readExclusion(context.request.body);
    const { caller } = context.state;
    context.body = presentExclusion(await excludeBase({ caller, reference: context.params.id ?? '', excluded }));
  });
}
