import type { Delivery, DeliveryTarget, Message } from '../../core/announce/delivery.ts';
import type { Build } from '../../core/builds/build.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Announcements } from '../commands/primitives.ts';
import { CONFLICT, retryOnConflict } from '../commands/retry-on-conflict.ts';
import {
  announceAgain,
  announceFirst,
  contextKey,
  endContext,
  FIRST_DELIVERIES,
  inOrder,
  isOpenContext,
  isPending,
  isRetriedBy,
  startOver,
} from '../delivery-steps.ts';
import type { DeliveryPart } from '../store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';
import { assign, claimable, toDate } from './server-time.ts';
import { tablesOf } from './table.ts';

/** Delivery records, for the stores that write them. Each change is conditional on the version that was read. */
export interface DeliveryRows {
  /** All records of the build's target commit, by context, its check run, then the one of its pull request. */
  ofBuild(build: Pick<Build, 'repoId' | 'target' | 'pullRequest'>, part?: DeliveryPart): Promise<readonly Delivery[]>;
  /** See SettleDelivery. `claim`: the lease is ended only if no other claim came since. */
  settle(
    id: number,
    next: (record: Delivery, isOurs: boolean) => Delivery | undefined,
    claim: string | undefined,
  ): Promise<Delivery | undefined>;
  /**
   * Writes each message as the wanted version of its place, where the build owns it (rules 24 and 27). Repeated: no
   * effect.
   */
  announce(repo: Repo, order: Order): Promise<void>;
  /** Tries again what was given up of a build's announcements. */
  tryAgain(build: Pick<Build, 'id' | 'repoId' | 'target' | 'pullRequest'>, at: Timestamp): Promise<void>;
  /** Tries again everything that was given up, or that of one repo. */
  resume(at: Timestamp, repoId?: number): Promise<void>;
  /** Ends the open contexts of a removed repo; its other records go. Repeated: no effect. */
  endRepo(repoId: number, end: { readonly description: string; readonly at: Timestamp }): Promise<void>;
}

/** `stamp`: of several orders of one statusOwner the highest is the newest. */
type Order = Announcements & { readonly stamp: number };

/** More than one order ever has: one number says which message of which order a record took last. */
const MAX_MESSAGES = 100_000;

/** One write of a record; `leaseUntil` undefined ends its lease. False: it was changed since it was read. */
type Change = (
  document: DeliveryDocument,
  record: Delivery,
  more?: { readonly stamp?: number; readonly leaseUntil?: undefined },
) => Promise<boolean>;

/** Binds the delivery records of one database. */
export function createDeliveryRows(connection: Connection, nextId: NextId): DeliveryRows {
  const { deliveries } = tablesOf(connection);
  const change: Change = ({ _id, version }, record, more = {}) =>
    deliveries.update({ _id, version }, [
      assign({ ...stateOf(record, { version }), ...more }),
      claimable('nextAttemptAt'),
    ]);
  /** `next`: undefined leaves a record as it is. */
  const changeAll = async (filter: object, next: (record: Delivery) => Delivery | undefined): Promise<void> => {
    for (const { _id } of await deliveries.list(filter, { projection: { _id: 1 } })) {
      await retryOnConflict(async () => {
        const document = await deliveries.one({ _id });
        const changed = document && next(document.record);
        return document === undefined || changed === undefined || (await change(document, changed))
          ? undefined
          : CONFLICT;
      });
    }
  };
  return {
    async ofBuild({ repoId, target, pullRequest }, { parked, limit } = FIRST_DELIVERIES) {
      const byContext = { sort: { contextKey: 1 }, limit } as const;
      const which = { repoId, ...(parked && { parked }) };
      const [onCommit, comments] = await Promise.all([
        target === undefined ? [] : deliveries.list({ ...which, commit: target }, byContext),
        pullRequest === undefined ? [] : deliveries.list({ ...which, pullRequest }),
      ]);
      return inOrder([...onCommit, ...comments].map(({ record }) => record));
    },
    settle: createSettling(connection, change),
    announce: createAnnouncing(connection, { change, nextId }),
    async tryAgain(build, at) {
      const { repoId, target, pullRequest } = build;
      const retried = (record: Delivery) => (isRetriedBy(record, build) ? startOver(record, at) : undefined);
      if (target !== undefined) await changeAll({ repoId, commit: target }, retried);
      if (pullRequest !== undefined) await changeAll({ repoId, pullRequest }, retried);
    },
    resume: (at, repoId) =>
      changeAll({ parked: true, ...(repoId !== undefined && { repoId }) }, (record) =>
        record.parked === undefined ? undefined : startOver(record, at),
      ),
    async endRepo(repoId, end) {
      await changeAll({ repoId, openContext: true }, (record) =>
        record.repoRemoved || !isOpenContext(record) ? undefined : endContext(record, end),
      );
      await deliveries.remove({ repoId, openContext: { $exists: false } });
    },
  };
}

function createSettling(connection: Connection, change: Change): DeliveryRows['settle'] {
  const { deliveries } = tablesOf(connection);
  return (id, next, claim) =>
    retryOnConflict(async () => {
      const document = await deliveries.one({ _id: id });
      if (document === undefined) return undefined;
      const { record, version } = document;
      const isOurs = claim === undefined || document.claim === claim;
      const changed = next(record, isOurs);
      if (changed === record) return record;
      if (changed === undefined) return (await deliveries.remove({ _id: id, version })) === 1 ? undefined : CONFLICT;
      return (await change(document, changed, isOurs ? { leaseUntil: undefined } : {})) ? changed : CONFLICT;
    });
}

function createAnnouncing(
  connection: Connection,
  { change, nextId }: { readonly change: Change; readonly nextId: NextId },
): DeliveryRows['announce'] {
  const { collections, run } = connection;
  const { deliveries } = tablesOf(connection);
  const insert = async (first: Delivery, stamp: number) => {
    const fields = { ...placeOf(first.repoId, first.target), stamp, ...stateOf(first, { version: 0 }) };
    const document = { _id: first.id, ...fields, claimableAt: new Date(first.nextAttemptAt) };
    try {
      await run(() => collections.deliveries.insertOne(document as DeliveryDocument));
      return undefined;
    } catch (error) {
      if (isDuplicate(error)) return CONFLICT;
      throw error;
    }
  };
  const announceOne = async (repo: Repo, message: Message, { stamp, statusOwner, at }: Order) => {
    const announcement = { message, statusOwner, at };
    const document = await deliveries.one(placeOf(repo.id, message.target));
    if (document === undefined) {
      const first = announceFirst({ id: 0, repo }, announcement);
      return first && insert({ ...first, id: await run(() => nextId('delivery')) }, stamp);
    }
    const { record } = document;
    const isSameBuild = record.statusOwner.buildId === statusOwner.buildId;
    if (record.repoRemoved || (isSameBuild && document.stamp >= stamp)) return undefined;
    const changed = announceAgain(record, announcement) ?? (isSameBuild ? record : undefined);
    return changed === undefined || (await change(document, changed, { stamp })) ? undefined : CONFLICT;
  };
  return async (repo, order) => {
    for (const [place, message] of order.messages.entries()) {
      const stamp = order.stamp * MAX_MESSAGES + place;
      await retryOnConflict(() => announceOne(repo, message, { ...order, stamp }));
    }
  };
}

/** What a place is found by, and what never changes of it. */
export function placeOf(repoId: number, target: DeliveryTarget): Partial<DeliveryDocument> {
  return target.kind === 'comment'
    ? { repoId, pullRequest: target.pullRequest }
    : { repoId, commit: target.commit, contextKey: contextKey(target) };
}

/** The fields that change with every write of a record. */
export function stateOf(record: Delivery, before: Pick<DeliveryDocument, 'version'>): Partial<DeliveryDocument> {
  const tried = isPending(record) && record.parked === undefined;
  const state: { [Key in keyof DeliveryDocument]?: DeliveryDocument[Key] | undefined } = {
    version: before.version + 1,
    parked: record.parked === undefined ? undefined : true,
    openContext: isOpenContext(record) ? true : undefined,
    nextAttemptAt: tried ? toDate(record.nextAttemptAt) : undefined,
    record,
  };
  return state as Partial<DeliveryDocument>;
}
