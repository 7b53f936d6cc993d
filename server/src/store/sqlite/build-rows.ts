import type { Build } from '../../domain/builds/build.ts';
import { dueAt } from '../../domain/builds/due-tasks.ts';
import { type BuildIndex, indexBuild } from '../build-index.ts';
import type { Connection } from './connection.ts';
import { readRecord, writeRecord } from './records.ts';

/** Build records with all they are found by, for the stores that write them. Writes only inside a write. */
export interface BuildRows {
  find(id: number): Build | undefined;
  insert(build: Build): void;
  /** `before` is the record as it was read in the same write. */
  update(before: Build, build: Build): void;
}

const INSERT = `
  INSERT INTO builds (id, repo_id, sequence, number, service_name, service_number, state, parallel, pull_request,
    nameless_close_at, scope, closed, base_rank, base_id, due_at, record)
  VALUES (:id, :repoId, :sequence, :number, :serviceName, :serviceNumber, :state, :parallel, :pullRequest,
    :namelessCloseAt, :scope, :closed, :baseRank, :baseId, :dueAt, :record)`;
const UPDATE = `
  UPDATE builds SET state = :state, parallel = :parallel, pull_request = :pullRequest, nameless_close_at = :namelessCloseAt,
    scope = :scope, closed = :closed, base_rank = :baseRank, base_id = :baseId, due_at = :dueAt, record = :record WHERE id = :id`;

/** Binds the build records of one connection. */
export function createBuildRows({ prepare }: Connection): BuildRows {
  const find = prepare('SELECT record FROM builds WHERE id = ?');
  const insert = prepare(INSERT);
  const update = prepare(UPDATE);
  // Most accepts change no indexed column; naming one in SET would rewrite a page of its index with every job.
  const updateRecord = prepare('UPDATE builds SET due_at = :dueAt, record = :record WHERE id = :id');
  const removeCommits = prepare('DELETE FROM build_commits WHERE build_id = ?');
  const addCommit = prepare('INSERT INTO build_commits (build_id, commit_sha, repo_id, sequence) VALUES (?, ?, ?, ?)');
  const removeFlags = prepare('DELETE FROM build_flags WHERE build_id = ?');
  const addFlag = prepare('INSERT INTO build_flags (build_id, flag, repo_id, sequence, scope) VALUES (?, ?, ?, ?, ?)');

  const removeWants = prepare('DELETE FROM build_wants WHERE build_id = ?');
  const addWant = prepare('INSERT INTO build_wants (build_id, want, repo_id, sequence) VALUES (?, ?, ?, ?)');

  const writeWants = ({ id, repoId, sequence }: Build, { missingBases }: BuildIndex): void => {
    removeWants.run(id);
    for (const want of missingBases) addWant.run(id, want, repoId, sequence);
  };
  const writeCommits = ({ id, repoId, sequence }: Build, { commits }: BuildIndex): void => {
    removeCommits.run(id);
    for (const commit of commits) addCommit.run(id, commit, repoId, sequence);
  };
  const writeFlags = ({ id, repoId, sequence }: Build, { flags, scope }: BuildIndex): void => {
    removeFlags.run(id);
    for (const flag of flags) addFlag.run(id, flag, repoId, sequence, scope ?? null);
  };

  return {
    find: (id) => readRecord<Build>(find.get(id)),
    insert(build) {
      const index = indexBuild(build);
      const { id, repoId, sequence, number, serviceName, serviceNumber = null } = build;
      const fixed = { id, repoId, sequence, number, serviceName, serviceNumber };
      insert.run({ ...fixed, ...foundBy(build, index), ...recordColumns(build) });
      writeCommits(build, index);
      writeFlags(build, index);
      if (index.missingBases.length > 0) writeWants(build, index);
    },
    update(before, build) {
      const [was, is] = [indexBuild(before), indexBuild(build)];
      const columns = foundBy(build, is);
      const row = { id: build.id, ...recordColumns(build) };
      if (isSame(foundBy(before, was), columns)) updateRecord.run(row);
      else update.run({ ...row, ...columns });
      if (!isSame(was.commits, is.commits)) writeCommits(build, is);
      if (was.scope !== is.scope || !isSame(was.flags, is.flags)) writeFlags(build, is);
      if (!isSame(was.missingBases, is.missingBases)) writeWants(build, is);
    },
  };
}

/** Indexed columns that may change. */
function foundBy(build: Build, { scope, closed, baseRank, baseId }: BuildIndex) {
  return {
    state: build.state,
    parallel: Number(build.parallel),
    pullRequest: build.pullRequest ?? null,
    namelessCloseAt: build.namelessCloseAt ?? null,
    scope: scope ?? null,
    closed: Number(closed),
    baseRank: baseRank ?? null,
    baseId: baseId ?? null,
  };
}

/** Columns that change with every write. */
function recordColumns(build: Build) {
  return { dueAt: dueAt(build) ?? null, record: writeRecord(build) };
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
