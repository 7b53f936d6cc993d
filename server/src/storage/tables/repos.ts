import { auditFollowed } from '../../core/repo/audit.ts';
import { completeRepo, followProvider, type Repo } from '../../core/repo/repo.ts';
import { nameKey } from '../repo-steps.ts';
import type { RepoStore } from '../store.ts';
import type { Declaration, Units } from '../table.ts';
import { TOKEN_USES } from './tokens.ts';

/** Its tokens are apart, and so is its making: SQLite has a table of them, MongoDB the list in the repo's document. */
export const REPOS: Declaration<Repo, 'repos', { readonly nameKey: string }> = {
  name: 'repos',
  key: ['id'],
  columns: ['service', 'providerId'],
  beside: ['service'],
  derived: { nameKey: ({ name }) => nameKey(name) },
  complete: completeRepo,
  hidden: true,
  indexes: [
    ['by_name', { service: 1, nameKey: 1 }, 'a repo by its name', { unique: true, where: 'nameKey' }],
    ['by_token', { 'tokens.lookup': 1 }, 'the repo of an upload’s token', { unique: true, where: 'tokens.lookup' }],
    ['token_id', { 'tokens.id': 1 }, 'sealing tokens again after a change of the key', { where: 'tokens.id' }],
    ['removed', { 'removal.removedAt': 1 }, 'removals to be finished', { where: 'removal.removedAt' }],
    [
      'by_provider_id',
      { service: 1, 'record.providerId': 1 },
      'a repo by the provider’s id',
      { where: 'record.providerId' },
    ],
  ],
};

/** What is the same in both stores. */
export type RepoRecords = Pick<
  RepoStore,
  'find' | 'findByName' | 'findByProviderId' | 'list' | 'ofOwner' | 'update' | 'setHostToken' | 'follow'
>;

/** Repos, except for how they are made and removed, and their tokens. */
export function createRepoRecords({ table, audited, read, write }: Units): RepoRecords {
  const [repos, uses] = [table(REPOS), table(TOKEN_USES)];
  return {
    find: (id) => read(() => repos.one({ id })),
    findByName: (service, name) => read(() => repos.one({ service, nameKey: nameKey(name) })),
    findByProviderId: (service, providerId) => read(() => repos.one({ service, providerId })),
    list: ({ after, limit }) => {
      const { service = '', name = '' } = after ?? {};
      const by = ['service', 'nameKey'] as const;
      // MongoDB's index holds those that have a name.
      return read(() =>
        repos.list({ where: { nameKey: { atLeast: '' } }, by, after: [service, nameKey(name)], limit }),
      );
    },
    ofOwner(service, owner) {
      const key = nameKey(owner);
      // For all that can follow an owner's name, '0' comes next after '/'.
      const theirs = { service, nameKey: { atLeast: `${key}/`, below: `${key}0` } };
      return read(() => repos.list({ where: theirs, by: ['nameKey'] }));
    },
    update({ repoId, settings, at }, audit) {
      const change = (repo: Repo | undefined) =>
        repo && { ...repo, settings: { ...repo.settings, ...settings }, updatedAt: at };
      return write(() => audited(audit, () => repos.change([repoId], change)));
    },
    async setHostToken({ repoId, token, was }, audit) {
      const change = (repo: Repo | undefined) => {
        const isMeant = was === undefined || repo?.hostToken?.sealed === was;
        const isSame = repo?.hostToken === token;
        return repo && isMeant && !isSame ? { ...repo, hostToken: token } : undefined;
      };
      return (await write(() => audited(audit, () => repos.change([repoId], change)))) !== undefined;
    },
    follow: ({ repoId, whileNamed, ...news }) =>
      write(function* () {
        const follow = (repo: Repo | undefined) =>
          repo && (whileNamed ?? repo.name) === repo.name ? followProvider(repo, news) : undefined;
        const before = yield* repos.one({ id: repoId });
        const meant = follow(before);
        if (before === undefined || meant === undefined) return undefined;
        const followed = yield* audited(auditFollowed(before, meant), () => repos.change([repoId], follow));
        if (followed === undefined) {
          const other = yield* repos.one({ service: meant.service, nameKey: nameKey(meant.name) });
          return other === undefined || other.id === repoId ? undefined : 'name-taken';
        }
        // Clients of the name before are no other repo's.
        if (followed.name !== before.name) yield* uses.remove({ repoId });
        return followed;
      }),
  };
}
