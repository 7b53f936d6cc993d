import type { Delivery, DeliveryTarget, Message, StatusOwner } from '../../server/src/core/announce/delivery.ts';
import type { Timestamp } from '../../server/src/core/time.ts';
import * as steps from '../../server/src/storage/delivery-steps.ts';
import type { OutboxStore } from '../../server/src/storage/store.ts';

/** Something to announce in the fake. */
export interface Wish {
  readonly message: Message;
  readonly at: Timestamp;
  /** Default: build 1 of a trusted push. */
  readonly statusOwner?: StatusOwner;
  /** Default: `acme/shop` at GitHub. */
  readonly repo?: steps.DeliveryPlace['repo'];
}

/**
 * The outbox in memory. It decides as every adapter does (storage/delivery-steps.ts) and keeps leases by the times it
 * is given.
 */
export interface FakeOutbox extends OutboxStore {
  /** What a close or a post of pending statuses writes. */
  announce(wish: Wish): void;
  /** Every record as it is now, by id. */
  records(): readonly Delivery[];
}

const SHOP = { id: 1, service: 'github', name: 'acme/shop' } as const;
const BUILD: StatusOwner = { buildId: 1, sequence: 1, trust: 'secret', pullRequest: undefined };

interface Row {
  readonly record: Delivery;
  readonly leaseUntil: Timestamp | undefined;
}

export function createFakeOutbox(): FakeOutbox {
  const rows = new Map<number, Row>();
  const settle = (id: number, record: Delivery | undefined): void => {
    if (record === undefined) rows.delete(id);
    else rows.set(id, { record, leaseUntil: undefined });
  };
  const claimable = (): readonly { at: Timestamp; row: Row }[] =>
    [...rows.values()]
      .filter(({ record }) => steps.isPending(record) && record.parked === undefined)
      .map((row) => ({ row, at: Math.max(row.record.nextAttemptAt, row.leaseUntil ?? 0) }))
      .sort((a, b) => a.at - b.at || a.row.record.id - b.row.record.id);
  const records = (): readonly Delivery[] => [...rows.values()].map(({ record }) => record);

  return {
    records,
    announce: (wish) => announce(rows, wish),
    async claim({ at, lease, limit }) {
      const due = claimable().filter((one) => one.at <= at);
      return due.slice(0, limit).map(({ row: { record } }) => {
        const taken = steps.startAttempt(record);
        rows.set(record.id, { record: taken, leaseUntil: at + lease });
        return { ...taken, uncertain: record.uncertain };
      });
    },
    async delivered(arrival) {
      const record = rows.get(arrival.id)?.record;
      if (record === undefined) return undefined;
      const arrived = steps.arrive(record, arrival);
      if (arrived !== record) settle(record.id, arrived);
      return arrived;
    },
    async retry(retry) {
      const record = rows.get(retry.id)?.record;
      if (record !== undefined) settle(record.id, steps.retryLater(record, retry));
    },
    async giveUp(givingUp) {
      const record = rows.get(givingUp.id)?.record;
      if (record !== undefined) settle(record.id, steps.giveUp(record, givingUp));
    },
    async resume(at, repoId) {
      for (const { record, leaseUntil } of [...rows.values()])
        if (record.parked !== undefined && (repoId ?? record.repoId) === record.repoId)
          rows.set(record.id, { record: steps.startOver(record, at), leaseUntil });
    },
    async listGivenUp(limit) {
      const parked = [...rows.values()].map(({ record }) => record).filter((record) => record.parked !== undefined);
      return parked.toSorted((a, b) => b.id - a.id).slice(0, limit);
    },
    async voidLeases() {
      for (const { record } of [...rows.values()]) settle(record.id, record);
    },
    ofBuild: async (build) => records().filter((record) => isOfBuild(record, build)),
    nextDueAt: async () => claimable()[0]?.at,
  };
}

function announce(rows: Map<number, Row>, { message, at, statusOwner = BUILD, repo = SHOP }: Wish): void {
  const announcement = { message, statusOwner, at };
  const row = [...rows.values()].find(
    ({ record }) => record.repoId === repo.id && samePlace(record.target, message.target),
  );
  if (row === undefined) {
    const first = steps.announceFirst({ id: rows.size + 1, repo }, announcement);
    if (first !== undefined) rows.set(first.id, { record: first, leaseUntil: undefined });
  } else {
    const changed = steps.announceAgain(row.record, announcement);
    if (changed !== undefined) rows.set(changed.id, { record: changed, leaseUntil: row.leaseUntil });
  }
}

function samePlace(a: DeliveryTarget, b: DeliveryTarget): boolean {
  if (a.kind === 'comment' && b.kind === 'comment') return a.pullRequest === b.pullRequest;
  if (a.kind === 'comment' || b.kind === 'comment') return false;
  return a.commit === b.commit && steps.contextKey(a) === steps.contextKey(b);
}

function isOfBuild({ repoId, target }: Delivery, build: Parameters<OutboxStore['ofBuild']>[0]): boolean {
  if (repoId !== build.repoId) return false;
  return target.kind === 'comment' ? target.pullRequest === build.pullRequest : target.commit === build.target;
}
