import type { JobAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { headerToken } from '../../access/browser/authenticate.ts';
import { countsJson, percentJson } from '../../builds/http/percentages.ts';
import { type ShownJob, showJob } from '../../builds/show-build.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { readBody } from '../../platform/http/read-body.ts';
import type { BodyMemory, UploadBudget } from '../../platform/http/upload-budget.ts';
import { networkOf } from '../../platform/network-of.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { UploadBody } from '../../reports/ingest/ingest.ts';
import { freeReport } from '../../reports/report-bytes.ts';
import type { Services } from '../../services/services.ts';
import { type AcceptedUpload, uploadJob } from '../upload-job.ts';
import type { UploadServices } from '../upload-services.ts';
import { type ArrivingUpload, openArrivingUpload } from './arriving-upload.ts';
import { checkEnvelope, withoutTokens } from './envelope.ts';
import { toJobFacts } from './job-facts.ts';
import { openUploadLog } from './upload-log.ts';

/** The memory of all uploads. */
export interface UploadMemory {
  readonly budget: UploadBudget;
}

interface Arriving {
  readonly memory: BodyMemory;
  /** What the headers say of the body. */
  readonly sent: Omit<UploadBody, 'bytes'>;
  readonly arriving: ArrivingUpload;
}

const MAX_WARNINGS = 5;
const MAX_WARNING = 400;

/** `POST /api/v1/jobs` and `GET /jobs/<id>.json`. */
export function registerJobRoutes(
  router: Router,
  services: UploadServices & UploadMemory,
  /** They show what is public. */
  seen: Services,
): void {
  const { identifyJobReader, addresses, budget, noteRefusal, recordUnauthenticatedUpload } = services;

  router.post('/api/v1/jobs', async (context) => {
    const memory = budget.open(context.request.length);
    const sent = { contentType: context.get('Content-Type'), contentEncoding: context.get('Content-Encoding') };
    const arriving = openArrivingUpload(services, context, { sent, memory });
    const log = openUploadLog(context, services);
    try {
      const accepted = await accept(services, context, { memory, sent, arriving });
      const { build, job, told } = accepted;
      const warnings = told.slice(0, MAX_WARNINGS).map(shorten);
      if (warnings.length > 0) context.set('X-Coverage-Warnings', encodeURIComponent(JSON.stringify(warnings)));
      // The body holds two texts and no more: strict clients fail otherwise (wire.md).
      const lines = [`Job #${build.number}.${job.number}`, ...warnings.map((warning) => `Warning: ${warning}`)];
      context.body = { message: lines.join('\n'), url: addresses.job(job.id) } satisfies JobAnswer;
      log.accepted(accepted);
    } catch (error) {
      log.refused(error, { repoId: arriving.repoId(), repoName: arriving.repoName() });
      await noteRefusal({ repoId: arriving.repoId(), error, client: context.get('User-Agent') });
      // Once it is answered: the time that it takes would tell whether there is such a repo.
      if (arriving.repoId() === undefined)
        context.res.once('close', () => void recordUnauthenticatedUpload({ repoName: arriving.repoName(), error }));
      throw error;
    } finally {
      memory.release();
    }
  });

  router.get('/jobs/:id.json', async (context) => {
    const reference = context.params.id ?? '';
    const caller = await identifyJobReader(context, reference);
    context.body = presentJob(await showJob(seen, { caller, reference }), addresses);
  });
}

async function accept(
  services: UploadServices,
  context: Context,
  { memory, sent, arriving }: Arriving,
): Promise<AcceptedUpload> {
  const { config, hosts, intake, secretTexts } = services;
  const reading = { limit: config.maxUploadBytes, memory, allocate: intake.allocateBody, look: arriving.look };
  const body = { ...sent, bytes: await readBody(context.req, reading) };
  const { length } = body.bytes;
  const since = performance.now();
  const ingested = await intake.ingest(body, await arriving.of(body));
  const checked = checkEnvelope(ingested.envelope);
  const token = checked.repo_token ?? headerToken(context);
  const clean = withoutTokens({ envelope: checked, warnings: ingested.warnings }, { secretTexts, token });
  const { facts, warnings } = toJobFacts(clean.envelope, { hosts: hosts.all, diff: ingested.diff });
  const accepted = await uploadJob(services, {
    ...ingested,
    bytes: length,
    facts,
    token,
    resolved: arriving.resolved(),
    repoName: checked.repo_name,
    address: networkOf(context.request.ip),
    statesAttempt: checked.service_attempt !== undefined,
    client: context.get('User-Agent'),
    warnings: [...clean.warnings, ...warnings],
    spent: performance.now() - since,
  });
  freeReport(ingested.report);
  if (accepted.build.trust !== 'run') arriving.accepted();
  return accepted;
}

/** Short, since clients bound what they read of headers; in one line each. */
function shorten(warning: string): string {
  return warning.slice(0, MAX_WARNING).toWellFormed();
}

/** `GET /jobs/<id>.json` */
function presentJob(shown: ShownJob, addresses: Addresses): Answer<'job'> {
  const { job, build, repo } = shown;
  return {
    id: String(job.id),
    url: addresses.job(job.id),
    number: `${build.number}.${job.number}`,
    build: String(build.id),
    build_url: addresses.build(build.id),
    repo_name: repo.name,
    flag_name: job.facts.flag ?? null,
    service_name: job.facts.serviceName,
    service_job_id: job.facts.serviceJobId ?? null,
    commit_sha: job.facts.commit ?? build.commit ?? null,
    branch: job.facts.branch ?? null,
    parallel: job.facts.parallel,
    run_at: new Date(job.facts.runAt ?? job.createdAt).toISOString(),
    created_at: new Date(job.createdAt).toISOString(),
    covered_percent: percentJson(job.totals),
    ...countsJson(job.totals),
    warnings: job.warnings,
  };
}
