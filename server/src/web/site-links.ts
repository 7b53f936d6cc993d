import type { Repo } from '../domain/repo/repo.ts';

/** Addresses of our own pages, as this reader may open them. */
export interface PageLinks {
  build(id: number): string;
  job(id: number): string;
}

/**
 * Addresses of all our own pages, as this reader may open them: a repo token in the address goes on. Pages count from
 * 1.
 */
export interface SiteLinks extends PageLinks {
  /** The page of a build, from a part of its flags or jobs on; `at`: which of the tables is looked at. */
  build(id: number, part?: { readonly flags: number; readonly jobs: number; readonly at: 'flags' | 'jobs' }): string;
  /** A repo's builds; those of one branch where it is given. */
  repo(
    repo: Pick<Repo, 'service' | 'name'>,
    part?: { readonly branch?: string | undefined; readonly page?: number },
  ): string;
  sourceFiles(buildId: number, page?: number): string;
  source(buildId: number, file: string, page?: number): string;
}
