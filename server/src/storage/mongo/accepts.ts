import type { ClientBulkWriteModel, Collection, Document } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import type { Connection } from './connection.ts';
import type { JobDocument, PartDocument } from './documents.ts';
import { insertMissing } from './grouped-inserts.ts';
import { createGroupedWrites, type Outcomes } from './grouped-writes.ts';
import { tablesOf } from './table.ts';

/** The write of a build that accepts a job: its document's name tells afterward whether it was done. */
export interface Acceptance {
  readonly filter: { readonly _id: number; readonly repoId: number };
  readonly stages: object[];
  readonly document: string;
  /** The upload's documents, if the database does not have them yet: they are written before the build. */
  readonly unwritten?: UploadDocuments | undefined;
}

/** The documents of an upload, whose names nobody else has. */
export interface UploadDocuments {
  readonly job: JobDocument;
  readonly parts: readonly PartDocument[];
}

/** The repo is there for a sharded cluster; without the hint each of its indexes would be tried. */
export const BY_ID = { hint: { _id: 1 } } as const;

/** About what the write of a build takes, and a job's document. If they are larger, the driver sends more commands. */
const BUILD_BYTES = 8_192;
export const JOB_BYTES = 4_096;

/** Answers whether the build's update matched. Those that come together go in one command. */
export function createAccepts(connection: Connection): (acceptance: Acceptance) => Promise<boolean> {
  return createGroupedWrites<Acceptance, boolean>({
    weigh: ({ unwritten }) => BUILD_BYTES + (unwritten === undefined ? 0 : JOB_BYTES + bytesOf(unwritten)),
    send: (all) => (connection.bulkWrites.isUsable() ? acceptAtOnce(connection, all) : acceptWritten(connection, all)),
  });
}

export function bytesOf({ parts }: UploadDocuments): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.position, 0);
}

/**
 * In one command with the documents. Those of all builds come first, so that no build ever names one that is not there.
 * An error ends the command: what it kept from being done is done one by one.
 */
async function acceptAtOnce(connection: Connection, all: readonly Acceptance[]): Promise<Outcomes<boolean>> {
  const { run, bulkWrites, collections } = connection;
  const { parts, jobs, builds } = collections;
  const unwritten = all.map((one) => one.unwritten).filter((one) => one !== undefined);
  const inserts = [
    ...unwritten.flatMap((one) => one.parts.map((part) => insertOf(parts, part))),
    ...unwritten.map(({ job }) => insertOf(jobs, job)),
  ];
  const updates = all.map(
    ({ filter, stages: update }): ClientBulkWriteModel => ({
      name: 'updateOne',
      namespace: builds.namespace,
      filter: filter as Document,
      update,
      ...BY_ID,
    }),
  );
  const matches = await run(() => bulkWrites.send([...inserts, ...updates])).catch(unlessFailure);
  return Promise.all(
    all.map((one, index) => {
      const done = matches?.get(inserts.length + index);
      return done === undefined ? acceptUnlessNamed(connection, one) : { done };
    }),
  );
}

function insertOf<T extends Document>({ namespace }: Collection<T>, document: T): ClientBulkWriteModel {
  return { name: 'insertOne', namespace, document };
}

/** In one command, which answers how many were done. If not all were, each is looked for. */
async function acceptWritten(connection: Connection, all: readonly Acceptance[]): Promise<Outcomes<boolean>> {
  const { run, collections } = connection;
  const [first] = all;
  if (all.some(({ unwritten }) => unwritten !== undefined))
    return Promise.all(all.map((one) => acceptUnlessNamed(connection, one)));
  if (first !== undefined && all.length === 1) return [{ done: await acceptAlone(connection, first) }];
  const writes = all.map(({ filter, stages: update }) => ({ updateOne: { filter, update, ...BY_ID } }));
  const written = await run(() => collections.builds.bulkWrite(writes, { ordered: false })).catch(unlessFailure);
  if (written?.matchedCount === all.length) return all.map(() => ({ done: true }));
  const again = written === undefined ? acceptAlone : async () => false;
  return Promise.all(all.map((one) => acceptUnlessNamed(connection, one, again)));
}

/** An error that time fixes says nothing about any of them. Any other refuses one of them, and not the others. */
function unlessFailure(error: unknown): undefined {
  if (error instanceof Failure) throw error;
  return undefined;
}

async function acceptUnlessNamed(
  connection: Connection,
  one: Acceptance,
  accept = acceptAlone,
): Promise<Outcomes<boolean>[number]> {
  const { builds } = tablesOf(connection);
  const { _id, repoId } = one.filter;
  const named = { _id, repoId, 'jobs.document': one.document };
  try {
    const isNamed = (await builds.one(named, { projection: { _id: 1 } })) !== undefined;
    return { done: isNamed || (await accept(connection, one)) };
  } catch (error) {
    return { error };
  }
}

async function acceptAlone(connection: Connection, { filter, stages, unwritten }: Acceptance): Promise<boolean> {
  const { run, collections } = connection;
  if (unwritten !== undefined) {
    const { job, parts } = unwritten;
    const inserts = [
      () => insertMissing(collections.jobs, job),
      ...parts.map((part) => () => insertMissing(collections.parts, part)),
    ];
    await Promise.all(inserts.map((insert) => run(insert)));
  }
  return tablesOf(connection).builds.update(filter, stages, BY_ID);
}
