import type { Build } from '../../core/builds/build.ts';
import { eraseFromBuild, eraseFromCommit } from '../../core/builds/erased-person.ts';
import type { PersonStore } from '../person-store.ts';
import type { Connection } from './connection.ts';
import { assign } from './server-time.ts';
import { tablesOf } from './table.ts';

// The fields that a person may be named in.
const OF_BUILD = ['authors', 'message', 'acceptance', 'excludedAsBase', 'result.acceptance'];
const OF_JOB = ['facts.authors', 'facts.message'];

const show = (fields: readonly string[]) => ({
  projection: Object.fromEntries(fields.map((field) => [`record.${field}`, 1])),
});

/** What builds and jobs tell of a person, in MongoDB. */
export function createPersonStore(connection: Connection): PersonStore {
  const { builds, jobs } = tablesOf(connection);
  return {
    async builds({ person, after, limit }) {
      const found = await builds.list(
        { _id: { $gt: Number(after ?? 0) } },
        { ...show(OF_BUILD), sort: { _id: 1 }, limit },
      );
      const named = found.filter(({ record }) => {
        const build = { authors: {}, ...record } as Build;
        return eraseFromBuild(build, person) !== build;
      });
      return { ids: named.map(({ _id }) => _id), next: found.length < limit ? undefined : found.at(-1)?._id };
    },
    async eraseFromJobs({ person, after, limit }) {
      const found = await jobs.list(
        { _id: { $gt: String(after ?? '') } },
        { ...show(OF_JOB), sort: { _id: 1 }, limit },
      );
      let changed = 0;
      for (const { _id, record } of found) {
        const { authors, message } = record.facts;
        const facts = eraseFromCommit({ authors, message }, person);
        if (facts.authors === authors && facts.message === message) continue;
        const change = { 'record.facts.authors': facts.authors, 'record.facts.message': facts.message };
        if (await jobs.update({ _id }, [assign(change)])) changed += 1;
      }
      return { jobs: changed, next: found.length < limit ? undefined : found.at(-1)?._id };
    },
  };
}
