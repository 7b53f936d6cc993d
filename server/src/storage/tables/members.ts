import type { Member, ShareLink } from '../../core/repo/account.ts';
import type { MemberStore, ShareStore } from '../account-store.ts';
import type { Declaration, Units } from '../table.ts';

export const MEMBERS: Declaration<Member, 'members'> = {
  name: 'members',
  key: ['repoId', 'accountId'],
  beside: ['accountId'],
  ofRepo: true,
  indexes: [
    ['of_repo', { repoId: 1, accountId: 1 }, 'members of a repo; removing one'],
    ['of_account', { accountId: 1, repoId: 1 }, 'repos that somebody is a member of'],
  ],
  copied: 'member',
  words: 'members',
};

export const SHARE_LINKS: Declaration<ShareLink, 'share_links'> = {
  name: 'share_links',
  key: ['id'],
  columns: ['repoId', 'hash'],
  beside: ['repoId', 'hash'],
  ofRepo: true,
  indexes: [
    ['by_hash', { hash: 1 }, 'the repo of a share link', { unique: true }],
    ['of_repo', { repoId: 1, _id: -1 }, 'share links of a repo; removing one'],
  ],
  copied: 'share-link',
  words: 'share links',
};

const MAX = 1_000;

/** Members of repos. */
export function createMemberStore({ table, audited, read, write }: Units): MemberStore {
  const members = table(MEMBERS);
  const remove: MemberStore['remove'] = (repoId, accountId, audit) =>
    write(() =>
      audited(audit, function* () {
        return (yield* members.remove({ repoId, accountId })) > 0;
      }),
    );
  return {
    put: (member, audit) => write(() => audited(audit, () => members.put(member))),
    remove,
    role: async (repoId, accountId) => (await read(() => members.one({ repoId, accountId })))?.role,
    ofRepo: (repoId) => read(() => members.list({ where: { repoId }, by: ['accountId'], limit: MAX })),
    ofAccount: (accountId) => read(() => members.list({ where: { accountId }, by: ['repoId'], limit: MAX })),
  };
}

/** Links that read one repo. */
export function createShareStore({ table, nextId, audited, read, write }: Units): ShareStore {
  const links = table(SHARE_LINKS);
  return {
    create: (fresh, audit) =>
      write(function* () {
        const link: ShareLink = { id: yield* nextId('share-link'), ...fresh };
        return yield* audited(audit && { ...audit, shareLink: link.id }, function* () {
          return (yield* links.put(link)) ? link : undefined;
        });
      }),
    findByHash: (hash) => read(() => links.one({ hash })),
    ofRepo: (repoId) => read(() => links.list({ where: { repoId }, newestFirst: true })),
    revoke: (repoId, id, audit) =>
      write(() =>
        audited(audit, function* () {
          return (yield* links.remove({ id, repoId })) > 0;
        }),
      ),
  };
}
