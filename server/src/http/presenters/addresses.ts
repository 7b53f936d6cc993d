import type { FilePlace } from '../../domain/announce/links.ts';
import { encodePath } from '../../wording/markdown.ts';

/** Absolute addresses of our pages, all below BASE_URL. */
export interface Addresses {
  /** What clients are given. */
  root(): string;
  build(id: number): string;
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
    build: (id) => `${base()}/builds/${id}`,
    job: (id) => `${base()}/jobs/${id}`,
    repo: (service, repo) => `${base()}/${service}/${repo}`,
    file: (service, repo, { commit, file, lines }) =>
      `${base()}/${service}/${repo}/commits/${encodeURIComponent(commit.toWellFormed())}/file/${encodePath(file)}` +
      (lines === undefined ? '' : fragmentOf(lines)),
    badge: (service, repo) => `${base()}/repos/${service}/${repo}/badge.svg`,
  };
}

function fragmentOf([first, last]: NonNullable<FilePlace['lines']>): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`;
}
