import { completeRepo, type Repo } from '../../domain/repo/repo.ts';
import type { Connection } from './connection.ts';
import type { RepoDocument } from './documents.ts';

/** Repo records, for the stores that hang things on a repo. */
export interface RepoRows {
  /** Undefined once it was removed. */
  find(id: number): Promise<Repo | undefined>;
  /** Takes the next sequence of a repo (rule 9). Undefined: the repo is gone. */
  nextSequence(id: number): Promise<number | undefined>;
}

/** Filter: a repo that was not removed. */
export const PRESENT = { removal: { $exists: false } } as const;

/** Binds the repo records of one database. */
export function createRepoRows({ collections: { repos }, run }: Connection): RepoRows {
  return {
    find: async (id) =>
      readRepo(await run(() => repos.findOne({ _id: id, ...PRESENT }, { projection: { record: 1 } }))),
    async nextSequence(id) {
      const counted = await run(() =>
        repos.findOneAndUpdate(
          { _id: id, ...PRESENT },
          { $inc: { lastSequence: 1 } },
          { returnDocument: 'after', projection: { lastSequence: 1 } },
        ),
      );
      return counted?.lastSequence;
    },
  };
}

/** The repo of a document, with the settings that it was stored without. */
export function readRepo(document: Pick<RepoDocument, 'record'> | null): Repo | undefined {
  return document === null ? undefined : completeRepo(document.record);
}
