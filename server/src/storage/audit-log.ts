import type { AuditAction, AuditEntry, AuditRecord } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';

/**
 * What was done by whom. Entries are added and read, never changed, and outlive their repo. Most are written with the
 * change that they tell of, by the store's methods that take an `audit`: in one transaction, or before it.
 */
export interface AuditLog {
  /** For what changes nothing that the store keeps. */
  record(entry: AuditEntry): Promise<void>;
  /** In order of id. */
  list(part: AuditPart): Promise<readonly AuditRecord[]>;
  /** Removes entries from before `at`; answers how many. */
  sweep(at: Timestamp): Promise<number>;
}

/** Told of each entry once it is written, and the change with it. Throws nothing. */
export type OnAudit = (entry: AuditEntry) => void;

export interface AuditPart {
  /** `<service>/<owner>/<name>`, without regard to case: all repos that ever did something under that name. */
  readonly repo?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly since?: Timestamp | undefined;
  /** Before this time. */
  readonly until?: Timestamp | undefined;
  readonly newestFirst: boolean;
  /** The id of the last entry that was read; undefined: none was. */
  readonly beyond?: number | undefined;
  readonly limit: number;
}
