/** Absolute addresses of our pages, all below BASE_URL. */
export interface Addresses {
  readonly base: string;
  build(id: number): string;
  job(id: number): string;
  badge(service: string, repo: string): string;
}

/** `base`: BASE_URL without a trailing slash. */
export function createAddresses(base: string): Addresses {
  return {
    base,
    build: (id) => `${base}/builds/${id}`,
    job: (id) => `${base}/jobs/${id}`,
    badge: (service, repo) => `${base}/repos/${service}/${repo}/badge.svg`,
  };
}
