import type { LinkQuery, RepoAddress, SiteLinks } from '../../web/site-links.ts';

/**
 * The links of our pages. They begin at the root of the host, so that they work at whatever address the reader came by.
 * No token goes on with them: pages are copied, saved and linked to. `basePath`: the path of BASE_URL, or `''`.
 */
export function createPageLinks(basePath: string): SiteLinks {
  const link = (path: string, query: LinkQuery = {}): string => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return basePath + path + (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`);
  };
  const ofRepo = ({ service, name }: RepoAddress, page = '', query: LinkQuery = {}): string =>
    link(`/${service}/${encodePath(name)}${page === '' ? '' : `/${page}`}`, query);
  const build = (id: number): string => `/builds/${id}`;
  return {
    home: (query) => link('/', query),
    owner: (service, owner, query) => link(`/${service}/${encodePath(owner)}`, query),
    signIn: (returnTo) => link('/sign-in', { next: returnTo }),
    signInWith: (provider, returnTo) => link(`/sign-in/${provider}`, { next: returnTo }),
    signOut: () => link('/sign-out'),
    account: (form) => link(`/account/${form ?? 'tokens'}`),
    sharingOf: ({ service, name }) => link('/sharing', { service, repo: name }),
    sharing: (form) => link(`/sharing/${form}`),
    users: (form, query) => link(`/admin/users${form === undefined ? '' : `/${form}`}`, query),
    api: () => link('/api'),
    admin: () => link('/admin'),
    build: (id, part) => {
      const pages = { flags_page: beyondFirst(part?.flags), jobs_page: beyondFirst(part?.jobs) };
      return link(build(id), pages) + (part ? `#${part.at}` : '');
    },
    job: (id) => link(`/jobs/${id}`),
    repo: (repo, { branch, page } = {}) => ofRepo(repo, '', { branch, page: beyondFirst(page) }),
    ofRepo,
    pull: (repo, number) => ofRepo(repo, `pulls/${number}`),
    commit: (repo, commit) => ofRepo(repo, `commits/${commit}`),
    tree: (repo, commit, path = '', query = {}) => ofRepo(repo, `commits/${commit}/tree/${encodePath(path)}`, query),
    file: (repo, commit, path, line) =>
      ofRepo(repo, `commits/${commit}/file/${encodePath(path)}`) + (line === undefined ? '' : `#L${showRange(line)}`),
    badge: (repo, query) => ofRepo(repo, 'badge.svg', query),
    sourceFiles: (id, page) => link(`${build(id)}/source_files`, { page: beyondFirst(page) }),
    source: (id, filename, page) => link(`${build(id)}/source`, { filename, page: beyondFirst(page) }),
  };
}

/** `12-20` is written `12-L20`, as git hosts write it. */
function showRange(line: number | string): string {
  return String(line).replace('-', '-L');
}

function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function beyondFirst(page: number | undefined): number | undefined {
  return page === 1 ? undefined : page;
}
