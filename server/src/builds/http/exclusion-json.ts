import type { Build } from '../../core/builds/build.ts';

/** `PUT /api/v1/builds/<id>/base` */
export function presentExclusion({ id, excludedAsBase }: Build): object {
  return {
    id: String(id),
    excluded: excludedAsBase !== undefined,
    excluded_by: excludedAsBase?.by ?? null,
    excluded_at: excludedAsBase ? new Date(excludedAsBase.at).toISOString() : null,
  };
}
