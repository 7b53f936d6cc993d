import type { Connection } from './connection.ts';
import { tablesOf } from './table.ts';

/** From so many builds on, counting those of a repo takes longer than reading a page of them. */
const MANY = 5_000;
/** The newest are counted each time: one of them may still be on its way. */
const NEWEST = 1_000;
/** In ms. An instance of an earlier version removes builds and leaves no note of it. */
const KEPT = 10 * 60_000;
const MAX_REPOS = 1_000;

/** Older builds of a repo, counted once. */
interface OldBuilds {
  /** The sequence of the newest of them. */
  readonly through: number;
  readonly count: number;
  /** How many builds of the repo had been removed by then. */
  readonly removed: number;
  readonly until: number;
}

/** Counts the listed builds of a repo. */
export type CountBuilds = (repoId: number) => Promise<number>;

/** The server counts by reading every key. Old builds only ever go, and a removal is noted at the repo. */
export function createCountBuilds(connection: Connection): CountBuilds {
  const { repos } = tablesOf(connection);
  const known = new Map<number, OldBuilds>();
  const count = (repoId: number, sequence?: { readonly $gt: number } | { readonly $lte: number }): Promise<number> => {
    const filter = { repoId, listed: true, ...(sequence && { sequence }) } as const;
    return connection.run(() => connection.collections.builds.countDocuments(filter));
  };
  const countOld = async (repoId: number, removed: number, last: number): Promise<OldBuilds> => {
    const before = known.get(repoId);
    const holds = before?.removed === removed && before.until > performance.now() && last - before.through <= MANY;
    if (before !== undefined && holds) return before;
    const through = last - NEWEST;
    const old = { through, removed, count: await count(repoId, { $lte: through }), until: performance.now() + KEPT };
    if (known.size >= MAX_REPOS) known.clear();
    known.set(repoId, old);
    return old;
  };
  return async (repoId) => {
    const projection = { lastSequence: 1, removedBuilds: 1 };
    const { lastSequence = 0, removedBuilds = 0 } = (await repos.one({ _id: repoId }, { projection })) ?? {};
    if (lastSequence <= MANY) return count(repoId);
    const old = await countOld(repoId, removedBuilds, lastSequence);
    return old.count + (await count(repoId, { $gt: old.through }));
  };
}
