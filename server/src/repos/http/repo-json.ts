import type { Repo } from '../../core/repo/repo.ts';
import { toSeconds } from '../../core/time.ts';
import type { ListedRepos } from '../list-repos.ts';
import type { ReadRepoResult } from '../read-repo.ts';
import type { RotateRepoToken } from '../rotate-repo-token.ts';

/** The fields that every answer about a repo has (api.md "Repos"). */
export interface RepoJson {
  service: string;
  name: string;
  comment_on_pull_requests: boolean;
  send_build_status: boolean;
  commit_status_fail_threshold: number | null;
  commit_status_fail_change_threshold: number | null;
  created_at: string;
  updated_at: string;
}

/** A repo without what only some may see. */
export function presentRepo({ service, name, settings, createdAt, updatedAt }: Repo): RepoJson {
  return {
    service,
    name,
    comment_on_pull_requests: settings.commentOnPullRequests,
    send_build_status: settings.sendBuildStatus,
    commit_status_fail_threshold: settings.minimum,
    commit_status_fail_change_threshold: settings.allowedDrop,
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
export function presentNewToken({ token, oldUntil }: Awaited<ReturnType<RotateRepoToken>>): object {
  return { token, old_token_valid_until: oldUntil === undefined ? null : toSeconds(oldUntil) };
}
