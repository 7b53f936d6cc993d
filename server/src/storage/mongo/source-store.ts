import type { SourceStore } from '../source-store.ts';
import type { Connection } from './connection.ts';
import { PRESENT } from './repo-rows.ts';
import { tablesOf } from './table.ts';

const PAGE = 1_000;

/** Source texts in MongoDB: those that an accepted job brought. The sweep takes the others. */
export function createSourceStore(connection: Connection): SourceStore {
  const { repos, sources } = tablesOf(connection);
  return {
    async begin({ repoId, notAfter, at }) {
      const removed = { $ifNull: ['$removedBuilds', 0] };
      const isDirty = { $ne: [{ $ifNull: ['$textLook.cleanBuilds', -1] }, removed] };
      const isFree = { $lte: [{ $ifNull: ['$textLook.begunAt', 0] }, notAfter] };
      const filter = { _id: repoId, ...PRESENT, $expr: { $and: [isDirty, isFree] } };
      const begun = { $set: { 'textLook.begunAt': at } };
      const found = await repos.change(filter, begun, { projection: { removedBuilds: 1 } });
      return found && (found.removedBuilds ?? 0);
    },
    async end({ repoId, removedBuilds }) {
      await repos.update({ _id: repoId }, { $set: { 'textLook.cleanBuilds': removedBuilds } });
    },
    async list({ repoId, after, before }) {
      const prefix = `${repoId}/`;
      // "0" is the character after "/": what follows a digest are further pieces of its text.
      const some = { repoId, kept: true, _id: { $gt: `${prefix}${after}`, $lt: `${repoId}0` } } as const;
      const part = { projection: { _id: 1, seenAt: 1 }, sort: { _id: 1 }, limit: PAGE } as const;
      const found = await sources.list(some, part);
      const texts = new Map<string, boolean>();
      for (const { _id, seenAt } of found) {
        const digest = _id.slice(prefix.length).split('/', 1)[0] ?? '';
        if (!texts.has(digest)) texts.set(digest, !(seenAt?.getTime() >= before));
      }
      const next = found.length < PAGE ? undefined : found.at(-1)?._id.slice(prefix.length);
      return { texts: [...texts].map(([digest, isOld]) => ({ digest, isOld })), next };
    },
    async remove({ repoId, digests, before }) {
      const isOld = { kept: true, seenAt: { $not: { $gte: new Date(before) } } } as const;
      const ids = digests.map((digest) => `${repoId}/${digest}`);
      const pieces = ids.map((id) => ({ _id: { $gt: `${id}/`, $lt: `${id}0` } }));
      const count = await sources.remove({ _id: { $in: ids }, ...isOld });
      await sources.remove({ $or: pieces, ...isOld });
      return count;
    },
  };
}
