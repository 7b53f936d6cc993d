import type { FilePlace } from '../../core/announce/links.ts';
import { LINES_ON_PAGE } from '../../core/announce/links.ts';
import { checkQuery } from '../../wording/check-words.ts';
import { encodePart, encodePath } from '../../wording/markdown.ts';

/** Absolute addresses of our pages, all below BASE_URL. */
export interface Addresses {
  /** What clients are given. */
  root(): string;
  /** `check`: the id of one of its checks, whose lines are shown. */
  build(id: number, check?: string): string;
  job(id: number): string;
  repo(service: string, repo: string): string;
  /** A file in the build that the commit's sha means, with lines in the fragment: `#L12-L20`. */
  file(service: string, repo: string, place: FilePlace): string;
  badge(service: string, repo: string): string;
}

/** `base`: BASE_URL without a trailing slash; asked late, since a free port is known only once the server listens. */
export function createAddresses(base: () => string): Addresses {
  return {
    root: base,
    build: (id, check) => `${base()}/builds/${id}${check === undefined ? '' : `?${checkQuery(check)}`}`,
    job: (id) => `${base()}/jobs/${id}`,
    repo: (service, repo) => `${base()}/${service}/${repo}`,
    file: (service, repo, { commit, file, lines }) =>
      `${base()}/${service}/${repo}/commits/${encodePart(commit)}/file/${encodePath(file)}` +
      (lines === undefined ? '' : placeOf(lines)),
    badge: (service, repo) => `${base()}/repos/${service}/${repo}/badge.svg`,
  };
}

/** A later page of the file is named too: the fragment does not reach the server. */
function placeOf([first, last]: NonNullable<FilePlace['lines']>): string {
  const page = first > LINES_ON_PAGE ? `?line=${first}` : '';
  return first === last ? `${page}#L${first}` : `${page}#L${first}-L${last}`;
}
