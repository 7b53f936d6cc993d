import type { HostLinks } from '../../ports/host.ts';

/**
 * Where people see what the API at `apiUrl` serves: github.com, a data-residency host, or a GitHub Enterprise server.
 */
export function githubWebAddress(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname.startsWith('api.')) return `${url.protocol}//${url.hostname.slice('api.'.length)}`;
  return `${url.origin}${url.pathname.replace(/\/api\/v3\/?$/, '').replace(/\/$/, '')}`;
}

/**
 * Who signs the id-tokens of its workflows' runs (docs.github.com, "OpenID Connect reference", and "... on GitHub
 * Enterprise Server").
 */
export function githubIssuer(apiUrl: string): string {
  const web = githubWebAddress(apiUrl);
  const { host, hostname } = new URL(web);
  if (hostname === 'github.com') return 'https://token.actions.githubusercontent.com';
  return hostname.endsWith('.ghe.com') ? `https://token.actions.${host}` : `${web}/_services/token`;
}

/** Lines of a file at a commit. `file` is percent-encoded but for its slashes. */
export function githubLines(web: string, repo: string): HostLinks['lines'] {
  return ({ commit, file, first, last }) => {
    const lines = last === first ? `L${first}` : `L${first}-L${last}`;
    return `${web}/${repo}/blob/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
  };
}
