import type { JobFacts } from '../../domain/builds/job.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { RepoRows } from './repo-rows.ts';

/** The newest build of a group. */
export interface TopBuild {
  readonly id: number;
  readonly slot: number;
  /** Its first job has not arrived. `abandoned`: nobody is on the way any more, so who would open one takes this. */
  readonly empty: 'no' | 'awaited' | 'abandoned';
}

/** A build that may be begun. */
export interface OpenedPlace {
  readonly id: number;
  readonly sequence: number;
}

/**
 * Opening builds, so that of jobs that could share one only the first opens it (rule 9), on whatever instance they
 * arrive.
 */
export interface Openings {
  findTop(repoId: number, group: string): Promise<TopBuild | undefined>;
  /**
   * A new build above `top`, or `top` where it was abandoned. Undefined: somebody else is faster, or the repo is gone.
   */
  take(opening: {
    readonly repoId: number;
    readonly group: string | undefined;
    readonly top: TopBuild | undefined;
  }): Promise<OpenedPlace | undefined>;
}

/** Between taking a place and its first job lie milliseconds; after so many an opener is given up. */
const AWAITED = 3_000;

/**
 * What all jobs agree in that could join one build by rule 9; the unique index over (repo, group, slot) lets one of
 * them open it. Undefined for a job that always opens its own.
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
  /** False: that place is taken. */
  const reserve = async (id: number, place: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const fields = { $set: { ...literally(place), openedAt: serverTime() } };
    try {
      await run(() => builds.updateOne({ _id: id, listed: { $exists: false } }, [fields], { upsert: true }));
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  };
  return {
    async findTop(repoId, group) {
      const isOld = { $lt: ['$openedAt', { $subtract: [serverTime(), AWAITED] }] };
      const projection = { slot: 1, listed: 1, isOld };
      const [top] = await run(() =>
        builds
          .find({ repoId, group }, { projection, sort: { slot: -1 } })
          .limit(1)
          .toArray(),
      );
      if (top === undefined) return undefined;
      const { isOld: old } = top as unknown as { readonly isOld: boolean };
      return { id: top._id, slot: top.slot ?? 0, empty: top.listed === true ? 'no' : old ? 'abandoned' : 'awaited' };
    },
    async take({ repoId, group, top }) {
      if (top?.empty === 'awaited') return undefined;
      const isFree = top?.empty === 'abandoned';
      const id = isFree ? top.id : await run(() => nextId('build'));
      const place = group === undefined ? { repoId } : { repoId, group, slot: (top?.slot ?? 0) + 1 };
      if (!isFree && !(await reserve(id, place))) return undefined;
      // Only now, so that who is late takes no number, and an old place gets none of long ago (rule 9: the highest is
      // the newest).
      const sequence = await repos.nextSequence(repoId);
      return sequence === undefined ? undefined : { id, sequence };
    },
  };
}

function literally(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}
