import type { SiteLinks } from '../../web/site-links.ts';
import type { Addresses } from './addresses.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

/** The links of our pages. No token goes on with them: pages are copied, saved and linked to. */
export function createPageLinks(addresses: Addresses): SiteLinks {
  const link = (address: string, query: Query = {}): string => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return pairs.length === 0 ? address : `${address}?${new URLSearchParams(pairs)}`;
  };
  return {
    build: (id, part) => {
      const pages = { flags_page: beyondFirst(part?.flags), jobs_page: beyondFirst(part?.jobs) };
      return link(addresses.build(id), pages) + (part ? `#${part.at}` : '');
    },
    job: (id) => link(addresses.job(id)),
    repo: ({ service, name }, { branch, page } = {}) =>
      link(addresses.repo(service, name), { branch, page: beyondFirst(page) }),
    sourceFiles: (id, page) => link(`${addresses.build(id)}/source_files`, { page: beyondFirst(page) }),
    source: (id, filename, page) => link(`${addresses.build(id)}/source`, { filename, page: beyondFirst(page) }),
  };
}

function beyondFirst(page: number | undefined): number | undefined {
  return page === 1 ? undefined : page;
}
