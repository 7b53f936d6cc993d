import { RecentMap } from '../../core/recent-map.ts';
import type { DescribedRun } from '../../core/repo/fork-run.ts';
import type { Timers } from '../../platform/timers.ts';

/** Milliseconds between the beginnings of two lists of a repo, and for how long a list is believed. */
const INTERVAL = 5_000;
const REMEMBERED = 60_000;
const MAX_REPOS = 100;

interface Lists {
  runs: readonly DescribedRun[];
  /** When the last list was asked for. */
  begun: number;
  current: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

/** Runs that hosts listed lately, by repo: made-up ids are no reason to ask about each of them. */
export interface ListedRuns {
  /** The first of the runs that the last list has; waits for one that is in progress. */
  find(repo: string, ids: readonly string[]): Promise<DescribedRun | undefined>;
  /** Whether another list would be asked for at once. */
  isDue(repo: string): boolean;
  /** Whether somebody waits for another list. */
  isAwaited(repo: string): boolean;
  /** Asks for another list, in its time: everybody who waits shares it. */
  renew(repo: string, list: () => Promise<readonly DescribedRun[] | undefined>): Promise<void>;
}

export function createListedRuns({ timers }: { readonly timers: Pick<Timers, 'elapsed' | 'sleep'> }): ListedRuns {
  const known = new RecentMap<Lists>({ max: MAX_REPOS });
  const listsOf = (repo: string): Lists => {
    const lists = known.get(repo) ?? { runs: [], begun: Number.NEGATIVE_INFINITY, current: undefined, next: undefined };
    known.set(repo, lists);
    return lists;
  };
  const pauseOf = ({ begun }: Lists): number => Math.max(0, begun + INTERVAL - timers.elapsed());
  return {
    async find(repo, ids) {
      const lists = listsOf(repo);
      await lists.current?.catch(() => undefined);
      if (lists.begun + REMEMBERED < timers.elapsed()) return undefined;
      return lists.runs.find(({ id }) => ids.includes(id));
    },
    isDue: (repo) => pauseOf(listsOf(repo)) === 0,
    isAwaited: (repo) => listsOf(repo).next !== undefined,
    renew(repo, list) {
      const lists = listsOf(repo);
      lists.next ??= timers.sleep(pauseOf(lists)).then(() => {
        lists.begun = timers.elapsed();
        lists.current = list().then((runs = []) => {
          lists.runs = runs;
        });
        // A later upload may name a run that begins after this list.
        lists.next = undefined;
        return lists.current.finally(() => {
          lists.current = undefined;
        });
      });
      return lists.next;
    },
  };
}
