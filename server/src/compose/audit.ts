import { authenticate, type IdentifyReader } from '../http/middleware/authenticate.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerAuditRoutes } from '../http/routes/audit.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import { createShowAudit } from '../use-cases/audit/read-audit.ts';
import { renderAuditPage } from '../web/audit-page.tsx';
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
