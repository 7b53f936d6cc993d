import type { Delivery, DeliveryTarget } from '../../core/announce/delivery.ts';
import type { Build } from '../../core/builds/build.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Announcements } from '../commands/primitives.ts';
import { announceAgain, announceFirst, contextKey, inOrder, isOpenContext, isPending } from '../delivery-steps.ts';
import type { DeliveryPart } from '../store.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { type Row, readRecord, readRecords, writeRecord } from './records.ts';

/** Delivery records, for the stores that write them. Only inside a write. */
export interface DeliveryRows {
  find(id: number): Delivery | undefined;
  /** All records of the build's target commit, by context, its check run, then the one of its pull request. */
  ofBuild(build: Pick<Build, 'repoId' | 'target' | 'pullRequest'>, part?: DeliveryPart): readonly Delivery[];
  insert(record: Delivery): void;
  update(record: Delivery): void;
  remove(id: number): void;
  /** Undefined ends the lease. */
  updateAndLease(record: Delivery, until: Timestamp | undefined): void;
  /** Writes each message as the wanted version of its place, where the build owns it (rules 24 and 27). */
  announce(repo: Repo, announcements: Announcements): void;
}

const INSERT = `
  INSERT INTO deliveries
    (id, repo_id, commit_sha, context_key, pull_request, service, pending, parked, open_context, next_attempt_at,
      unsent_since, record)
  VALUES (:id, :repoId, :commit, :contextKey, :pullRequest, :service, :pending, :parked, :open, :nextAttemptAt,
    :unsentSince, :record)`;
const UPDATE = `
  UPDATE deliveries SET pending = :pending, parked = :parked, open_context = :open, next_attempt_at = :nextAttemptAt,
    unsent_since = :unsentSince, record = :record WHERE id = :id`;

const OF_COMMIT = `
  SELECT record FROM deliveries WHERE repo_id = ? AND commit_sha = ? AND parked >= ? ORDER BY context_key LIMIT ?`;
const OF_PULL = 'SELECT record FROM deliveries WHERE repo_id = ? AND pull_request = ?';

/** SQLite takes a limit below 0 for none. */
const ALL: DeliveryPart = { parked: false, limit: -1 };

/** Binds the delivery records of one connection. */
export function createDeliveryRows({ prepare }: Connection, nextId: NextId): DeliveryRows {
  const find = prepare('SELECT record FROM deliveries WHERE id = ?');
  const ofCommit = prepare(OF_COMMIT);
  const ofContext = prepare('SELECT record FROM deliveries WHERE repo_id = ? AND commit_sha = ? AND context_key = ?');
  const ofPull = prepare(OF_PULL);
  const ofPullIfGivenUp = prepare(`${OF_PULL} AND parked >= ?`);
  const insert = prepare(INSERT);
  const update = prepare(UPDATE);
  const remove = prepare('DELETE FROM deliveries WHERE id = ?');
  const lease = prepare('UPDATE deliveries SET lease_until = ? WHERE id = ?');

  const at = (repoId: number, target: DeliveryTarget): Delivery | undefined =>
    readRecord<Delivery>(
      target.kind === 'comment'
        ? ofPull.get(repoId, target.pullRequest)
        : ofContext.get(repoId, target.commit, contextKey(target)),
    );
  const rows: DeliveryRows = {
    find: (id) => readRecord<Delivery>(find.get(id)),
    ofBuild({ repoId, target, pullRequest }, { parked, limit } = ALL) {
      const atLeast = Number(parked);
      const onCommit: Row[] = target === undefined ? [] : ofCommit.all(repoId, target, atLeast, limit);
      const comments: Row[] = pullRequest === undefined ? [] : ofPullIfGivenUp.all(repoId, pullRequest, atLeast);
      return inOrder(readRecords<Delivery>([...onCommit, ...comments]));
    },
    insert: (record) => void insert.run({ id: record.id, ...placeColumns(record), ...stateColumns(record) }),
    update: (record) => void update.run({ id: record.id, ...stateColumns(record) }),
    remove: (id) => void remove.run(id),
    updateAndLease(record, until) {
      rows.update(record);
      lease.run(until ?? null, record.id);
    },
    announce(repo, { messages, ...owner }) {
      for (const message of messages) {
        const record = at(repo.id, message.target);
        if (record === undefined) {
          const first = announceFirst({ id: nextId('delivery'), repo }, { message, ...owner });
          if (first !== undefined) rows.insert(first);
        } else {
          const changed = announceAgain(record, { message, ...owner });
          if (changed !== undefined) rows.update(changed);
        }
      }
    },
  };
  return rows;
}

/** Columns that never change. */
function placeColumns({ repoId, service, target }: Delivery) {
  return target.kind === 'comment'
    ? { repoId, service, commit: null, contextKey: null, pullRequest: target.pullRequest }
    : { repoId, service, commit: target.commit, contextKey: contextKey(target), pullRequest: null };
}

function stateColumns(record: Delivery) {
  return {
    pending: Number(isPending(record)),
    parked: Number(record.parked !== undefined),
    open: Number(isOpenContext(record)),
    nextAttemptAt: record.nextAttemptAt,
    unsentSince: record.unsentSince ?? record.nextAttemptAt,
    record: writeRecord(record),
  };
}
