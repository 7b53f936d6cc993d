import type { Texts } from '../../core/sentences.ts';

export function repoNotHere({ host, service, repo }: Texts<'host' | 'service' | 'repo'>): string {
  return `${host} confirms it, but this server has no ${service} repo ${repo}.`;
}

export const HAVE_REPO_MADE =
  'Ask an administrator to create it (POST /api/v1/repos), or to name its owner in ALLOWED_OWNERS.';

export function otherRepoNow({ host, now, before }: Texts<'host' | 'now' | 'before'>): string {
  return (
    `At ${host} this name now belongs to a different repo (id ${now}) than when it was created here (id ` +
    `${before}).`
  );
}

export const HAVE_REPO_REPLACED =
  'Ask an administrator to remove the old repo of that name here and to create the new one.';

export function tokenRefused({
  kind,
  repoName,
  found,
  remedy,
}: Texts<'kind' | 'found' | 'remedy'> & { readonly repoName: string | undefined }): string {
  const asked = repoName === undefined ? 'without a repo_name' : `for the repo ${repoName}`;
  return `repo_token is ${kind}, sent ${asked}. ${found} ${remedy}`;
}

export function hostAsksToWait(host: string): string {
  return `${host} asks its callers to wait`;
}

export function hostTooSlow(host: string): string {
  return `${host} did not answer in time`;
}

export const NEW_ID_TOKEN = "Have the job ask for a new one for this server, or use the repo's own token.";

export function claimWrong(claim: string): string {
  return `Its claim ${claim} is missing or wrong.`;
}
