import type { Build } from '../../core/builds/build.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';

/** `POST` and `DELETE /api/v1/builds/<id>/accept` */
export function presentAcceptance({ id, result }: Build): Answer<'acceptance'> {
  const acceptance = result?.acceptance;
  return {
    id: String(id),
    accepted: acceptance?.holds ?? false,
    accepted_by: acceptance?.by ?? null,
    accepted_at: acceptance ? new Date(acceptance.at).toISOString() : null,
    reason: acceptance?.reason ?? null,
  };
}
