import type Router from '@koa/router';
import type { Context } from 'koa';
import { headerToken } from '../../access/browser/authenticate.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readBody } from '../../platform/http/read-body.ts';
import { readField, readRepoPath } from '../../platform/http/read-query.ts';
import { createMinuteRate } from '../../platform/limiter.ts';
import type { IngestedJob } from '../../reports/ingest/ingest.ts';
import type { Services } from '../../services/services.ts';
import { admitPreview } from '../admit-preview.ts';
import { previewPull } from '../preview-pull.ts';
import type { PreviewedJob } from '../unstored-build.ts';
import { checkEnvelope, withoutTokens } from './envelope.ts';
import { toJobFacts } from './job-facts.ts';
import type { UploadMemory } from './jobs-routes.ts';
import { presentPreview } from './preview-json.ts';
import { readQuestion } from './preview-question.ts';

/** `POST /api/v1/preview`: the verdict that a pull request will get. Stores nothing. */
export function registerPreview(
  router: Router,
  services: Services & UploadMemory,
  /** They show what is public. */
  seen: Services,
): void {
  const { config, timers, identifyReader, intake, addresses, budget } = services;
  const previewRate = createMinuteRate({ perMinute: config.repoLimits.jobsPerMinute, timers });
  const judge = async (context: Context, repo: Repo, bytes: Uint8Array) => {
    const body = {
      bytes,
      contentType: context.get('Content-Type'),
      contentEncoding: context.get('Content-Encoding'),
    };
    const { question, jobs, ...rest } = await intake.ingestPreview(body, { known: true, share: String(repo.id) });
    return previewPull(services, {
      repo,
      question: readQuestion(question),
      jobs: jobs.map((job) => readJob(job, services, headerToken(context))),
      ...rest,
    });
  };

  router.post('/api/v1/preview', async (context) => {
    const caller = await identifyReader(context);
    const address = readRepo(readField(context.query, 'repo'));
    const repo = await admitPreview({ ...seen, previewRate }, { caller, address });
    const memory = budget.open(context.request.length);
    const reading = { limit: config.maxUploadBytes, memory, allocate: intake.allocateBody };
    try {
      const bytes = await readBody(context.req, reading);
      context.body = presentPreview(await judge(context, repo, bytes), addresses);
    } finally {
      memory.release();
    }
  });
}

/** `<service>/<owner>/<name>`; throws a Failure `not-found` for what no repo is called. */
function readRepo(named: string | undefined): RepoAddress | undefined {
  if (named === undefined) return undefined;
  const [service = '', ...name] = named.split('/');
  return readRepoPath(service, name.join('/'));
}

/** For what a job says of itself, its flag and what tells its legs apart count. */
function readJob(job: IngestedJob, { hosts, secretTexts }: Services, token: string | undefined): PreviewedJob {
  const checked = checkEnvelope(job.envelope);
  const clean = withoutTokens({ envelope: checked, warnings: job.warnings }, { secretTexts, token });
  const { facts } = toJobFacts(clean.envelope, { hosts: hosts.all });
  return { ...job, facts, warnings: [...job.keyWarnings, ...clean.warnings] };
}
