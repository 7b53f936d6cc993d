/** Absolute addresses of our pages, all below BASE_URL. */
export interface Addresses {
  /** What clients are given. */
  root(): string;
  build(id: number): string;
  job(id: number): string;
  repo(service: string, repo: string): string;
  badge(service: string, repo: string): string;
}

/** `base`: BASE_URL without a trailing slash; asked late, since a free port is known only once the server listens. */
export function createAddresses(base: () => string): Addresses {
  return {
    root: base,
    build: (id) => `${base()}/builds/${id}`,
    job: (id) => `${base()}/jobs/${id}`,
    repo: (service, repo) => `${base()}/${service}/${repo}`,
    badge: (service, repo) => `${base()}/repos/${service}/${repo}/badge.svg`,
  };
}
