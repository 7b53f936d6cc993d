import type { Repo } from '../core/repo/repo.ts';
import type { Range } from '../platform/paging.ts';
import type { StoredSource } from '../reports/report-bytes.ts';
import type { Services } from '../services/services.ts';

/** One file as it was at a commit. */
export interface TextOf extends Range {
  readonly repo: Repo;
  readonly commit: string | undefined;
  readonly name: string;
  /** Where its text is stored, if an upload brought it. */
  readonly source: string | undefined;
  /** Whether the git host is asked if no upload brought it: not everybody may read what this server may. */
  readonly askHost: boolean;
}

export interface FoundText {
  readonly lines: readonly string[];
  /** The whole text. */
  readonly source: StoredSource;
}

/** Milliseconds: the page says enough without. What comes later is kept for the next time. */
const LONGEST_WAIT = 1_500;

/** Some lines of a file, of anybody who may read them; undefined: nobody brought its text, or it is not here yet. */
export async function readText(
  services: Pick<Services, 'fetchSource' | 'jobs' | 'reader'>,
  { repo, commit, name, source: sent, askHost, offset, limit }: TextOf,
): Promise<FoundText | undefined> {
  const { jobs, reader, fetchSource } = services;
  const stored = sent === undefined ? undefined : await jobs.source(repo.id, sent);
  const source =
    stored ??
    (askHost && commit !== undefined
      ? await fetchSource({ repo, commit, path: name, longestWait: LONGEST_WAIT })
      : undefined);
  if (source === undefined || typeof source === 'string') return undefined;
  return { lines: (await reader.readLines({ source: source.bytes, offset, limit })).lines, source };
}
