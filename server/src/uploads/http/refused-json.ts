import type { RefusedUpload } from '../../core/builds/refused-upload.ts';

/** `GET /api/v1/repos/<service>/<name>/uploads/refused` */
export function presentRefused(refused: readonly RefusedUpload[]): object {
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
