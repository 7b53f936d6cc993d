import type Router from '@koa/router';
import type { Context } from 'koa';
import { headerToken, type IdentifyReader } from '../../access/browser/authenticate.ts';
import type { GitHost } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import { readBody } from '../../platform/http/read-body.ts';
import { readField, readRepoPath } from '../../platform/http/read-query.ts';
import type { UploadBudget } from '../../platform/http/upload-budget.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { AllocateBody } from '../../reports/allocate-body.ts';
import type { IngestedJob, UploadBody, UploadQueueKey } from '../../reports/ingest/ingest.ts';
import type { IngestedPreview } from '../../reports/ingest/ingest-preview.ts';
import type { AdmitPreview } from '../admit-preview.ts';
import type { PreviewPull } from '../preview-pull.ts';
import type { PreviewedJob } from '../unstored-build.ts';
import { checkEnvelope } from './envelope.ts';
import { withoutTokens } from './envelope-tokens.ts';
import { toJobFacts } from './job-facts.ts';
import { presentPreview } from './preview-json.ts';
import { readQuestion } from './preview-question.ts';

export interface PreviewRoutesDeps {
  readonly identifyReader: IdentifyReader;
  readonly admitPreview: AdmitPreview;
  readonly previewPull: PreviewPull;
  readonly ingestPreview: (body: UploadBody, queueKey: UploadQueueKey) => Promise<IngestedPreview>;
  readonly hosts: readonly GitHost[];
  readonly secretTexts: SecretTexts;
  readonly addresses: Addresses;
  readonly maxUploadBytes: number;
  /** The memory of all uploads. */
  readonly budget: UploadBudget;
  readonly allocate: AllocateBody;
}

/** `POST /api/v1/preview`: the verdict that a pull request will get. Stores nothing. */
export function registerPreview(router: Router, deps: PreviewRoutesDeps): void {
  const { identifyReader, admitPreview, previewPull, ingestPreview, addresses, maxUploadBytes, budget, allocate } =
    deps;
  const judge = async (context: Context, repo: Repo, bytes: Uint8Array) => {
    const body = {
      bytes,
      contentType: context.get('Content-Type'),
      contentEncoding: context.get('Content-Encoding'),
    };
    const { question, jobs, ...rest } = await ingestPreview(body, { known: true, share: String(repo.id) });
    return previewPull({
      repo,
      question: readQuestion(question),
      jobs: jobs.map((job) => readJob(job, deps, headerToken(context))),
      ...rest,
    });
  };

  router.post('/api/v1/preview', async (context) => {
    const caller = await identifyReader(context);
    const repo = await admitPreview({ caller, address: readRepo(readField(context.query, 'repo')) });
    const memory = budget.open(context.request.length);
    try {
      const bytes = await readBody(context.req, { limit: maxUploadBytes, memory, allocate });
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
function readJob(job: IngestedJob, { hosts, secretTexts }: PreviewRoutesDeps, token: string | undefined): PreviewedJob {
  const checked = checkEnvelope(job.envelope);
  const clean = withoutTokens({ envelope: checked, warnings: job.warnings }, { secretTexts, token });
  const { facts } = toJobFacts(clean.envelope, { hosts });
  return { ...job, facts, warnings: [...job.keyWarnings, ...clean.warnings] };
}
