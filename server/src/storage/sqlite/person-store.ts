import type { Build } from '../../core/builds/build.ts';
import { eraseFromBuild, eraseFromCommit } from '../../core/builds/erased-person.ts';
import type { Job } from '../../core/builds/job.ts';
import type { PersonPart, PersonStore } from '../person-store.ts';
import type { Connection } from './connection.ts';
import { type Row, readRecords, writeRecord } from './records.ts';

// Records are searched as text first: few of them have to be parsed.
const selectPart = (table: 'builds' | 'jobs'): string => `
  SELECT id, CASE WHEN EXISTS (SELECT 1 FROM json_each(:texts) WHERE instr(lower(record), value)) THEN record END
    AS record
  FROM ${table} WHERE id > :after ORDER BY id LIMIT :limit`;

/** What builds and jobs tell of a person, in SQLite. */
export function createPersonStore({ prepare, read, write }: Connection): PersonStore {
  const ofBuilds = prepare(selectPart('builds'));
  const ofJobs = prepare(selectPart('jobs'));
  const update = prepare('UPDATE jobs SET record = ? WHERE id = ?');
  const look = (select: typeof ofBuilds, { person, after, limit }: PersonPart) => {
    // As a record spells them; `lower` of SQLite and of these texts agree on ASCII, which addresses are made of.
    const texts = [...person.names, ...person.emails].map((text) => JSON.stringify(text).slice(1, -1).toLowerCase());
    const rows = select.all({ texts: JSON.stringify(texts), after: after ?? 0, limit });
    const next = rows.length < limit ? undefined : Number(rows.at(-1)?.id);
    return { found: rows.filter((row: Row) => row.record !== null), next };
  };
  return {
    builds: async (part) =>
      read(() => {
        const { found, next } = look(ofBuilds, part);
        const named = readRecords<Build>(found).filter((build) => eraseFromBuild(build, part.person) !== build);
        return { ids: named.map(({ id }) => id), next };
      }),
    eraseFromJobs: async (part) =>
      write(() => {
        const { found, next } = look(ofJobs, part);
        let jobs = 0;
        for (const job of readRecords<Job>(found)) {
          const facts = eraseFromCommit(job.facts, part.person);
          if (facts === job.facts) continue;
          update.run(writeRecord({ ...job, facts }), job.id);
          jobs += 1;
        }
        return { jobs, next };
      }),
  };
}
