import type { JobFacts } from '../../domain/build/job.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { RepoRows } from './repo-rows.ts';

/** The newest build of a group. */
export interface TopBuild {
  readonly id: number;
  readonly sequence: number;
  readonly slot: number;
  /** Its first job has not arrived: who would open one takes this. */
  readonly isEmpty: boolean;
}

/** A build that may be begun. */
export interface OpenedPlace {
  readonly id: number;
  readonly sequence: number;
}

/** Opening builds, so that of jobs that could share one only the first opens it (rule 9), on whatever instance they arrive. */
export interface Openings {
  findTop(repoId: number, group: string): Promise<TopBuild | undefined>;
  /** A new build above `top`, or `top` where nobody began it. Undefined: somebody else was faster, or the repo is gone. */
  take(opening: {
    readonly repoId: number;
    readonly group: string | undefined;
    readonly top: TopBuild | undefined;
  }): Promise<OpenedPlace | undefined>;
}

/**
 * What all jobs agree in that could join one build by rule 9; the unique index over (repo, group, slot) lets one of them open it. Undefined
 * for a job that always opens its own.
 */
export function groupOf({ serviceName, serviceNumber, serviceJobId, parallel }: JobFacts): string | undefined {
  if (serviceNumber !== undefined) return JSON.stringify(['number', serviceNumber]);
  if (serviceJobId !== undefined) return JSON.stringify(['job', serviceName, serviceJobId]);
  return parallel ? JSON.stringify(['service', serviceName]) : undefined;
}

/** Binds the openings of one database. */
export function createOpenings(
  { collections: { builds }, run, serverTime }: Connection,
  { repos, nextId }: { readonly repos: RepoRows; readonly nextId: NextId },
): Openings {
  return {
    async findTop(repoId, group) {
      const projection = { sequence: 1, slot: 1, listed: 1 };
      const [top] = await run(() =>
        builds
          .find({ repoId, group }, { projection, sort: { slot: -1 } })
          .limit(1)
          .toArray(),
      );
      return top && { id: top._id, sequence: top.sequence, slot: top.slot ?? 0, isEmpty: top.listed === undefined };
    },
    async take({ repoId, group, top }) {
      if (top?.isEmpty === true) return { id: top.id, sequence: top.sequence };
      const sequence = await repos.nextSequence(repoId);
      if (sequence === undefined) return undefined;
      const id = await run(() => nextId('build'));
      const place = group === undefined ? {} : { group, slot: (top?.slot ?? 0) + 1 };
      const fields = { $set: { repoId, sequence, ...literally(place), openedAt: serverTime() } };
      try {
        await run(() => builds.updateOne({ _id: id, listed: { $exists: false } }, [fields], { upsert: true }));
        return { id, sequence };
      } catch (error) {
        if (isDuplicate(error)) return undefined;
        throw error;
      }
    },
  };
}

function literally(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
