import type { Build } from '../../core/builds/build.ts';
import { dueAt } from '../../core/builds/due-tasks.ts';
import { type BuildIndex, indexBuild } from '../build-index.ts';
import { createViewRows } from './build-view-rows.ts';
import type { Connection } from './connection.ts';
import { readRecord, writeRecord } from './records.ts';

/** Build records with all they are found by, for the stores that write them. Writes only inside a write. */
export interface BuildRows {
  find(id: number): Build | undefined;
  insert(build: Build): void;
  /** Writes a build over `before`. False: it was changed since that was read, and nothing is written. */
  update(before: Build, build: Build): boolean;
}

const INSERT = `
  INSERT INTO builds (id, repo_id, sequence, number, service_name, service_number, state, parallel, pull_request,
    nameless_close_at, scope, closed, base_rank, base_id, set_aside, excluded_at, due_at, created_at,
    unverified, record)
  VALUES (:id, :repoId, :sequence, :number, :serviceName, :serviceNumber, :state, :parallel, :pullRequest,
    :namelessCloseAt, :scope, :closed, :baseRank, :baseId, :setAside, :excludedAt, :dueAt, :createdAt,
    :unverified, :record)`;
const UPDATE = `
  UPDATE builds SET number = :number, service_number = :serviceNumber, state = :state, parallel = :parallel,
    pull_request = :pullRequest, unverified = :unverified,
    nameless_close_at = :namelessCloseAt, scope = :scope, closed = :closed, base_rank = :baseRank,
    base_id = :baseId, set_aside = :setAside, excluded_at = :excludedAt, due_at = :dueAt, record = :record
  WHERE id = :id AND record ->> 'revision' = :revision`;

const UPDATE_RECORD = `
  UPDATE builds SET due_at = :dueAt, record = :record WHERE id = :id AND record ->> 'revision' = :revision`;

/** Binds the build records of one connection. */
export function createBuildRows({ prepare }: Connection): BuildRows {
  const find = prepare('SELECT record FROM builds WHERE id = ?');
  const insert = prepare(INSERT);
  const update = prepare(UPDATE);
  // Most accepts change no indexed column; naming one in SET would rewrite a page of its index with every job.
  const updateRecord = prepare(UPDATE_RECORD);
  const writeCommits = createList(prepare, 'build_commits', 'commit_sha');
  const writeFlags = createList(prepare, 'build_flags', 'flag', 'scope');
  const writeMissingBases = createList(prepare, 'build_wants', 'want');
  const writeViews = createViewRows(prepare);
  return {
    find: (id) => readRecord<Build>(find.get(id)),
    insert(build) {
      const index = indexBuild(build);
      const { id, repoId, sequence, serviceName, createdAt } = build;
      const fixed = { id, repoId, sequence, serviceName, createdAt };
      insert.run({ ...fixed, ...foundBy(build, index), ...recordColumns(build) });
      writeCommits(build, index.commits);
      writeFlags(build, index.flags, index.scope ?? null);
      writeMissingBases(build, index.missingBases);
      writeViews(build);
    },
    update(before, build) {
      const [was, is] = [indexBuild(before), indexBuild(build)];
      const columns = foundBy(build, is);
      const row = { id: build.id, revision: before.revision, ...recordColumns(build) };
      const isFoundAsBefore = isSame(foundBy(before, was), columns);
      const { changes } = isFoundAsBefore ? updateRecord.run(row) : update.run({ ...row, ...columns });
      if (changes === 0) return false;
      writeViews(build, before);
      if (!isSame(was.commits, is.commits)) writeCommits(build, is.commits);
      if (was.scope !== is.scope || !isSame(was.flags, is.flags)) writeFlags(build, is.flags, is.scope ?? null);
      if (!isSame(was.missingBases, is.missingBases)) writeMissingBases(build, is.missingBases);
      return true;
    },
  };
}

/** A table with a row for each of a build's values of one kind, and what else its index needs. */
function createList(prepare: Connection['prepare'], table: string, column: string, ...more: readonly string[]) {
  const columns = ['build_id', column, 'repo_id', 'sequence', ...more];
  const remove = prepare(`DELETE FROM ${table} WHERE build_id = ?`);
  const add = prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
  return ({ id, repoId, sequence }: Build, values: readonly string[], ...rest: readonly (string | null)[]): void => {
    remove.run(id);
    for (const value of values) add.run(id, value, repoId, sequence, ...rest);
  };
}

/** Indexed columns that may change. */
function foundBy(build: Build, { scope, closed, baseRank, baseId }: BuildIndex) {
  return {
    number: build.number,
    serviceNumber: build.serviceNumber ?? null,
    state: build.state,
    parallel: Number(build.parallel),
    pullRequest: build.pullRequest ?? null,
    unverified: build.trust === 'run' ? 1 : null,
    namelessCloseAt: build.namelessCloseAt ?? null,
    scope: scope ?? null,
    closed: Number(closed),
    baseRank: baseRank ?? null,
    baseId: baseId ?? null,
    setAside: build.attempts?.setAside ? 1 : null,
    excludedAt: build.excludedAsBase?.at ?? null,
  };
}

/** Columns that change with every write. */
function recordColumns(build: Build) {
  return { dueAt: dueAt(build) ?? null, record: writeRecord(build) };
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
