import type { JobFacts } from '../../core/builds/job.ts';
import { groupOf, isOfNumber, meetingOf } from '../commands/accept-job.ts';
import type { BuildPlace } from '../commands/primitives.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { isDuplicate } from './errors.ts';
import type { RepoRows } from './repo-rows.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

/** The newest build of a group. */
interface TopBuild {
  readonly id: number;
  readonly slot: number;
  readonly group: string | undefined;
  /** Whether its first job is still to come. `abandoned`: it took too long, so the next opener takes the place. */
  readonly empty: 'no' | 'awaited' | 'abandoned';
}

/**
 * The place of a new build: above the newest of its group, or that one where it was abandoned. Undefined: another job
 * was faster, or the repo is gone.
 */
export type TakePlace = () => Promise<BuildPlace | undefined>;

/** Between taking a place and its first job lie milliseconds; after this many, an opener is given up. */
const AWAITED = 3_000;

/**
 * Opening builds, so that of jobs that could share one only the first opens it (rule 9), on whatever instance they
 * arrive: the indexes over repo, group or meeting, and slot, are unique.
 */
export function createOpenings(
  connection: Connection,
  { repos, nextId }: { readonly repos: RepoRows; readonly nextId: NextId },
): (repoId: number, facts: JobFacts) => Promise<TakePlace> {
  const { serverTime, run } = connection;
  const { builds } = tablesOf(connection);
  const findTop = async (
    repoId: number,
    [shared, slot]: readonly ['group', 'slot'] | readonly ['meeting', 'meetingSlot'],
    value: string | undefined,
  ): Promise<TopBuild | undefined> => {
    if (value === undefined) return undefined;
    const isOld = { $lt: ['$openedAt', { $subtract: [serverTime(), AWAITED] }] };
    const projection = { [slot]: 1, group: 1, listed: 1, isOld };
    const [top] = await builds.list({ repoId, [shared]: value }, { projection, sort: { [slot]: -1 }, limit: 1 });
    if (top === undefined) return undefined;
    const { isOld: old } = top as unknown as { readonly isOld: boolean };
    const empty = top.listed === true ? 'no' : old ? 'abandoned' : 'awaited';
    return { id: top._id, slot: top[slot] ?? 0, group: top.group, empty };
  };
  /** False: that place is taken. */
  const reserve = async (
    id: number,
    { repoId, ...place }: { readonly repoId: number } & Readonly<Record<string, unknown>>,
  ): Promise<boolean> => {
    const stages = [assign(place), { $set: { openedAt: serverTime() } }];
    try {
      await builds.update({ _id: id, repoId, listed: { $exists: false } }, stages, { upsert: true, hint: { _id: 1 } });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  };
  return async (repoId, facts) => {
    const [group, meeting] = [groupOf(facts), meetingOf(facts)];
    const [top, met] = await Promise.all([
      findTop(repoId, ['group', 'slot'], group),
      findTop(repoId, ['meeting', 'meetingSlot'], meeting),
    ]);
    return async () => {
      const isMet = !(isOfNumber(group) && isOfNumber(met?.group));
      if (top?.empty === 'awaited' || (isMet && met?.empty === 'awaited')) return undefined;
      const isFree = top?.empty === 'abandoned';
      const id = isFree ? top.id : await run(() => nextId('build'));
      const place = {
        repoId,
        ...(group !== undefined && { group, slot: (top?.slot ?? 0) + 1 }),
        ...(meeting !== undefined && { meeting, meetingSlot: (met?.slot ?? 0) + 1 }),
      };
      if (!isFree && !(await reserve(id, place))) return undefined;
      // Only now, so that a late opener takes no number and an old place gets a new one (rule 9: highest is newest).
      const sequence = await repos.nextSequence(repoId);
      return sequence === undefined ? undefined : { id, repoId, sequence };
    };
  };
}
