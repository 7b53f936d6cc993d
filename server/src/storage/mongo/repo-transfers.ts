import type { Filter } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { completeRepo } from '../../core/repo/repo.ts';
import { restOfKey } from '../archive.ts';
import { nameKey } from '../repo-steps.ts';
import {
  type ImportPlan,
  type PlacedBuild,
  placeOlder,
  type RepoImport,
  type RepoTransfers,
  sequenceBelow,
} from '../repo-transfers.ts';
import { IMPORT_CLEARED, IMPORTED_TWICE } from '../sentences.ts';
import { BY_ID } from './accepts.ts';
import { createArchiveWrites } from './archive-writes.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import { chunksOf } from './chunks.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { BuildDocument, RepoDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';
import type { Removals } from './removals.ts';
import { PRESENT } from './repo-rows.ts';
import { toEntry } from './repo-tokens.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';
import type { AuditRows } from './units.ts';

interface Rows {
  readonly audits: AuditRows;
  readonly removals: Removals;
  readonly nextId: NextId;
}

const IDS_AT_ONCE = 500;

/** Repos that come from another server or go there, in MongoDB. */
export function createRepoTransfers(connection: Connection, rows: Rows): RepoTransfers {
  const { builds, facts } = tablesOf(connection);
  return {
    async buildsAfter({ repoId, sequence, limit }) {
      const behind: Filter<BuildDocument> = { repoId, listed: true, sequence: { $gt: sequence } };
      return recordsOf(await builds.list(behind, { ...RECORD, sort: { sequence: 1 }, limit }));
    },
    async factsAfter({ repoId, key, limit }) {
      // "0" is the character after "/".
      const behind = { _id: { $gt: `${repoId}/${key}`, $lt: `${repoId}0` } };
      const found = await facts.list(behind, { sort: { _id: 1 }, limit });
      return found.map(({ _id, at, value }) => ({ key: restOfKey(String(_id)), at, value }));
    },
    begin: (plan) => beginImport(connection, rows, plan),
    clear: () => rows.removals.finish(),
    addOlder: createAddOlder(connection, rows),
  };
}

/** Each build is listed by its last write: what an import that was cut off leaves before that is swept. */
function createAddOlder(connection: Connection, { nextId }: Rows): RepoTransfers['addOlder'] {
  const { run } = connection;
  const { repos, builds } = tablesOf(connection);
  const writes = createArchiveWrites(connection);
  const take = (counter: 'build' | 'job') => run(() => nextId(counter));
  const add = async ({ build, jobs, report }: PlacedBuild): Promise<void> => {
    const place = { _id: build.id, repoId: build.repoId };
    await builds.update(place, { $setOnInsert: { openedAt: new Date() } }, { upsert: true, ...BY_ID });
    if (jobs.length > 0) await writes.job(jobs.map(({ job, report: bytes }) => ({ record: job, bytes })));
    await writes.build([{ record: { build, notBefore: undefined }, bytes: report }]).catch((error: unknown) => {
      throw isDuplicate(error) ? new Failure('conflict', IMPORTED_TWICE, { cause: error }) : error;
    });
  };
  return async (repoId, older) => {
    if ((await repos.one({ _id: repoId, ...PRESENT }, { projection: { _id: 1 } })) === undefined) return false;
    const ofRepo = { repoId, sequence: { $exists: true } };
    const [last] = await builds.list(ofRepo, { projection: { sequence: 1 }, sort: { sequence: 1 }, limit: 1 });
    const first = sequenceBelow(last?.sequence);
    const placed: PlacedBuild[] = [];
    for (const [at, one] of older.entries()) {
      const place = { id: await take('build'), repoId, sequence: first - at };
      const jobIds: number[] = [];
      for (const _ of one.jobs) jobIds.push(await take('job'));
      placed.push(placeOlder(one, place, jobIds));
    }
    await Promise.all(placed.map(add));
    // Instances keep counts of old builds, which are no longer true.
    await repos.update({ _id: repoId }, { $inc: { removedBuilds: 1 } });
    return true;
  };
}

async function beginImport(connection: Connection, rows: Rows, plan: ImportPlan): Promise<RepoImport> {
  const { collections, run, serverTime } = connection;
  const { repos } = tablesOf(connection);
  const { service, name } = plan.repo;
  const key = `${service}/${nameKey(name)}`;
  const earlier = { 'removal.removedAt': { $exists: true }, 'removal.importing': key };
  await repos.updateAll(earlier, [{ $unset: 'removal.importing' }]);
  // Those of others that were cut off too: what they have written holds ids.
  await rows.removals.finish();
  const repoId = await run(() => rows.nextId('repo'));
  const raise = (_id: string, value: number) =>
    run(() => collections.counters.findOneAndUpdate({ _id }, { $max: { value } }, { upsert: true }));
  await raise('build', plan.lastBuildId);
  const lastJob = (await raise('job', plan.lastJobId))?.value ?? 0;
  const fields = assign({ service, lastSequence: 0, tokens: [], record: { ...plan.repo, id: repoId } });
  const removal = { importing: key, removedAt: serverTime(), description: '', at: 0 };
  await repos.update({ _id: repoId }, [fields, { $set: { removal } }], { upsert: true });
  return createImport(connection, rows, { repoId, lastJob });
}

/** `lastJob`: the last id that was given to a job before. Instances hold ids up to it that no job has yet. */
function createImport(
  connection: Connection,
  rows: Rows,
  { repoId, lastJob }: { readonly repoId: number; readonly lastJob: number },
): RepoImport {
  const { run, serverTime } = connection;
  const { repos } = tablesOf(connection);
  const writes = createArchiveWrites(connection);
  const note = async (): Promise<void> => {
    const now = [{ $set: { 'removal.removedAt': serverTime() } }];
    if (!(await repos.update(importing(repoId), now))) throw new Failure('conflict', IMPORT_CLEARED);
  };
  return {
    repoId,
    async takeBuildIds(ids) {
      await note();
      const isMine = await claimBuilds(connection, repoId, ids);
      const taken: number[] = [];
      for (const id of ids) taken.push(isMine(id) ? id : await run(() => rows.nextId('build')));
      return taken;
    },
    async takeJobIds(ids) {
      const taken: number[] = [];
      for (const id of ids) taken.push(id > lastJob ? id : await run(() => rows.nextId('job')));
      return taken;
    },
    async addBuild(build, bytes) {
      await note();
      await writes.build([{ record: { build, notBefore: undefined }, bytes }]);
    },
    async addJobs(jobs) {
      await note();
      await writes.job(jobs.map(({ job, report }) => ({ record: job, bytes: report })));
    },
    async addSources(sources) {
      await note();
      await writes.source(sources.map(({ digest, bytes }) => ({ record: { repoId, digest }, bytes })));
    },
    async addFacts(facts) {
      await note();
      await writes.fact(facts.map((fact) => ({ record: { repoId, ...fact } })));
    },
    finish: createFinish(connection, rows, repoId),
    async discard() {
      if (await repos.update(importing(repoId), [{ $unset: 'removal.importing' }])) await rows.removals.finish();
    },
  };
}

function importing(repoId: number): Filter<RepoDocument> {
  return { _id: repoId, 'removal.importing': { $exists: true } };
}

/** Documents without a record, which hold an id against uploads of other processes. */
async function claimBuilds(connection: Connection, repoId: number, ids: readonly number[]) {
  const { collections, run } = connection;
  const { builds } = tablesOf(connection);
  const mine = new Set<number>();
  for (const some of chunksOf(ids, IDS_AT_ONCE)) {
    const claims = some.map((_id) => ({ _id, repoId, openedAt: new Date() }));
    const claimed = run(() => collections.builds.insertMany(claims, { ordered: false }));
    await claimed.catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
    // On a sharded cluster, another repo's build may have the same id beside this claim: then it is not ours.
    const found = await builds.list({ _id: { $in: [...some] } }, { projection: { repoId: 1 } });
    const others = new Set(found.filter((one) => one.repoId !== repoId).map(({ _id }) => _id));
    for (const { _id } of found) if (!others.has(_id)) mine.add(_id);
  }
  return (id: number): boolean => mine.has(id);
}

function createFinish(connection: Connection, { audits, nextId }: Rows, repoId: number): RepoImport['finish'] {
  const { collections, run } = connection;
  const { repos } = tablesOf(connection);
  return async ({ repo, token, lastSequence, builds }, audit) => {
    const count = await run(() => collections.builds.countDocuments({ repoId, listed: true }));
    if (count !== builds) throw new Failure('conflict', IMPORT_CLEARED);
    const { service, name } = repo;
    const tokens = [toEntry(await run(() => nextId('repo-token')), token)];
    const record = completeRepo(repo);
    const fields = assign({ service, nameKey: nameKey(name), lastSequence, tokens, record });
    const reveal = async (): Promise<boolean> => {
      try {
        const isThere = await repos.update(importing(repoId), [fields, { $unset: 'removal' }]);
        if (!isThere) throw new Failure('conflict', IMPORT_CLEARED);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    };
    return audits.write(audit, reveal);
  };
}
