import { MOST_USES } from '../../core/repo/token-use.ts';
import type { TokenUses } from '../token-uses.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

/** Uses of repos' tokens, in MongoDB. */
export function createTokenUses(connection: Connection, repos: RepoRows): TokenUses {
  const { tokenUses } = tablesOf(connection);
  const all = (repoId: number) => tokenUses.list({ repoId }, { sort: { 'record.at': -1 } });
  return {
    async note(use) {
      const { repoId, named } = use;
      if ((await repos.find(repoId)) === undefined) return;
      await tokenUses.update({ _id: `${repoId}/${named}` }, [assign({ repoId, record: use })], { upsert: true });
      const beyond = (await all(repoId)).slice(MOST_USES);
      if (beyond.length > 0) await tokenUses.remove({ _id: { $in: beyond.map(({ _id }) => _id) } });
    },
    ofRepo: async (repoId) => (await all(repoId)).map(({ record }) => record),
  };
}
