import { completeRepo, type Repo } from '../../core/repo/repo.ts';
import { RECORD } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { RepoDocument } from './documents.ts';
import { tablesOf } from './table.ts';

/** Repo records, for what belongs to a repo. */
export interface RepoRows {
  /** Undefined once it was removed. */
  find(id: number): Promise<Repo | undefined>;
  /** Takes the next sequence of a repo (rule 9). Undefined: the repo is gone. */
  nextSequence(id: number): Promise<number | undefined>;
  /** Bytes of the uploads that were accepted on a day. Undefined: the repo is gone. */
  sentBytes(id: number, day: number): Promise<number | undefined>;
  /** Adds to them; those of another day are forgotten. */
  addSent(id: number, day: number, bytes: number): Promise<void>;
}

/** Filter: a repo that was not removed. */
export const PRESENT = { removal: { $exists: false } } as const;

/** Binds the repo records of one database. */
export function createRepoRows(connection: Connection): RepoRows {
  const { repos } = tablesOf(connection);
  return {
    find: async (id) => readRepo(await repos.one({ _id: id, ...PRESENT }, RECORD)),
    async nextSequence(id) {
      const one = { $inc: { lastSequence: 1 } };
      return (await repos.change({ _id: id, ...PRESENT }, one, { projection: { lastSequence: 1 } }))?.lastSequence;
    },
    async sentBytes(id, day) {
      const found = await repos.one({ _id: id, ...PRESENT }, { projection: { sent: 1 } });
      return found && (found.sent?.day === day ? found.sent.bytes : 0);
    },
    async addSent(id, day, bytes) {
      const before = { $cond: [{ $eq: ['$sent.day', day] }, '$sent.bytes', 0] };
      await repos.update({ _id: id, ...PRESENT }, [{ $set: { sent: { day, bytes: { $add: [before, bytes] } } } }]);
    },
  };
}

/** The repo of a document, with the settings that it was stored without. */
export function readRepo(document: Pick<RepoDocument, 'record'> | undefined): Repo | undefined {
  return document && completeRepo(document.record);
}
