import type { JobAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { GitHost } from '../../domain/repo/git-host.ts';
import type { IngestedJob, UploadBody } from '../../ingest/ingest.ts';
import type { ShowJob } from '../../use-cases/builds/show-build.ts';
import type { AcceptedUpload, UploadJob } from '../../use-cases/uploads/upload-job.ts';
import { headerToken, type IdentifyReaderOf } from '../middleware/authenticate.ts';
import { readBody } from '../middleware/read-body.ts';
import type { BodyMemory, UploadBudget } from '../middleware/upload-budget.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentJob } from '../presenters/job-json.ts';
import { checkEnvelope } from './envelope.ts';
import { toJobFacts } from './job-facts.ts';

export interface JobRoutesDeps {
  readonly hosts: readonly GitHost[];
  readonly uploadJob: UploadJob;
  readonly showJob: ShowJob;
  readonly ingest: (body: UploadBody) => Promise<IngestedJob>;
  readonly identifyJobReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly maxUploadBytes: number;
  /** The memory of all uploads. */
  readonly budget: UploadBudget;
}

const MAX_WARNINGS = 5;
const MAX_WARNING = 300;

/** `POST /api/v1/jobs` and `GET /jobs/<id>.json`. */
export function registerJobRoutes(router: Router, deps: JobRoutesDeps): void {
  const { hosts, uploadJob, showJob, ingest, identifyJobReader, addresses, maxUploadBytes, budget } = deps;

  const accept = async (context: Context, memory: BodyMemory): Promise<AcceptedUpload> => {
    const bytes = await readBody(context.req, { limit: maxUploadBytes, memory });
    const since = performance.now();
    const ingested = await ingest({
      bytes,
      contentType: context.get('Content-Type'),
      contentEncoding: context.get('Content-Encoding'),
    });
    const envelope = checkEnvelope(ingested.envelope);
    const { facts, warnings } = toJobFacts(envelope, { hosts, diff: ingested.diff });
    return uploadJob({
      ...ingested,
      facts,
      token: envelope.repo_token ?? headerToken(context),
      repoName: envelope.repo_name,
      warnings: [...ingested.warnings, ...warnings],
      spent: performance.now() - since,
    });
  };

  router.post('/api/v1/jobs', async (context) => {
    const memory = budget.open(context.request.length);
    try {
      const { build, job, told } = await accept(context, memory);
      // The body holds two texts and no more: strict clients fail otherwise (wire.md).
      if (told.length > 0) context.set('X-Coverage-Warnings', warningsHeader(told));
      context.body = { message: `Job #${build.number}.${job.number}`, url: addresses.job(job.id) } satisfies JobAnswer;
    } finally {
      memory.release();
    }
  });

  router.get('/jobs/:id.json', async (context) => {
    const reference = context.params.id ?? '';
    const caller = await identifyJobReader(context, reference);
    context.body = presentJob(await showJob({ caller, reference }), addresses);
  });
}

/** A list of texts as JSON, percent-encoded; short, since clients bound what they read of headers. */
function warningsHeader(warnings: readonly string[]): string {
  const shown = warnings.slice(0, MAX_WARNINGS).map((warning) => warning.slice(0, MAX_WARNING).toWellFormed());
  return encodeURIComponent(JSON.stringify(shown));
}
