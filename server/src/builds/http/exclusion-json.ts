import type { Build } from '../../core/builds/build.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';

/** `PUT /api/v1/builds/<id>/base` */
export function presentExclusion({ id, excludedAsBase }: Build): Answer<'exclusion'> {
  return {
    id: String(id),
    excluded: excludedAsBase !== undefined,
    excluded_by: excludedAsBase?.by ?? null,
    excluded_at: excludedAsBase ? new Date(excludedAsBase.at).toISOString() : null,
  };
}
