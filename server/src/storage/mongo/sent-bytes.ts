import { RecentMap } from '../../core/recent-map.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';

/** What repos sent on a day, without a command for each upload. */
export interface SentBytes {
  /** Bytes of the uploads that were accepted. Undefined: the repo is gone. */
  read(repoId: number, day: number, limit: number): Promise<number | undefined>;
  /** Adds to them, at once only where the limit is near. Never fails: bytes that are not counted nobody misses. */
  add(sent: { readonly repoId: number; readonly day: number; readonly bytes: number }, limit: number): Promise<void>;
  /** Writes what was added. */
  flush(): Promise<void>;
}

/** How long what was read counts, and after how long what was added is written, in ms. */
const AGE = 1_000;
const MAX_REPOS = 10_000;
/** From this share of a limit on nothing is remembered, so that several servers exceed it by a second's uploads. */
const NEAR = 7 / 8;

interface Remembered {
  readonly day: number;
  /** With what this process added since. */
  bytes: number;
}

/** Binds the counts of one database. */
export function createSentBytes({ run }: Pick<Connection, 'run'>, repos: RepoRows): SentBytes {
  const remembered = new RecentMap<Remembered>({ max: MAX_REPOS, lasts: AGE, now: () => performance.now() });
  const added = new Map<string, { readonly repoId: number; readonly day: number; bytes: number }>();
  let timer: NodeJS.Timeout | undefined;
  const isNear = (bytes: number, limit: number): boolean => limit > 0 && bytes >= limit * NEAR;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const all = [...added.values()];
    added.clear();
    await Promise.allSettled(all.map(({ repoId, day, bytes }) => repos.addSent(repoId, day, bytes)));
  };
  return {
    async read(repoId, day, limit) {
      const key = String(repoId);
      const known = remembered.get(key);
      if (known?.day === day && !isNear(known.bytes, limit)) return known.bytes;
      const waiting = added.get(`${repoId} ${day}`)?.bytes ?? 0;
      const stored = await run(() => repos.sentBytes(repoId, day));
      if (stored === undefined) return undefined;
      const bytes = stored + waiting;
      remembered.set(key, { day, bytes });
      return bytes;
    },
    async add({ repoId, day, bytes }, limit) {
      const known = remembered.get(String(repoId));
      if (known?.day === day) known.bytes += bytes;
      const key = `${repoId} ${day}`;
      const waiting = added.get(key) ?? { repoId, day, bytes: 0 };
      waiting.bytes += bytes;
      added.set(key, waiting);
      if (isNear(known?.bytes ?? 0, limit)) return flush();
      timer ??= setTimeout(() => void flush(), AGE).unref();
    },
    flush,
  };
}
