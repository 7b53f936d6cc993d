import type { HostLinks } from '../../ports/host.ts';

/**
 * Where people see what the API at `apiUrl` serves: github.com, a data-residency host, or a GitHub Enterprise server.
 */
export function githubWebAddress(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname.startsWith('api.')) return `${url.protocol}//${url.hostname.slice('api.'.length)}`;
  return `${url.origin}${url.pathname.replace(/\/api\/v3\/?$/, '').replace(/\/$/, '')}`;
}

/** Lines of a file at a commit. `file` is percent-encoded except for its slashes. */
export function githubLines(web: string, repo: string): HostLinks['lines'] {
  return ({ commit, file, first, last }) => {
    const lines = last === first ? `L${first}` : `L${first}-L${last}`;
    return `${web}/${repo}/blob/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
  };
}
