import { Binary } from 'mongodb';
import type { ProviderSources } from '../store.ts';
import { joinBytes } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';
import { tablesOf } from './table.ts';

/** Bytes of a document's text. */
const LARGEST = 15_000_000;
const REMOVED_AT_ONCE = 50;

/** Source texts that the provider was asked for, in MongoDB. */
export function createProviderSources(connection: Connection, repos: RepoRows): ProviderSources {
  const { collections, run } = connection;
  const { providerSources } = tablesOf(connection);
  const measure = async (repoId: number): Promise<number> => {
    const sum = [{ $match: { repoId } }, { $group: { _id: null, total: { $sum: '$size' } } }];
    const [found] = await run(() => collections.providerSources.aggregate(sum).toArray());
    return Number(found?.total ?? 0);
  };
  return {
    async find(repoId, key) {
      const found = await providerSources.one({ _id: `${repoId}/${key}` });
      return found && { digest: found.digest, bytes: joinBytes([found.bytes]) };
    },
    async put({ repoId, key, source: { digest, bytes }, maxBytes, at }) {
      if (bytes.length > LARGEST || (await repos.find(repoId)) === undefined) return;
      const text = { repoId, digest, at, size: bytes.length, bytes: new Binary(bytes) };
      await providerSources.update({ _id: `${repoId}/${key}` }, { $set: text }, { upsert: true });
      let size = await measure(repoId);
      while (size > maxBytes) {
        const options = { sort: { at: 1 }, limit: REMOVED_AT_ONCE, projection: { size: 1 } } as const;
        const gone: string[] = [];
        for (const oldest of await providerSources.list({ repoId }, options)) {
          if (size <= maxBytes) break;
          gone.push(oldest._id);
          size -= oldest.size;
        }
        if (gone.length === 0) return;
        await providerSources.remove({ _id: { $in: gone } });
      }
    },
  };
}
