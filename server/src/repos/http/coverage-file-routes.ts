import { coverageFileSchema, MAX_FILE_BYTES, readCoverageFile } from '@coverage/shared/coverage-file';
import type Router from '@koa/router';
import { Failure } from '../../core/failure.ts';
import { readBody } from '../../platform/http/read-body.ts';
import type { Services } from '../../services/services.ts';

const SCHEMA = '/coverage.schema.json';

/**
 * `GET /coverage.schema.json`, by which editors check a repo's file, for everybody; `POST /api/v1/config/validate`
 * checks one, for each holder of a token: what a hostile text costs is processor time.
 */
export function registerCoverageFileRoutes(router: Router, { identifyReader, addresses }: Services): void {
  router.get(SCHEMA, (context) => {
    context.set('Cache-Control', 'no-cache');
    context.set('X-Content-Type-Options', 'nosniff');
    context.type = 'application/schema+json; charset=utf-8';
    context.body = JSON.stringify(coverageFileSchema(new URL(SCHEMA, addresses.root()).href), undefined, 2);
  });

  router.post('/api/v1/config/validate', async (context) => {
    const caller = await identifyReader(context);
    if (caller.kind === 'anonymous')
      throw new Failure(
        'credential-missing',
        'Send a repo token or a personal token in the Authorization header. "coverage check-config" needs none.',
      );
    const bytes = await readBody(context.req, { limit: MAX_FILE_BYTES, tooLarge });
    const read = readCoverageFile(bytes);
    context.body = 'problems' in read ? { valid: false, problems: read.problems } : { valid: true, file: read.file };
  });
}

function tooLarge(): Failure {
  return new Failure('payload-too-large', `A coverage.yml has at most ${MAX_FILE_BYTES} bytes.`);
}
