import type { JobAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { headerToken } from '../../access/browser/authenticate.ts';
import type { NoteRefusal } from '../../access/uploaders/note-refusal.ts';
import type { RecordUnauthenticatedUpload } from '../../access/uploaders/record-unauthenticated-upload.ts';
import type { ShowJob } from '../../builds/show-build.ts';
import type { GitHost } from '../../core/repo/git-host.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { AppLogger } from '../../platform/http/app-state.ts';
import type { IdentifyReaderOf } from '../../platform/http/identify-request.ts';
import { readBody } from '../../platform/http/read-body.ts';
import type { BodyMemory, UploadBudget } from '../../platform/http/upload-budget.ts';
import { networkOf } from '../../platform/network-of.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { AllocateBody } from '../../reports/allocate-body.ts';
import type { IngestedJob, UploadBody, UploadQueueKey } from '../../reports/ingest/ingest.ts';
import { freeReport } from '../../reports/report-bytes.ts';
import type { AcceptedUpload, UploadJob } from '../upload-job.ts';
import { type ArrivingUpload, type ArrivingUploadDeps, openArrivingUpload } from './arriving-upload.ts';
import { checkEnvelope } from './envelope.ts';
import { withoutTokens } from './envelope-tokens.ts';
import { toJobFacts } from './job-facts.ts';
import { presentJob } from './job-json.ts';
import { openUploadLog } from './upload-log.ts';

export interface JobRoutesDeps extends ArrivingUploadDeps {
  readonly hosts: readonly GitHost[];
  readonly uploadJob: UploadJob;
  readonly showJob: ShowJob;
  readonly ingest: (body: UploadBody, queueKey: UploadQueueKey) => Promise<IngestedJob>;
  readonly identifyJobReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly noteRefusal: NoteRefusal;
  readonly recordUnauthenticatedUpload: RecordUnauthenticatedUpload;
  readonly secretTexts: SecretTexts;
  readonly logger: AppLogger;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly maxUploadBytes: number;
  /** The memory of all uploads. */
  readonly budget: UploadBudget;
  readonly allocate: AllocateBody;
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
export function registerJobRoutes(router: Router, deps: JobRoutesDeps): void {
  const { showJob, identifyJobReader, addresses, budget, noteRefusal, recordUnauthenticatedUpload } = deps;

  router.post('/api/v1/jobs', async (context) => {
    const memory = budget.open(context.request.length);
    const sent = { contentType: context.get('Content-Type'), contentEncoding: context.get('Content-Encoding') };
    const arriving = openArrivingUpload(deps, context, { sent, memory });
    const log = openUploadLog(context, deps);
    try {
      const accepted = await accept(deps, context, { memory, sent, arriving });
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
    context.body = presentJob(await showJob({ caller, reference }), addresses);
  });
}

async function accept(
  { hosts, uploadJob, ingest, secretTexts, maxUploadBytes, allocate }: JobRoutesDeps,
  context: Context,
  { memory, sent, arriving }: Arriving,
): Promise<AcceptedUpload> {
  const reading = { limit: maxUploadBytes, memory, allocate, look: arriving.look };
  const body = { ...sent, bytes: await readBody(context.req, reading) };
  const { length } = body.bytes;
  const since = performance.now();
  const ingested = await ingest(body, await arriving.of(body));
  const checked = checkEnvelope(ingested.envelope);
  const token = checked.repo_token ?? headerToken(context);
  const clean = withoutTokens({ envelope: checked, warnings: ingested.warnings }, { secretTexts, token });
  const { facts, warnings } = toJobFacts(clean.envelope, { hosts, diff: ingested.diff });
  const accepted = await uploadJob({
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
