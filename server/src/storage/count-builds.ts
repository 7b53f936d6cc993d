/** From this many builds on, counting those of a repo takes longer than reading a page of them. */
const MANY = 5_000;
/** The newest are counted each time: one of them may still be on its way. */
const NEWEST = 1_000;
/** In ms. An instance of an earlier version removes builds of MongoDB and leaves no note of it. */
const KEPT = 10 * 60_000;
const MAX_REPOS = 1_000;

/** Older builds of a repo, counted once. */
interface OldBuilds extends Pick<BuildsLook, 'changes'> {
  /** The sequence of the newest of them. */
  readonly through: number;
  readonly count: number;
  readonly until: number;
}

/** What a store knows of a repo's builds without counting them. */
export interface BuildsLook {
  /** The highest sequence that was given. */
  readonly last: number;
  /** Another one after each change of which old builds there are. */
  readonly changes: string | number;
}

export interface BuildsToCount {
  look(repoId: number): Promise<BuildsLook>;
  /** The listed builds whose sequence is above one, or not above another. */
  count(repoId: number, range: { readonly above?: number; readonly upTo?: number }): Promise<number>;
}

/** Counts the listed builds of a repo. */
export type CountBuilds = (repoId: number) => Promise<number>;

/** A store counts by reading every key. Old builds only ever go, or are imported, and that is noted. */
export function createCountBuilds({ look, count }: BuildsToCount): CountBuilds {
  const known = new Map<number, OldBuilds>();
  const countOld = async (repoId: number, { last, changes }: BuildsLook): Promise<OldBuilds> => {
    const before = known.get(repoId);
    const holds = before?.changes === changes && before.until > performance.now() && last - before.through <= MANY;
    if (before !== undefined && holds) return before;
    const through = last - NEWEST;
    const old = { through, changes, count: await count(repoId, { upTo: through }), until: performance.now() + KEPT };
    if (known.size >= MAX_REPOS) known.clear();
    known.set(repoId, old);
    return old;
  };
  return async (repoId) => {
    const looked = await look(repoId);
    if (looked.last <= MANY) return count(repoId, {});
    const old = await countOld(repoId, looked);
    return old.count + (await count(repoId, { above: old.through }));
  };
}
