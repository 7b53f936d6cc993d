import type { Repo } from '../../domain/repo/repo.ts';
import type { ReportReader } from '../../ports/report-reader.ts';
import type { JobStore } from '../../ports/store.ts';
import type { Range } from './paging.ts';

/** One file as it was at a commit. */
export interface TextOf extends Range {
  readonly repo: Repo;
  readonly commit: string | undefined;
  readonly name: string;
  /** Where its text is stored, where an upload brought it. */
  readonly source: string | undefined;
}

/** Some lines of a file, of whoever may read them; undefined: nobody brought its text. */
export type ReadText = (asked: TextOf) => Promise<readonly string[] | undefined>;

export function createReadText(deps: {
  readonly jobs: Pick<JobStore, 'source'>;
  readonly reader: Pick<ReportReader, 'readLines'>;
}): ReadText {
  const { jobs, reader } = deps;
  return async ({ repo, source, offset, limit }) => {
    const stored = source === undefined ? undefined : await jobs.source(repo.id, source);
    return stored && (await reader.readLines({ source: stored.bytes, offset, limit })).lines;
  };
}
