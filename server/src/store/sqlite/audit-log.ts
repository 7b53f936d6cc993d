import type { SQLInputValue } from 'node:sqlite';
import type { AuditEntry, AuditRecord } from '../../domain/repo/audit.ts';
import type { AuditLog } from '../../ports/audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { selectRecords, writeRecord } from './records.ts';

/** Takes what `auditColumns` gives. */
export const INSERT_AUDIT = 'INSERT INTO audit (id, at, action, repo_id, repo_key, record) VALUES (?, ?, ?, ?, ?, ?)';

/** Where the adapter's other stores write entries. */
export interface AuditRows {
  /** Only inside a write. */
  insert(entry: AuditEntry): void;
  /** A write whose entry is written with it, unless it answers undefined or false, which is no change. */
  write<T>(audit: AuditEntry | undefined, work: () => T): T;
}

export function createAuditRows({ prepare, write }: Connection, nextId: NextId): AuditRows {
  const add = prepare(INSERT_AUDIT);
  const insert = (entry: AuditEntry): void => void add.run(...auditColumns({ id: nextId('audit'), ...entry }));
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
  const { prepare, write } = connection;
  const remove = prepare('DELETE FROM audit WHERE at < ?');
  const select = (order: string, ofRepo: string, ofAction: string) =>
    selectRecords<AuditRecord>(
      connection,
      `SELECT record FROM audit WHERE id ${order === 'ASC' ? '>' : '<'} :beyond AND at >= :since AND at < :until
        ${ofRepo}${ofAction} ORDER BY id ${order} LIMIT :limit`,
    );
  const ofRepo = 'AND repo_id IN (SELECT repo_id FROM audit WHERE repo_key = :repo)';
  const selects = ['ASC', 'DESC'].map((order) =>
    ['', ofRepo].map((repo) => ['', ' AND action = :action'].map((action) => select(order, repo, action))),
  );
  return {
    record: async (entry) => write(() => rows.insert(entry)),
    async list({ repo, action, since = 0, until = LAST, newestFirst, beyond, limit }) {
      const query = selects[Number(newestFirst)]?.[Number(repo !== undefined)]?.[Number(action !== undefined)];
      const values: Record<string, SQLInputValue> = { since, until, limit, beyond: beyond ?? (newestFirst ? LAST : 0) };
      if (repo !== undefined) values.repo = repo.toLowerCase();
      if (action !== undefined) values.action = action;
      return (await query?.(values)) ?? [];
    },
    sweep: async (at) => write(() => Number(remove.run(at).changes)),
  };
}

const LAST = Number.MAX_SAFE_INTEGER;

export function auditColumns(record: AuditRecord) {
  const { id, at, action, repo } = record;
  return [id, at, action, repo?.id ?? null, repo?.name.toLowerCase() ?? null, writeRecord(record)] as const;
}
