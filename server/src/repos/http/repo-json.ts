import type { Repo } from '../../core/repo/repo.ts';
import { ALL_SETTINGS } from '../../core/repo/settings.ts';
import { toSeconds } from '../../core/time.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { writeSetting } from '../../platform/http/written-settings.ts';
import type { ListedRepos } from '../list-repos.ts';
import type { ReadRepoResult } from '../read-repo.ts';
import type { rotateRepoToken } from '../rotate-repo-token.ts';

/** A repo without what only some may see: the fields that every answer about one has (api.md "Repos"). */
export function presentRepo({ service, name, settings, createdAt, updatedAt }: Repo): object {
  const ofRepo = ALL_SETTINGS.filter(({ setAt }) => setAt === 'repo');
  return {
    service,
    name,
    ...Object.fromEntries(ofRepo.map((setting) => writeSetting(setting, settings))),
    created_at: toSeconds(createdAt),
    updated_at: toSeconds(updatedAt),
  };
}

/** `POST /api/v1/repos` */
export function presentNewRepo({ repo, token }: { readonly repo: Repo; readonly token: string }): object {
  return { repo: { ...presentRepo(repo), id: repo.id, token } };
}

/** `GET /api/v1/repos/<service>/<name>`: flat. */
export function presentReadRepo(read: ReadRepoResult): object {
  const { repo, token, badgeToken, hasBadge, warnings, lastUse } = read;
  return {
    ...presentRepo(repo),
    id: repo.id,
    has_badge: hasBadge,
    ...(token === undefined
      ? {}
      : {
          token,
          token_last_used_at: lastUse === undefined ? null : toSeconds(lastUse.at),
          token_last_client: lastUse?.client ?? null,
        }),
    ...(badgeToken === undefined ? {} : { badge_token: badgeToken }),
    warnings,
  };
}

/** `GET /api/v1/repos`; `addressOf`: a repo's page. */
export function presentRepoList(listed: ListedRepos, addressOf: (service: string, name: string) => string): object {
  const { page, pages, total, repos } = listed;
  const shown = repos.map((repo) => ({ ...presentRepo(repo), id: repo.id, url: addressOf(repo.service, repo.name) }));
  return { page, pages, total, repos: shown };
}

/** `POST /api/v1/repos/<service>/<name>/token` */
export function presentNewToken({ token, oldUntil }: Awaited<ReturnType<typeof rotateRepoToken>>): Answer<'newToken'> {
  return { token, old_token_valid_until: oldUntil === undefined ? null : toSeconds(oldUntil) };
}
