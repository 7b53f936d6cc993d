import type { Repo } from '../../core/repo/repo.ts';
import { FLIP_LEDGERS, writeNext } from '../tables/flip-ledgers.ts';
import { BY_ID } from './accepts.ts';
import type { ReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import { createTable, drive } from './declared-table.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { BuildDocument, PendingEffect } from './documents.ts';
import { later, notAfter } from './server-time.ts';
import { tablesOf } from './table.ts';

/**
 * What a write of a build announces, and a close's ledger, are stored in the build's own document; from there they go
 * to the records of its contexts and its comment, and to the ledgers. Any process may carry it out, several at once
 * too: each record has the newest order of its owner, and a ledger follows the one that it was made of.
 */
export interface PendingEffects {
  /** Carries out what one build has pending. */
  settle(buildId: number): Promise<void>;
  settleRepo(repoId: number): Promise<void>;
  /** Carries out what processes that stopped have left, oldest first. */
  settleDue(): Promise<void>;
  /** The same, also what was put off; fails where one cannot be carried out. */
  settleEverything(): Promise<void>;
  /** When something was left, ms since 1970. */
  oldest(): Promise<number | undefined>;
}

interface Places {
  readonly deliveries: DeliveryRows;
  readonly reports: ReportParts;
}

type PendingBuild = Pick<BuildDocument, '_id' | 'repoId' | 'owed'>;

const AT_ONCE = 100;
/** How long what could not be carried out is put off, in ms. */
const PAUSE = 10_000;
const PENDING = { projection: { repoId: 1, owed: 1 } } as const;

/** Binds the pending effects of one database's builds. */
export function createPendingEffects(connection: Connection, places: Places): PendingEffects {
  const { serverTime } = connection;
  const { builds, repos } = tablesOf(connection);
  const ledgers = createTable(connection, FLIP_LEDGERS);
  const settleOne = async ({ _id, repoId, owed: effects = [] }: PendingBuild): Promise<void> => {
    // A removed repo is still announced for: its contexts are ended after that.
    const repo = await repos.one({ _id: repoId }, { projection: { record: 1 } });
    for (const effect of effects) {
      if (repo !== undefined) {
        if (effect.ledger !== undefined) await drive(writeNext(ledgers, effect.ledger));
        await carryOut(places, repo.record, effect);
      }
      await builds.update({ _id, repoId }, [forget(effect)], BY_ID);
    }
  };
  /** One that cannot be carried out holds up no other: it is put off. */
  const settleOrPutOff = async (build: PendingBuild): Promise<void> => {
    try {
      await settleOne(build);
    } catch (error) {
      const putOff = [{ $set: { owedSince: later(serverTime(), PAUSE) } }];
      await builds.update({ _id: build._id, repoId: build.repoId, owedSince: { $exists: true } }, putOff, BY_ID);
      throw error;
    }
  };
  const settleEvery = async (pending: object): Promise<void> => {
    for (const { _id } of await builds.list(pending, { projection: { _id: 1 } })) {
      const build = await builds.one({ _id }, PENDING);
      if (build !== undefined) await settleOne(build);
    }
  };
  return {
    async settle(buildId) {
      const build = await builds.one({ _id: buildId }, PENDING);
      if (build?.owed !== undefined) await settleOrPutOff(build);
    },
    settleRepo: (repoId) => settleEvery({ repoId, owedSince: { $exists: true } }),
    settleEverything: () => settleEvery({ owedSince: { $exists: true } }),
    async settleDue() {
      let found: readonly PendingBuild[];
      do {
        const due = notAfter('owedSince', serverTime());
        found = await builds.list(due, { ...PENDING, sort: { owedSince: 1 }, limit: AT_ONCE });
        for (const build of found) await settleOrPutOff(build).catch(() => undefined);
      } while (found.length === AT_ONCE);
    },
    async oldest() {
      const oldest = { projection: { owedSince: 1 }, sort: { owedSince: 1 }, limit: 1 } as const;
      const [found] = await builds.list({ owedSince: { $exists: true } }, oldest);
      return found?.owedSince?.getTime();
    },
  };
}

async function carryOut({ deliveries, reports }: Places, repo: Repo, effect: PendingEffect): Promise<void> {
  const { stamp, at, announce, retry, unused } = effect;
  if (announce !== undefined) await deliveries.announce(repo, { ...announce, stamp, at });
  if (retry !== undefined) await deliveries.tryAgain(retry, at);
  if (unused !== undefined) await reports.remove(unused);
}

function forget({ stamp }: PendingEffect): object {
  const left = { $filter: { input: { $ifNull: ['$owed', []] }, cond: { $ne: ['$$this.stamp', stamp] } } };
  const unlessNone = (value: unknown): object => ({ $cond: [{ $eq: [{ $size: left }, 0] }, '$$REMOVE', value] });
  return { $set: { owed: unlessNone(left), owedSince: unlessNone('$owedSince') } };
}
