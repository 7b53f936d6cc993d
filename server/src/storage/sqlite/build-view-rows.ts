import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Build, FlagResult } from '../../core/builds/build.ts';
import { resultDetails, summarizeBuild } from '../../core/builds/build-summary.ts';

/** What pages and lists read in place of a build's whole record. */
export const VIEW_TABLES = `
  CREATE TABLE build_summaries (
    build_id INTEGER PRIMARY KEY REFERENCES builds (id) ON DELETE CASCADE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE build_details (
    build_id INTEGER PRIMARY KEY REFERENCES builds (id) ON DELETE CASCADE,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE flag_results (
    build_id INTEGER NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    passes INTEGER NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (build_id, position)
  ) STRICT;
  CREATE INDEX flag_results_failing ON flag_results (build_id, passes, position);
  CREATE INDEX flag_results_name ON flag_results (build_id, name);`;

const ADD_FLAG = 'INSERT INTO flag_results (build_id, position, name, passes, record) VALUES (?, ?, ?, ?, ?)';

/** Step 5: what pages read of the builds that are there. */
export function addBuildViews(db: DatabaseSync): void {
  db.exec(VIEW_TABLES);
  const write = createViewRows((sql) => db.prepare(sql));
  const next = db.prepare('SELECT id, record FROM builds WHERE id > ? ORDER BY id LIMIT 1');
  for (let row = next.get(0); row !== undefined; row = next.get(Number(row.id)))
    write(JSON.parse(String(row.record)) as Build);
}

/** Writes what pages read of a build, where it is not as `before`. Only inside a write. */
export function createViewRows(prepare: (sql: string) => StatementSync): (build: Build, before?: Build) => void {
  const putSummary = prepare('INSERT OR REPLACE INTO build_summaries (build_id, record) VALUES (?, ?)');
  const putDetails = prepare('INSERT OR REPLACE INTO build_details (build_id, record) VALUES (?, ?)');
  const removeFlags = prepare('DELETE FROM flag_results WHERE build_id = ?');
  const addFlag = prepare(ADD_FLAG);
  const putFlags = (buildId: number, flags: readonly FlagResult[]): void => {
    removeFlags.run(buildId);
    for (const [position, flag] of flags.entries())
      addFlag.run(buildId, position, flag.name, Number(flag.verdict.state === 'success'), JSON.stringify(flag));
  };
  return (build, before) => {
    const { id, result } = build;
    putSummary.run(id, JSON.stringify(summarizeBuild(build)));
    // A result is never changed in place: the same object means that no close came between.
    if (result === undefined || result === before?.result) return;
    putDetails.run(id, JSON.stringify(resultDetails(result)));
    if (result.flags !== before?.result?.flags) putFlags(id, result.flags);
  };
}
