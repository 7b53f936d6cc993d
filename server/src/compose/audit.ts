import { authenticate, type IdentifyReader } from '../access/browser/authenticate.ts';
import { createIdentifyCaller } from '../access/identify-caller.ts';
import { registerAuditRoutes } from '../operations/http/audit-routes.ts';
import { renderAuditPage } from '../operations/pages/audit-page.tsx';
import { createShowAudit } from '../operations/read-audit.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { identifyingOf } from './readers.ts';
import type { Services } from './services.ts';

/** What administrators read of the audit log. */
export function composeAudit(
  services: Services,
  reading: { readonly identifyReader: IdentifyReader; readonly pageOf: PageOf },
): RegisterRoutes {
  const identifyCaller = authenticate(createIdentifyCaller(identifyingOf(services)));
  const showAudit = createShowAudit(services.store);
  return (router) => registerAuditRoutes(router, { ...reading, identifyCaller, showAudit, renderAuditPage });
}
