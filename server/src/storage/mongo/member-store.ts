import type { ShareLink } from '../../core/repo/account.ts';
import type { MemberStore, ShareStore } from '../account-store.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { RepoRows } from './repo-rows.ts';
import { tablesOf } from './table.ts';

const MOST = 1_000;

interface Rows {
  readonly repos: RepoRows;
  readonly audits: AuditRows;
}

/** Members of repos, in MongoDB. */
export function createMemberStore(connection: Connection, { repos, audits }: Rows): MemberStore {
  const { members } = tablesOf(connection);
  const idOf = (repoId: number, accountId: number): string => `${repoId}/${accountId}`;
  return {
    async put(member, audit) {
      const { repoId, accountId } = member;
      if ((await repos.find(repoId)) === undefined) return false;
      const fields = { $set: { repoId, accountId, record: member } };
      const _id = idOf(repoId, accountId);
      await audits.write(audit, async () => {
        await members.update({ _id }, fields, { upsert: true });
        return true;
      });
      return true;
    },
    remove: (repoId, accountId, audit) =>
      audits.write(audit, async () => (await members.remove({ _id: idOf(repoId, accountId) })) > 0),
    role: async (repoId, accountId) => (await members.one({ _id: idOf(repoId, accountId) }))?.record.role,
    ofRepo: async (repoId) =>
      (await members.list({ repoId }, { sort: { accountId: 1 }, limit: MOST })).map(({ record }) => record),
    ofAccount: async (accountId) =>
      (await members.list({ accountId }, { sort: { repoId: 1 }, limit: MOST })).map(({ record }) => record),
  };
}

/** Links that read one repo, in MongoDB. */
export function createShareStore(connection: Connection, { repos, audits }: Rows, nextId: NextId): ShareStore {
  const { collections, run } = connection;
  const { shareLinks } = tablesOf(connection);
  return {
    async create(fresh, audit) {
      if ((await repos.find(fresh.repoId)) === undefined) return undefined;
      const link: ShareLink = { id: await run(() => nextId('share-link')), ...fresh };
      const { id, repoId, hash } = link;
      const document = { _id: id, repoId, hash, record: link };
      await audits.write(audit && { ...audit, shareLink: id }, () =>
        run(() => collections.shareLinks.insertOne(document)),
      );
      return link;
    },
    findByHash: async (hash) => (await shareLinks.one({ hash }))?.record,
    ofRepo: async (repoId) => (await shareLinks.list({ repoId }, { sort: { _id: -1 } })).map(({ record }) => record),
    revoke: (repoId, id, audit) => audits.write(audit, async () => (await shareLinks.remove({ _id: id, repoId })) > 0),
  };
}
