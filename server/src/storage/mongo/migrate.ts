import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexDescription } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { BACKUP_NAME } from '../archive.ts';
import type { OnUpgrade } from '../store-inspection.ts';
import type { Connection } from './connection.ts';
import type { Collections } from './documents.ts';
import { isDuplicate, isIndexConflict, isTimeout } from './errors.ts';
import { leaseNote } from './note-lease.ts';
import { INDEXES, indexOptions, MIGRATIONS, type Migration, READABLE_BY } from './schema.ts';
import { later } from './server-time.ts';

/** Another instance that migrates and dies is given up after this, in ms; while it lives it renews its lease. */
const LEASE = 30_000;
const RENEW_EVERY = 10_000;
const POLL_EVERY = 200;
const INDEX_LIMIT = 60 * 60_000;

/**
 * Brings a database up to date; of several instances that start together one does each step, the others wait for it.
 */
export async function migrate(
  connection: Connection,
  options: {
    readonly steps?: readonly Migration[];
    readonly readableBy?: number;
    readonly onUpgrade?: OnUpgrade | undefined;
  } = {},
): Promise<void> {
  const { steps = MIGRATIONS, readableBy = READABLE_BY, onUpgrade } = options;
  const { collections, run } = connection;
  await run(() => claimDatabase(connection));
  for (;;) {
    const note = await run(() => collections.notes.findOne({ _id: 'schema' }));
    const version = note?.version ?? 0;
    if (version > steps.length) {
      if ((note?.readableBy ?? version) <= steps.length) return;
      throw new Failure('unavailable', newerSentence(version, steps.length));
    }
    if (version === steps.length) break;
    if (await leaseNote(connection, 'schema', LEASE)) {
      if (version > 0) onUpgrade?.({ from: version, to: steps.length });
      await takeSteps(connection, { steps: steps.slice(version), version, readableBy });
    } else await sleep(POLL_EVERY);
  }
  await buildIndexes(connection);
}

/** The first start marks the database as ours; one that holds other collections belongs to another program. */
async function claimDatabase({ collections: { notes }, listCollections }: Connection): Promise<void> {
  if ((await notes.findOne({ _id: 'schema' })) !== null) return;
  const foreign = (await listCollections()).find((name) => !/^(notes$|system\.)/.test(name));
  // Another instance may have marked it and made its collections in the meantime.
  if (foreign !== undefined && (await notes.findOne({ _id: 'schema' })) === null) {
    throw new Failure(
      'unavailable',
      'it holds collections of another program; ' +
        'set DATABASE_URL to a database of its own, which is created if it does not exist.',
    );
  }
  try {
    await notes.updateOne({ _id: 'schema' }, { $setOnInsert: { version: 0 } }, { upsert: true });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

interface Steps {
  readonly steps: readonly Migration[];
  /** How many were taken before. */
  readonly version: number;
  readonly readableBy: number;
}

async function takeSteps(connection: Connection, { steps, version, readableBy }: Steps): Promise<void> {
  const { collections, run, serverTime } = connection;
  const { notes } = collections;
  const renewal = setInterval(() => {
    run(() => notes.updateOne({ _id: 'schema' }, [{ $set: { leaseUntil: later(serverTime(), LEASE) } }])).catch(
      () => undefined,
    );
  }, RENEW_EVERY);
  try {
    let reached = version;
    for (const step of steps) {
      await step(collections);
      reached += 1;
      await run(() =>
        notes.updateOne({ _id: 'schema', version: reached - 1 }, { $set: { version: reached, readableBy } }),
      );
    }
  } finally {
    clearInterval(renewal);
    await run(() => notes.updateOne({ _id: 'schema' }, { $unset: { leaseUntil: '' } }));
  }
}

/** Otherwise a typing error in --from would make a database. */
export async function refuseMissing({ collections: { notes }, run }: Connection): Promise<void> {
  if ((await run(() => notes.findOne({ _id: 'schema' }))) !== null) return;
  throw new Failure('not-found', 'no server has ever stored anything in it.');
}

/** A server on half a store would close builds before their jobs are copied. */
export async function refuseHalfCopied({ collections: { notes }, run }: Connection): Promise<void> {
  const copy = await run(() => notes.findOne({ _id: 'copy' }));
  if (copy === null) return;
  const again = copy.from?.startsWith(BACKUP_NAME)
    ? 'a restore into it is not finished; run npm run restore again with the same --from.'
    : 'a copy into it is not finished; run npm run copy-store again with the same --from and --to.';
  throw new Failure('unavailable', again);
}

/**
 * A build of an index may take longer than a connection may be silent: it continues without us, and asking again waits
 * for it.
 */
async function buildIndexes({ collections, run }: Connection): Promise<void> {
  const until = performance.now() + INDEX_LIMIT;
  for (;;) {
    try {
      return await run(() => createIndexes(collections), INDEX_LIMIT);
    } catch (error) {
      if (!(error instanceof Failure) || !isTimeout(error.cause) || performance.now() > until) throw error;
    }
  }
}

/** Idempotent; an index build lets reads and writes go on. */
async function createIndexes(collections: Collections): Promise<void> {
  await Promise.all(
    Object.values(collections).map(async (collection) => {
      const specs = INDEXES.filter((index) => index.collection === collection.collectionName);
      const descriptions = specs.map((index) => ({ key: { ...index.keys }, ...indexOptions(index) }));
      if (descriptions.length === 0) return;
      try {
        await collection.createIndexes(descriptions);
      } catch (error) {
        if (!isIndexConflict(error)) throw error;
        await dropChanged(collection, descriptions);
        await collection.createIndexes(descriptions);
      }
    }),
  );
}

/** For an earlier commit: an index that has the name of one of ours, and other keys. */
async function dropChanged(
  collection: Pick<Collections[keyof Collections], 'listIndexes' | 'dropIndex'>,
  wanted: readonly IndexDescription[],
): Promise<void> {
  const keysOf = ({ key }: { readonly key?: unknown }): string => JSON.stringify(key);
  for (const found of await collection.listIndexes().toArray()) {
    const ours = wanted.find(({ name }) => name === found.name);
    // Another server that starts may have dropped it in the meantime.
    if (ours !== undefined && keysOf(ours) !== keysOf(found)) await collection.dropIndex(found.name).catch(() => {});
  }
}

function newerSentence(version: number, known: number): string {
  return (
    `it was written by a newer version of this program (schema ${version}; this one knows up to ${known}); ` +
    'start that version, or restore a backup made before the upgrade.'
  );
}
