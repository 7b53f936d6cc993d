import type Router from '@koa/router';
import { z } from 'zod';
import { requireCaller } from '../../access/browser/authenticate.ts';
import { takeForm } from '../../access/browser/forms.ts';
import type { Build } from '../../core/builds/build.ts';
import { A_TEXT, checkFields, field, REASON } from '../../platform/http/checked-fields.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { acceptFailure } from '../accept-failure.ts';

const isMoment = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

export const acceptanceSchema = z.strictObject({
  reason: REASON,
  closed_at: field('the closed_at of the build that was read', isMoment, A_TEXT).optional(),
});
const NAMES = { prefix: '', known: ['reason', 'closed_at'] };

/**
 * `POST /api/v1/builds/<id>/accept`: accepts what fails in a build, with a reason; `DELETE` takes that back. The form
 * on its page posts to `/builds/<id>/accept` and `/builds/<id>/accept/undo`.
 */
export function registerBuildAcceptanceRoutes(router: Router, services: Services): void {
  const { identifyCaller, addresses } = services;
  const form = takeForm(services, { forPrograms: true });
  const identify = requireCaller(identifyCaller);

  router.post('/api/v1/builds/:id/accept', identify, smallBodies(), async (context) => {
    const { caller } = context.state;
    context.body = presentAcceptance(
      await acceptFailure(services, {
        caller,
        reference: context.params.id ?? '',
        ...readReason(context.request.body),
      }),
    );
  });

  router.delete('/api/v1/builds/:id/accept', identify, async (context) => {
    const { caller } = context.state;
    const reference = context.params.id ?? '';
    context.body = presentAcceptance(await acceptFailure(services, { caller, reference, reason: undefined }));
  });

  router.post('/builds/:id/accept', form, identify, async (context) => {
    const { csrf: _, ...fields } = (context.request.body ?? {}) as Record<string, unknown>;
    const { caller } = context.state;
    const { id } = await acceptFailure(services, { caller, reference: context.params.id ?? '', ...readReason(fields) });
    context.status = 303;
    context.redirect(addresses.build(id));
  });

  router.post('/builds/:id/accept/undo', form, identify, async (context) => {
    const { caller } = context.state;
    const { id } = await acceptFailure(services, { caller, reference: context.params.id ?? '', reason: undefined });
    context.status = 303;
    context.redirect(addresses.build(id));
  });
}

function readReason(body: unknown): { readonly reason: string; readonly closedAt: number | undefined } {
  const { reason, closed_at: closedAt } = checkFields(acceptanceSchema, body ?? {}, NAMES);
  return { reason: reason.trim(), closedAt: closedAt === undefined ? undefined : Date.parse(closedAt) };
}

/** `POST` and `DELETE /api/v1/builds/<id>/accept` */
function presentAcceptance({ id, result }: Build): Answer<'acceptance'> {
  const acceptance = result?.acceptance;
  return {
    id: String(id),
    accepted: acceptance?.holds ?? false,
    accepted_by: acceptance?.by ?? null,
    accepted_at: acceptance ? new Date(acceptance.at).toISOString() : null,
    reason: acceptance?.reason ?? null,
  };
}
