import type Router from '@koa/router';
import type { Context } from 'koa';
import type { GitHost } from '../../domain/repo/git-host.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { RepoAddress } from '../../domain/repo/repo-name.ts';
import type { SecretTexts } from '../../domain/secret-texts.ts';
import type { IngestedJob, UploadBody, UploadTurn } from '../../ingest/ingest.ts';
import type { IngestedPreview } from '../../ingest/ingest-preview.ts';
import type { AllocateBody } from '../../ports/allocate-body.ts';
import type { AdmitPreview } from '../../use-cases/previews/admit-preview.ts';
import type { PreviewPull } from '../../use-cases/previews/preview-pull.ts';
import type { PreviewedJob } from '../../use-cases/previews/unstored-build.ts';
import { headerToken, type IdentifyReader } from '../middleware/authenticate.ts';
import { readBody } from '../middleware/read-body.ts';
import type { UploadBudget } from '../middleware/upload-budget.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentPreview } from '../presenters/preview-json.ts';
import { checkEnvelope } from './envelope.ts';
import { withoutTokens } from './envelope-tokens.ts';
import { toJobFacts } from './job-facts.ts';
import { readQuestion } from './preview-question.ts';
import { readField, readRepoPath } from './read-query.ts';

export interface PreviewRoutesDeps {
  readonly identifyReader: IdentifyReader;
  readonly admitPreview: AdmitPreview;
  readonly previewPull: PreviewPull;
  readonly ingestPreview: (body: UploadBody, turn: UploadTurn) => Promise<IngestedPreview>;
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

/** Of what a job says of itself, its flag and what tells its legs apart count. */
function readJob(job: IngestedJob, { hosts, secretTexts }: PreviewRoutesDeps, token: string | undefined): PreviewedJob {
  const checked = checkEnvelope(job.envelope);
  const clean = withoutTokens({ envelope: checked, warnings: job.warnings }, { secretTexts, token });
  const { facts } = toJobFacts(clean.envelope, { hosts });
  return { ...job, facts, warnings: [...job.keyWarnings, ...clean.warnings] };
}
