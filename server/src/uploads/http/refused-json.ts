import type { RefusedUpload } from '../../core/builds/refused-upload.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';

/** `GET /api/v1/repos/<service>/<name>/uploads/refused` */
export function presentRefused(refused: readonly RefusedUpload[]): Answer<'refusedUploads'> {
  return {
    refused: refused.map(({ code, sentence, field, client, firstAt, lastAt, count, unproven }) => ({
      code,
      message: sentence,
      field: field ?? null,
      client: client ?? null,
      count,
      proven: unproven !== true,
      first_at: new Date(firstAt).toISOString(),
      last_at: new Date(lastAt).toISOString(),
    })),
  };
}
