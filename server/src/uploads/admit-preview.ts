import { findReadableRepo } from '../access/find-administered-repo.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoAddress } from '../core/repo/repo-name.ts';
import { type Counts, counted, type Texts } from '../core/sentences.ts';
import type { MinuteRate } from '../platform/limiter.ts';
import type { Services } from '../services/services.ts';

interface Asking {
  readonly caller: Caller;
  /** Undefined: the one of the repo token. */
  readonly address: RepoAddress | undefined;
}

type Finding = Pick<Services, 'repos' | 'resolveAccess'>;

/**
 * The repo of a preview: anybody who may read its numbers may ask, by a credential. Throws a Failure before any byte of
 * the body is read. `previewRate`: apart from that of uploads, so that no preview holds up a build.
 */
export async function admitPreview(
  services: Finding & Pick<Services, 'config'> & { readonly previewRate: MinuteRate },
  asking: Asking,
): Promise<Repo> {
  const repo = await findRepo(services, asking);
  const over = await services.previewRate.take(String(repo.id));
  if (over === undefined) return repo;
  const { count, retryAfter } = over;
  const limit = services.config.repoLimits.jobsPerMinute;
  const seen = { repo: quoteValue(repo.name), count, limit, retryAfter };
  throw new Failure('over-limit', tooManyPreviews(seen), { retryAfter });
}

async function findRepo(services: Finding, { caller, address }: Asking): Promise<Repo> {
  if (caller.kind === 'anonymous')
    throw new Failure(
      'credential-missing',
      'A preview needs a credential: send the repo token, or a personal token together with ' +
        '?repo=<service>/<owner>/<name>, as "Authorization: Bearer <token>".',
    );
  const own = caller.kind === 'repo' ? await services.repos.find(caller.repoId) : undefined;
  if (address === undefined && own !== undefined) return own;
  if (address === undefined)
    throw new Failure(
      'payload-invalid',
      'With a personal token, a preview must name its repo: add ?repo=<service>/<owner>/<name> to the URL.',
      { field: 'repo' },
    );
  const { repo } = await findReadableRepo(services, { caller, address });
  if (own === undefined || repo.id === own.id) return repo;
  throw new Failure(
    'forbidden',
    `The repo token belongs to a repo other than ${quoteValue(repo.name)}. ` +
      'Send the token of that repo, or leave out ?repo.',
  );
}

function tooManyPreviews({
  repo,
  count,
  limit,
  retryAfter,
}: Texts<'repo'> & Counts<'count' | 'limit' | 'retryAfter'>): string {
  return (
    `${counted(count, 'preview')} of the repo ${repo} came within a minute; the limit of one repo is ${limit} ` +
    `(MAX_REPO_JOBS_PER_MINUTE). Ask again in ${retryAfter} s.`
  );
}
