import type { Build } from '../domain/build/build.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import type { DiffSource } from '../domain/diff/sent-diff.ts';
import type { ReportEngine } from '../ports/report-engine.ts';
import type { JobStore } from '../ports/store.ts';
import type { Answer } from './ask-provider.ts';

/** The diff that a build's upload brought, where one did and it can be read. */
export type ReadSentDiff = (build: Pick<Build, 'repoId' | 'diff'>) => Promise<Diff | undefined>;

export function createReadSentDiff(deps: {
  readonly jobs: Pick<JobStore, 'source'>;
  readonly engine: Pick<ReportEngine, 'readDiff'>;
}): ReadSentDiff {
  const { jobs, engine } = deps;
  return async ({ repoId, diff }) => {
    const stored = diff && (await jobs.source(repoId, diff.digest));
    return stored && engine.readDiff(stored.bytes);
  };
}

/** What two commits differ in, and by whose word. */
export interface ToldDiff {
  readonly diff: Diff | undefined;
  readonly source: DiffSource;
  /** The provider gave no answer, and nobody else knows every file: it may give one later. */
  readonly lacking: boolean;
}

/** The provider's answer, unless it lacks or leaves something open that the upload's diff of the same commits tells. `sent` is asked only then. */
export async function chooseDiff(answer: Answer<Diff>, sent: (() => Promise<Diff | undefined>) | undefined): Promise<ToldDiff> {
  const lacking = answer.kind === 'lacking';
  const told = answer.kind === 'answer' ? answer.value : undefined;
  const own = sent !== undefined && countUnknown(told) > 0 ? await sent() : undefined;
  const tellsMore = own !== undefined && (told === undefined || countUnknown(own) < countUnknown(told));
  if (!tellsMore) return { diff: told, source: 'provider', lacking };
  return { diff: own, source: 'upload', lacking: lacking && !own.complete };
}

/** Files whose changed lines a diff does not tell; infinitely many of a list that was cut. Of files that are new or gone every line changed. */
function countUnknown(diff: Diff | undefined): number {
  if (diff?.complete !== true) return Number.POSITIVE_INFINITY;
  return diff.files.filter(({ kind, complete }) => !complete && (kind === 'modified' || kind === 'renamed')).length;
}
