import type Router from '@koa/router';
import { Failure } from '../../core/failure.ts';
import type { Caller } from '../../core/repo/caller.ts';
import type { Services } from '../../services/services.ts';
import type { RepoStore } from '../../storage/store.ts';

/** `GET /api/v1/upload-settings`, for anybody who holds the repo's token: our own action asks before it uploads. */
export function registerUploadSettings(router: Router, services: Services): void {
  router.get('/api/v1/upload-settings', async (context) => {
    const { sendSource } = await readUploadSettings(services, await services.identifyReader(context));
    context.body = { send_source: sendSource };
  });
}

/** What our own action is asked to send to a repo. */
interface UploadSettings {
  readonly sendSource: 'all' | 'none';
}

/** A `manual` repo has no git host that could show its source. Throws a Failure `credential-missing`. */
async function readUploadSettings(
  { repos }: { readonly repos: Pick<RepoStore, 'find'> },
  caller: Caller,
): Promise<UploadSettings> {
  const repo = caller.kind === 'repo' ? await repos.find(caller.repoId) : undefined;
  if (repo === undefined)
    throw new Failure('credential-missing', 'This needs a repo token: send Authorization: Bearer <repo token>.');
  return { sendSource: repo.service === 'manual' ? 'all' : 'none' };
}
