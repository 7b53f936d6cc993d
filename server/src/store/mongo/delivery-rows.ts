import type { Delivery, DeliveryTarget, Message, StatusOwner } from '../../domain/announce/delivery.ts';
import type { Build } from '../../domain/builds/build.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { Timestamp } from '../../domain/time.ts';
import {
  announceAgain,
  announceFirst,
  contextKey,
  endContext,
  inOrder,
  isOpenContext,
  isPending,
  isRetriedBy,
  tryAnew,
} from '../delivery-steps.ts';
import { CONFLICT, untilUncontended } from './attempts.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';
import { assign, claimable, toDate } from './server-time.ts';

/** Delivery records, for the stores that write them. Each change is conditional on the version that was read. */
export interface DeliveryRows {
  /** All records of the build's target commit, by context, its check run, then the one of its pull request. */
  ofBuild(build: Pick<Build, 'repoId' | 'target' | 'pullRequest'>): Promise<readonly Delivery[]>;
  /**
   * Changes one record and ends its lease, where `next` answers another; undefined takes it away. Answers the record as
   * it is then, undefined where there is none (any more).
   */
  settle(
    id: number,
    next: (record: Delivery, isOurs: boolean) => Delivery | undefined,
    /** The claim under which it is ended; where another has it by now its lease stays. */
    claim: string | undefined,
  ): Promise<Delivery | undefined>;
  /**
   * Writes what a build has to say as the wanted version of each place that it owns (rules 24 and 27). Repeated: no
   * effect.
   */
  announce(repo: Repo, saying: Saying): Promise<void>;
  /** Tries anew what was given up of a build's announcements. */
  tryAgain(build: Pick<Build, 'id' | 'repoId' | 'target' | 'pullRequest'>, at: Timestamp): Promise<void>;
  /** Tries anew everything that was given up, or that of one repo. */
  unpark(at: Timestamp, repoId?: number): Promise<void>;
  /** Ends the open contexts of a removed repo; its other records go. Repeated: no effect. */
  endRepo(repoId: number, end: { readonly description: string; readonly at: Timestamp }): Promise<void>;
}

interface Saying {
  readonly messages: readonly Message[];
  readonly statusOwner: StatusOwner;
  /** Of several orders of one statusOwner the highest is the newest. */
  readonly stamp: number;
  readonly at: Timestamp;
}

/** More than one order ever has: a record remembers by one number which message of which order it heard last. */
const MOST_MESSAGES = 100_000;

/** One write of a record; `leaseUntil` undefined ends its lease. False: it was changed since it was read. */
type Change = (
  document: DeliveryDocument,
  record: Delivery,
  more?: { readonly stamp?: number; readonly leaseUntil?: undefined },
) => Promise<boolean>;

/** Binds the delivery records of one database. */
export function createDeliveryRows(connection: Connection, nextId: NextId): DeliveryRows {
  const { collections, run } = connection;
  const { deliveries } = collections;
  const change: Change = async (document, record, more = {}) => {
    const condition = { _id: document._id, version: document.version };
    const changed = await run(() =>
      deliveries.updateOne(condition, [assign({ ...stateOf(record, document), ...more }), claimable('nextAttemptAt')]),
    );
    return changed.modifiedCount === 1;
  };
  const changeAll = async (filter: object, next: (record: Delivery) => Delivery | undefined): Promise<void> => {
    const found = await run(() => deliveries.find(filter, { projection: { _id: 1 } }).toArray());
    for (const { _id } of found) {
      await untilUncontended(async () => {
        const document = await run(() => deliveries.findOne({ _id }));
        const changed = document && next(document.record);
        if (document === null || changed === undefined || changed === null) return undefined;
        return (await change(document, changed)) ? undefined : CONFLICT;
      });
    }
  };

  return {
    ...createSettling(connection, change),
    async ofBuild({ repoId, target, pullRequest }) {
      const [onCommit, comments] = await run(() =>
        Promise.all([
          target === undefined
            ? []
            : deliveries.find({ repoId, commit: target }, { sort: { contextKey: 1 } }).toArray(),
          pullRequest === undefined ? [] : deliveries.find({ repoId, pullRequest }).toArray(),
        ]),
      );
      return inOrder([...onCommit, ...comments].map(({ record }) => record));
    },
    announce: createAnnouncing(connection, { change, nextId }),
    tryAgain: async (build, at) => {
      const { repoId, target, pullRequest } = build;
      const retried = (record: Delivery): Delivery | undefined =>
        isRetriedBy(record, build) ? tryAnew(record, at) : undefined;
      if (target !== undefined) await changeAll({ repoId, commit: target }, retried);
      if (pullRequest !== undefined) await changeAll({ repoId, pullRequest }, retried);
    },
    unpark: (at, repoId) =>
      changeAll({ parked: true, ...(repoId === undefined ? {} : { repoId }) }, (record) =>
        record.parked === undefined ? undefined : tryAnew(record, at),
      ),
    async endRepo(repoId, end) {
      await changeAll({ repoId, openContext: true }, (record) =>
        record.repoRemoved || !isOpenContext(record) ? undefined : endContext(record, end),
      );
      await run(() => deliveries.deleteMany({ repoId, openContext: { $exists: false } }));
    },
  };
}

function createSettling(
  { collections: { deliveries }, run }: Connection,
  change: Change,
): Pick<DeliveryRows, 'settle'> {
  return {
    settle: (id, next, claim) =>
      untilUncontended(async () => {
        const document = await run(() => deliveries.findOne({ _id: id }));
        if (document === null) return undefined;
        const { record, version } = document;
        const isOurs = claim === undefined || document.claim === claim;
        const changed = next(record, isOurs);
        if (changed === record) return record;
        if (changed !== undefined)
          return (await change(document, changed, isOurs ? { leaseUntil: undefined } : {})) ? changed : CONFLICT;
        const removed = await run(() => deliveries.deleteOne({ _id: id, version }));
        return removed.deletedCount === 1 ? undefined : CONFLICT;
      }),
  };
}

function createAnnouncing(
  { collections: { deliveries }, run }: Connection,
  { change, nextId }: { readonly change: Change; readonly nextId: NextId },
): DeliveryRows['announce'] {
  const announceOne = (repo: Repo, message: Message, { stamp, statusOwner, at }: Saying) =>
    untilUncontended(async () => {
      const place = placeOf(repo.id, message.target);
      const document = await run(() => deliveries.findOne(place));
      if (document === null) {
        const unnumbered = announceFirst({ id: 0, repo }, { message, statusOwner, at });
        if (unnumbered === undefined) return undefined;
        const first = { ...unnumbered, id: await run(() => nextId('delivery')) };
        return insert(first, { place, stamp });
      }
      const { record } = document;
      const speaksAgain = record.statusOwner.buildId === statusOwner.buildId;
      if (record.repoRemoved || (speaksAgain && document.stamp >= stamp)) return undefined;
      const changed = announceAgain(record, { message, statusOwner, at }) ?? (speaksAgain ? record : undefined);
      if (changed === undefined) return undefined;
      return (await change(document, changed, { stamp })) ? undefined : CONFLICT;
    });
  const insert = async (first: Delivery, { place, stamp }: { readonly place: object; readonly stamp: number }) => {
    const { nextAttemptAt } = first;
    const state = stateOf(first, { version: 0 });
    const document = { _id: first.id, ...place, stamp, ...state, claimableAt: new Date(nextAttemptAt) };
    try {
      await run(() => deliveries.insertOne(document as DeliveryDocument));
      return undefined;
    } catch (error) {
      if (isDuplicate(error)) return CONFLICT;
      throw error;
    }
  };
  return async (repo, saying) => {
    for (const [place, message] of saying.messages.entries()) {
      await announceOne(repo, message, { ...saying, stamp: saying.stamp * MOST_MESSAGES + place });
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
