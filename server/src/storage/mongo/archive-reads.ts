import type { Collection, Document, Filter, FindCursor, FindOptions } from 'mongodb';
import type { Build } from '../../core/builds/build.ts';
import { type ArchiveEntry, type ArchiveReads, CHECK_COUNTER, idOfKey, restOfKey } from '../archive.ts';
import { reportOfBuild, reportOfJob } from '../sentences.ts';
import { createDeclaredReads } from '../tables/copied.ts';
import { BYTES_LIMIT, createReportParts, joinBytes } from './bytes.ts';
import type { Connection } from './connection.ts';
import { createTables } from './declared-table.ts';
import { createJobRows } from './job-rows.ts';
import { PRESENT } from './repo-rows.ts';
import { createSources } from './sources.ts';
import { findAccepted } from './sweep.ts';

const BY_ID = { sort: { _id: 1 } } as const;
const ACCEPTED = { record: { $exists: true } } as const;

/** Binds the reads of one database: only what was accepted, of repos that were not removed. */
export function createArchiveReads(connection: Connection): ArchiveReads {
  const { collections, run } = connection;
  const { counters, repos, builds, deliveries } = collections;
  const parts = createReportParts(connection);
  const after = (key: string | undefined) => ({ _id: { $gt: idOfKey(key) } });
  return {
    ...createDeclaredReads(createTables(connection)),
    async *counter(key = '') {
      const found = counters.find({ _id: { $gt: key, $ne: CHECK_COUNTER } }, BY_ID);
      for await (const { _id, value } of walk(run, found)) yield { record: { name: _id, value } };
    },
    async *repo(key) {
      const found = walk(run, repos.find({ ...PRESENT, ...after(key) }, BY_ID));
      for await (const { record: repo, lastSequence, tokens } of found)
        yield { record: { repo, lastSequence, tokens: [...tokens].sort((a, b) => a.id - b.id) } };
    },
    async *build(key) {
      for await (const { record, notBefore, report } of walk(run, builds.find({ ...ACCEPTED, ...after(key) }, BY_ID))) {
        const build = record as Build;
        const bytes = report && (await parts.read(report, reportOfBuild(build.id)));
        yield { record: { build, notBefore: notBefore?.getTime() }, bytes };
      }
    },
    job: (key) => readJobs(connection, key),
    source: (key) => readSources(connection, key),
    // By repo, and one at a time, since they are large.
    async *fact(key) {
      for await (const [repoId, { _id, at, value }] of walkRepos(connection, collections.facts, key))
        yield { record: { repoId, key: restOfKey(String(_id)), at, value } };
    },
    async *delivery(key) {
      for await (const { record } of walk(run, deliveries.find(after(key), BY_ID))) yield { record };
    },
  };
}

/** Build by build: a job counts only where a build names it. */
async function* readJobs(connection: Connection, key: string | undefined): AsyncGenerator<ArchiveEntry<'job'>> {
  const { collections, run } = connection;
  const parts = createReportParts(connection);
  const jobs = createJobRows(connection, parts);
  const [afterBuild, afterNumber] = [idOfKey(key), Number(restOfKey(key))];
  const options = { ...BY_ID, projection: { _id: 1 } };
  const builds = collections.builds.find({ ...ACCEPTED, _id: { $gte: afterBuild } }, options);
  for await (const { _id: buildId } of walk(run, builds)) {
    const records = await jobs.ofBuild(buildId);
    const left = records.filter(({ number }) => buildId > afterBuild || number > afterNumber);
    const reports = await jobs.reportsOf(left.map(({ id }) => id));
    for (const record of left) {
      const report = reports.get(record.id);
      yield { record, bytes: report && (await parts.read(report, reportOfJob(record.id))) };
    }
  }
}

async function* readSources(connection: Connection, key: string | undefined): AsyncGenerator<ArchiveEntry<'source'>> {
  const sources = createSources(connection);
  for await (const [repoId, found] of walkRepos(connection, connection.collections.sources, key)) {
    const [, digest = '', part] = found._id.split('/');
    if (part !== undefined) continue;
    // At the moment of a snapshot its job may have been accepted, and it not kept yet.
    if (found.kept !== true && !(await findAccepted(connection, [found]))(found)) continue;
    const bytes = found.parts === 1 ? joinBytes([found.bytes]) : (await sources.find(repoId, digest))?.bytes;
    yield { record: { repoId, digest }, bytes };
  }
}

/** If names begin with a repo's id: repo by repo, since that sorts otherwise as text than as a number. */
async function* walkRepos<T extends Document & { readonly _id: number | string }>(
  { collections, run }: Connection,
  collection: Collection<T>,
  key: string | undefined,
): AsyncGenerator<readonly [repoId: number, document: T]> {
  const [afterRepo, afterRest] = [idOfKey(key), restOfKey(key)];
  const repos = collections.repos.find({ ...PRESENT, _id: { $gte: afterRepo } }, { ...BY_ID, projection: { _id: 1 } });
  for await (const { _id: repoId } of walk(run, repos)) {
    // "0" is the character after "/".
    const _id = { $gt: `${repoId}/${repoId === afterRepo ? afterRest : ''}`, $lt: `${repoId}0` };
    const found = collection.find({ _id } as unknown as Filter<T>, BY_ID as FindOptions);
    for await (const document of walk(run, found)) yield [repoId, document as unknown as T];
  }
}

/** Document by document. An answer of the server has 16 MB at most, so that never more than one is in memory. */
export async function* walk<T>(run: Connection['run'], cursor: FindCursor<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const document = await run(() => cursor.next(), BYTES_LIMIT);
      if (document === null) return;
      yield document;
    }
  } finally {
    await cursor.close().catch(() => undefined);
  }
}
