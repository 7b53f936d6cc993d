import type { SQLInputValue } from 'node:sqlite';
import type { AuditEntry, AuditRecord } from '../../core/repo/audit.ts';
import type { AuditLog, OnAudit } from '../audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { selectRecords, writeRecord } from './records.ts';

/** Takes what `auditColumns` gives. */
export const INSERT_AUDIT = 'INSERT INTO audit (id, at, action, repo_id, repo_key, record) VALUES (?, ?, ?, ?, ?, ?)';

/** A connection that tells of the entries of each write once that is done. */
export interface AuditedConnection extends Connection {
  /** Only inside a write. */
  tell(entry: AuditEntry): void;
}

export function auditConnection(connection: Connection, onAudit: OnAudit): AuditedConnection {
  let written: AuditEntry[] = [];
  return {
    ...connection,
    write(work) {
      written = [];
      const done = connection.write(work);
      for (const entry of written) onAudit(entry);
      return done;
    },
    tell: (entry) => void written.push(entry),
  };
}

/** Where the adapter's other stores write entries. */
export interface AuditRows {
  /** Only inside a write. */
  insert(entry: AuditEntry): void;
  /** A write whose entry is written with it, unless it answers undefined or false, which is no change. */
  write<T>(audit: AuditEntry | undefined, work: () => T): T;
}

export function createAuditRows({ prepare, write, tell }: AuditedConnection, nextId: NextId): AuditRows {
  const add = prepare(INSERT_AUDIT);
  const insert = (entry: AuditEntry): void => {
    add.run(...auditColumns({ id: nextId('audit'), ...entry }));
    tell(entry);
  };
  return {
    insert,
    write: (audit, work) =>
      write(() => {
        const done = work();
        if (audit !== undefined && done !== undefined && done !== false) insert(audit);
        return done;
      }),
  };
}

/** The audit log, in SQLite. */
export function createAuditLog(connection: Connection, rows: AuditRows): AuditLog {
  const { prepare, read, write } = connection;
  const remove = prepare('DELETE FROM audit WHERE at < ?');
  const select = (order: string, ofRepo: string, ofAction: string) =>
    selectRecords<AuditRecord>(
      connection,
      `SELECT record FROM audit WHERE id ${order === 'ASC' ? '>' : '<'} :beyond AND +at >= :since AND +at < :until
        ${ofRepo}${ofAction} ORDER BY id ${order} LIMIT :limit`,
    );
  const selects = ['ASC', 'DESC'].map((order) =>
    ['', 'AND repo_id = :repoId'].map((repo) => ['', ' AND action = :action'].map((one) => select(order, repo, one))),
  );
  const idsOf = prepare('SELECT DISTINCT repo_id FROM audit WHERE repo_key = ?');
  return {
    record: async (entry) => write(() => rows.insert(entry)),
    async list({ repo, action, since = 0, until = LAST, newestFirst, beyond, limit }) {
      const query = selects[Number(newestFirst)]?.[Number(repo !== undefined)]?.[Number(action !== undefined)];
      const values: Record<string, SQLInputValue> = { since, until, limit, beyond: beyond ?? (newestFirst ? LAST : 0) };
      if (action !== undefined) values.action = action;
      if (repo === undefined) return (await query?.(values)) ?? [];
      const ids = read(() => idsOf.all(repo.toLowerCase())).map(({ repo_id: id }) => Number(id));
      const found = await Promise.all(ids.map((repoId) => query?.({ ...values, repoId }) ?? []));
      return found
        .flat()
        .sort((a, b) => (newestFirst ? b.id - a.id : a.id - b.id))
        .slice(0, limit);
    },
    sweep: async (at) => write(() => Number(remove.run(at).changes)),
  };
}

const LAST = Number.MAX_SAFE_INTEGER;

export function auditColumns(record: AuditRecord) {
  const { id, at, action, repo } = record;
  return [id, at, action, repo?.id ?? null, repo?.name.toLowerCase() ?? null, writeRecord(record)] as const;
}
