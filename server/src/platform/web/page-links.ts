import { LINES_ON_PAGE } from '../../core/announce/links.ts';
import { type HostTerms, numberOf } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { checkQuery } from '../../wording/check-words.ts';
import { encodePart, encodePath } from '../../wording/markdown.ts';
import type { LinkQuery, RepoAddress, SiteLinks } from './site-links.ts';

/**
 * The links of our pages. They begin at the root of the host, so that they work at whatever address the reader came by.
 * No token is passed on with them: pages are copied, saved and linked to. `basePath`: the path of BASE_URL, or `''`.
 */
export function createPageLinks(basePath: string, terms: (repo: Pick<Repo, 'service'>) => HostTerms): SiteLinks {
  const link: Link = (path, query = {}) => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return basePath + path + (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`);
  };
  return {
    ...linksOfServer(link),
    ...linksOfBuilds(link),
    ...linksOfRepos(link),
    terms,
    numberOf: (repo, pullRequest) => numberOf(terms(repo), pullRequest),
  };
}

type Link = (path: string, query?: LinkQuery) => string;

const buildPath = (id: number): string => `/builds/${id}`;

function linksOfServer(link: Link) {
  return {
    home: (query) => link('/', query),
    owner: (service, owner, query) => link(`/${service}/${encodePath(owner)}`, query),
    signIn: (returnTo) => link('/sign-in', { next: returnTo }),
    signInByLink: () => link('/sign-in/link'),
    signInWith: (provider, returnTo) => link(`/sign-in/${provider}`, { next: returnTo }),
    signOut: () => link('/sign-out'),
    account: (form) => link(`/account/${form ?? 'tokens'}`),
    sharingOf: ({ service, name }) => link('/sharing', { service, repo: name }),
    sharing: (form) => link(`/sharing/${form}`),
    users: (form, query) => link(`/admin/users${form === undefined ? '' : `/${form}`}`, query),
    api: () => link('/api'),
    apiDocument: () => link('/api/openapi.json'),
    docs: (page = '') => link(page === '' ? '/docs' : `/docs/${page}`),
    admin: () => link('/admin'),
    audit: (query) => link('/admin/audit', query),
    newRepo: () => link('/repos/new'),
    setup: () => link('/setup'),
  } satisfies Partial<SiteLinks>;
}

function linksOfBuilds(link: Link) {
  return {
    build: (id, part) => {
      const pages = { flags_page: beyondFirst(part?.flags), jobs_page: beyondFirst(part?.jobs) };
      return link(buildPath(id), pages) + (part ? `#${part.at}` : '');
    },
    check: (id, check, at = 'cover') => `${link(buildPath(id))}?${checkQuery(check)}#${at}`,
    accept: (id, undo) => link(`${buildPath(id)}/accept${undo === undefined ? '' : '/undo'}`),
    job: (id) => link(`/jobs/${id}`),
    report: (id, format) => link(`${buildPath(id)}/${format}`),
    mark: (id) => link(`${buildPath(id)}/mark.json`),
    sourceFiles: (id) => link(`${buildPath(id)}/source_files`),
    source: (id, filename) => link(`${buildPath(id)}/source`, { filename }),
  } satisfies Partial<SiteLinks>;
}

function linksOfRepos(link: Link) {
  const ofRepo = ({ service, name }: RepoAddress, page = '', query: LinkQuery = {}): string =>
    link(`/${service}/${encodePath(name)}${page === '' ? '' : `/${page}`}`, query);
  const encodeFile = rememberLast(encodeFilePath);
  const fileOf = rememberFile((repo, commit, path) => ofRepo(repo, `${revision(commit)}/file/${encodeFile(path)}`));
  return {
    repo: (repo, { branch, page } = {}) => ofRepo(repo, '', { branch, page: beyondFirst(page) }),
    ofRepo,
    compare: (repo, base, head) =>
      ofRepo(repo, `compare/${[base, head].map((name) => name.split('/').map(encodePart).join('/')).join('...')}`),
    buildList: ({ service, name }, query) => link(`/${service}/${encodePath(name)}.json`, query),
    pull: (repo, number, page) => ofRepo(repo, `pulls/${number}`, { page: beyondFirst(page) }),
    commit: (repo, commit) => ofRepo(repo, `commits/${encodePart(commit)}`),
    tree: (repo, commit, path = '', query = {}) =>
      ofRepo(repo, `${revision(commit)}/tree/${encodeFile(path)}`, { ...query, path: unaddressable(path) }),
    file: (repo, commit, path, line) => {
      const first = Number.parseInt(String(line ?? 1), 10);
      const place = line === undefined ? '' : `#L${showRange(line)}`;
      const hidden = unaddressable(path);
      if (hidden === undefined && first <= LINES_ON_PAGE) return fileOf(repo, commit, path) + place;
      const query = { path: hidden, line: first > LINES_ON_PAGE ? first : undefined };
      return ofRepo(repo, `${revision(commit)}/file/${encodeFile(path)}`, query) + place;
    },
    badge: (repo, query) => ofRepo(repo, 'badge.svg', query),
  } satisfies Partial<SiteLinks>;
}

function revision(commit: string | number): string {
  return typeof commit === 'number' ? `builds/${commit}` : `commits/${encodePart(commit)}`;
}

/** A path that begins with a slash, or has `//` or `..` in it, would lead elsewhere: it goes into the query. */
function unaddressable(path: string): string | undefined {
  return path.startsWith('/') || path.includes('//') || /(?:^|\/)\.\.?(?:\/|$)/.test(path) ? path : undefined;
}

function encodeFilePath(path: string): string {
  return unaddressable(path) === undefined ? path.split('/').map(encodePart).join('/') : '';
}

/** A page links to many lines of one file, one after the other. */
function rememberLast(encode: (path: string) => string): (path: string) => string {
  let [last, encoded] = ['', ''];
  return (path) => {
    if (path !== last) [last, encoded] = [path, encode(path)];
    return encoded;
  };
}

type FileOf = (repo: RepoAddress, commit: string | number, path: string) => string;

/** The same of its whole address. */
function rememberFile(address: FileOf): FileOf {
  let last: { readonly of: Parameters<FileOf>; readonly address: string } | undefined;
  return (...of) => {
    if (last === undefined || of.some((part, index) => part !== last?.of[index]))
      last = { of, address: address(...of) };
    return last.address;
  };
}

/** `12-20` is written `12-L20`, as git hosts write it. */
function showRange(line: number | string): string {
  return String(line).replace('-', '-L');
}

function beyondFirst(page: number | undefined): number | undefined {
  return page === 1 ? undefined : page;
}
