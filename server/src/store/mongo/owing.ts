import type { Repo } from '../../domain/repo/repo.ts';
import type { ReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { BuildDocument, Owed } from './documents.ts';
import { later, notAfter } from './server-time.ts';

/**
 * What a close or an opening has to say is written with it, in the build's own document; from there it is brought to
 * the records of its contexts and its comment. Whoever finds it there may bring it, more than one at once too: each
 * record remembers the newest order of its statusOwner.
 */
export interface Owing {
  /** Brings what one build owes. */
  settle(buildId: number): Promise<void>;
  settleRepo(repoId: number): Promise<void>;
  /** Brings what processes that stopped have left, oldest first. */
  settleAll(): Promise<void>;
  /** The same, also what was put off; fails where one cannot be brought. */
  settleEverything(): Promise<void>;
  /** When something was left, ms since 1970. */
  oldest(): Promise<number | undefined>;
}

interface Places {
  readonly deliveries: DeliveryRows;
  readonly reports: ReportParts;
}

type OwingBuild = Pick<BuildDocument, '_id' | 'repoId' | 'owed'>;

const AT_ONCE = 100;
/** How long what could not be brought is put off, in ms. */
const PAUSE = 10_000;

/** Binds what the builds of one database owe. */
export function createOwing({ collections, run, serverTime }: Connection, places: Places): Owing {
  const { builds, repos } = collections;
  const settleOne = async ({ _id, repoId, owed = [] }: OwingBuild): Promise<void> => {
    // A removed repo is still announced for: its contexts are ended after that.
    const repo = await run(() => repos.findOne({ _id: repoId }, { projection: { record: 1 } }));
    for (const order of owed) {
      if (repo !== null) await carryOut(places, repo.record, order);
      await run(() => builds.updateOne({ _id }, [forget(order)]));
    }
  };
  /** One that cannot be brought holds up no other: it is put off. */
  const settleOrPutOff = (build: OwingBuild): Promise<unknown> =>
    settleOne(build).catch((error: unknown) =>
      run(() => builds.updateOne({ _id: build._id, owedSince: { $exists: true } }, [putOff(serverTime())])).then(() => {
        throw error;
      }),
    );
  const settleDue = async (): Promise<void> => {
    for (;;) {
      const found = await run(() =>
        builds
          .find(notAfter('owedSince', serverTime()), { projection: { repoId: 1, owed: 1 }, sort: { owedSince: 1 } })
          .limit(AT_ONCE)
          .toArray(),
      );
      for (const build of found) await settleOrPutOff(build).catch(() => undefined);
      if (found.length < AT_ONCE) return;
    }
  };
  const settleEvery = async (owing: object): Promise<void> => {
    const found = await run(() => builds.find(owing, { projection: { _id: 1 } }).toArray());
    for (const { _id } of found) {
      const build = await run(() => builds.findOne({ _id }, { projection: { repoId: 1, owed: 1 } }));
      if (build !== null) await settleOne(build);
    }
  };
  return {
    async settle(buildId) {
      const build = await run(() => builds.findOne({ _id: buildId }, { projection: { repoId: 1, owed: 1 } }));
      if (build?.owed !== undefined) await settleOrPutOff(build);
    },
    settleRepo: (repoId) => settleEvery({ repoId, owedSince: { $exists: true } }),
    settleEverything: () => settleEvery({ owedSince: { $exists: true } }),
    settleAll: settleDue,
    async oldest() {
      const [found] = await run(() =>
        builds
          .find({ owedSince: { $exists: true } }, { projection: { owedSince: 1 }, sort: { owedSince: 1 } })
          .limit(1)
          .toArray(),
      );
      return found?.owedSince?.getTime();
    },
  };
}

async function carryOut({ deliveries, reports }: Places, repo: Repo, order: Owed): Promise<void> {
  const { stamp, at, announce, retry, unused } = order;
  if (announce !== undefined) await deliveries.announce(repo, { ...announce, stamp, at });
  if (retry !== undefined) await deliveries.tryAgain(retry, at);
  if (unused !== undefined) await reports.remove(unused);
}

function forget({ stamp }: Owed): object {
  const left = { $filter: { input: { $ifNull: ['$owed', []] }, cond: { $ne: ['$$this.stamp', stamp] } } };
  const none = { $eq: [{ $size: left }, 0] };
  return {
    $set: {
      owed: { $cond: [none, '$$REMOVE', left] },
      owedSince: { $cond: [none, '$$REMOVE', '$owedSince'] },
    },
  };
}

function putOff(now: ReturnType<Connection['serverTime']>): object {
  return { $set: { owedSince: later(now, PAUSE) } };
}
