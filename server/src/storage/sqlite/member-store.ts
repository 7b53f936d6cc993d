import type { Member, ShareLink } from '../../core/repo/account.ts';
import type { MemberStore, ShareStore } from '../account-store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { readRecord, selectRecord, selectRecords, writeRecord } from './records.ts';
import type { RepoRows } from './repo-rows.ts';

export const PUT_MEMBER = `
  INSERT INTO members (repo_id, account_id, record) VALUES (?, ?, ?)
  ON CONFLICT (repo_id, account_id) DO UPDATE SET record = excluded.record`;
export const INSERT_SHARE = 'INSERT INTO share_links (id, repo_id, hash, record) VALUES (?, ?, ?, ?)';

interface Rows {
  readonly repos: RepoRows;
  readonly audits: AuditRows;
}

/** Members of repos, in SQLite. */
export function createMemberStore(connection: Connection, { repos, audits }: Rows): MemberStore {
  const { prepare, read } = connection;
  const put = prepare(PUT_MEMBER);
  const remove = prepare('DELETE FROM members WHERE repo_id = ? AND account_id = ?');
  const one = prepare('SELECT record FROM members WHERE repo_id = ? AND account_id = ?');
  return {
    put: async (member, audit) =>
      audits.write(audit, () => {
        if (repos.find(member.repoId) === undefined) return false;
        put.run(member.repoId, member.accountId, writeRecord(member));
        return true;
      }),
    remove: async (repoId, accountId, audit) => audits.write(audit, () => remove.run(repoId, accountId).changes > 0),
    role: async (repoId, accountId) => read(() => readRecord<Member>(one.get(repoId, accountId))?.role),
    ofRepo: selectRecords<Member>(
      connection,
      'SELECT record FROM members WHERE repo_id = ? ORDER BY account_id LIMIT 1000',
    ),
    ofAccount: selectRecords<Member>(
      connection,
      'SELECT record FROM members WHERE account_id = ? ORDER BY repo_id LIMIT 1000',
    ),
  };
}

/** Links that read one repo, in SQLite. */
export function createShareStore(connection: Connection, { repos, audits }: Rows, nextId: NextId): ShareStore {
  const { prepare, write } = connection;
  const insert = prepare(INSERT_SHARE);
  const remove = prepare('DELETE FROM share_links WHERE repo_id = ? AND id = ?');
  return {
    create: async (fresh, audit) =>
      write(() => {
        if (repos.find(fresh.repoId) === undefined) return undefined;
        const link: ShareLink = { id: nextId('share-link'), ...fresh };
        if (audit !== undefined) audits.insert({ ...audit, shareLink: link.id });
        insert.run(link.id, link.repoId, link.hash, writeRecord(link));
        return link;
      }),
    findByHash: selectRecord<ShareLink>(connection, 'SELECT record FROM share_links WHERE hash = ?'),
    ofRepo: selectRecords<ShareLink>(connection, 'SELECT record FROM share_links WHERE repo_id = ? ORDER BY id DESC'),
    revoke: async (repoId, id, audit) => audits.write(audit, () => remove.run(repoId, id).changes > 0),
  };
}
