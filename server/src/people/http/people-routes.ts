import type Router from '@koa/router';
import type { Services } from '../../services/services.ts';
import { createSignInGuards } from '../limit-attempts.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerMemberRoutes } from './members-routes.ts';
import { registerShareLinkRoutes } from './share-links-routes.ts';
import { registerSharingForms } from './sharing-forms.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import { registerUserRoutes } from './users-routes.ts';

/** Who else reads a repo, and where people sign in and see to their accounts. */
export function registerPeople(router: Router, services: Services): void {
  const people = { ...services, ...createSignInGuards(services) };
  registerShareLinkRoutes(router, services);
  registerMemberRoutes(router, services);
  registerSharingForms(router, services);
  registerSignInRoutes(router, people);
  registerAccountRoutes(router, people);
  registerUserRoutes(router, services);
}
