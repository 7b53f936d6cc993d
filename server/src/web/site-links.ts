import type { Repo } from '../domain/repo/repo.ts';
import type { PageLinks } from './build-tables.tsx';

/**
 * Addresses of all our own pages, as this reader may open them: a repo token in the address goes on. Pages count from
 * 1.
 */
export interface SiteLinks extends PageLinks {
  /** A repo's builds; those of one branch where it is given. */
  repo(
    repo: Pick<Repo, 'service' | 'name'>,
    part?: { readonly branch?: string | undefined; readonly page?: number },
  ): string;
  sourceFiles(buildId: number, page?: number): string;
  source(buildId: number, file: string, page?: number): string;
}
