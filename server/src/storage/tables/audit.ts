import type { AuditRecord } from '../../core/repo/audit.ts';
import type { AuditLog } from '../audit-log.ts';
import type { Declaration, Units, Work } from '../table.ts';

export interface AuditKeys {
  readonly repoId: number | undefined;
  /** The repo's name then, in lower case. */
  readonly repoKey: string | undefined;
}

/** An entry outlives its repo, and is never changed. */
export const AUDIT: Declaration<AuditRecord, 'audit', AuditKeys> = {
  name: 'audit',
  key: ['id'],
  columns: ['at', 'action'],
  beside: ['at', 'action'],
  derived: { repoId: ({ repo }) => repo?.id, repoKey: ({ repo }) => repo?.name.toLowerCase() },
  indexes: [
    ['age', { at: 1 }, 'entries that AUDIT_DAYS ends'],
    ['action', { action: 1, _id: -1 }, 'entries of one kind'],
    ['of_repo', { repoId: 1, _id: -1 }, 'entries of a repo', { where: 'repoId' }],
    ['repo_key', { repoKey: 1, repoId: 1 }, 'repos that had a name', { where: 'repoKey' }],
  ],
  copied: 'audit',
  words: 'audit entries',
};

/** The audit log. */
export function createAuditLog({ table, note, read, write }: Units): AuditLog {
  const entries = table(AUDIT);
  /** Ids of the repos that ever had a name: one at a time, since each may have many entries. */
  function* reposNamed(repoKey: string): Work<readonly number[]> {
    const ids: number[] = [];
    for (let after = 0; ; ) {
      const where = { repoKey, repoId: { above: after } };
      const [entry] = yield* entries.list({ where, by: ['repoId'], limit: 1 });
      if (entry?.repo === undefined) return ids;
      after = entry.repo.id;
      ids.push(after);
    }
  }
  return {
    record: (entry) => write(() => note(entry)),
    list: ({ repo, action, since = 0, until = LAST, newestFirst, beyond, limit }) =>
      read(function* () {
        const at = { atLeast: since, below: until };
        const after = beyond === undefined ? {} : { after: [beyond] };
        const part = (repoId?: number) => entries.list({ where: { repoId, action, at }, newestFirst, ...after, limit });
        if (repo === undefined) return yield* part();
        const found: AuditRecord[] = [];
        for (const id of yield* reposNamed(repo.toLowerCase())) found.push(...(yield* part(id)));
        return found.sort((a, b) => (newestFirst ? b.id - a.id : a.id - b.id)).slice(0, limit);
      }),
    sweep: (at) => write(() => entries.remove({ at: { below: at } })),
  };
}

const LAST = Number.MAX_SAFE_INTEGER;
