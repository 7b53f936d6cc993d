import { describe, expect, it } from 'vitest';
import type { ErasedPerson } from '../../server/src/core/builds/erased-person.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import type { PersonMark } from '../../server/src/storage/person-store.ts';
import { accept, close, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const EMAIL = 'dora@x.example';
const PERSON: ErasedPerson = { names: ['Dora'], emails: [EMAIL] };
const BY_DORA: Partial<JobFacts> = {
  authors: { authorName: 'Dora', authorEmail: 'Dora@X.example', committerName: 'Bot', committerEmail: 'bot@x.example' },
  message: `Count what is left\n\nCo-authored-by: Dora <${EMAIL}>`,
};
const BY_BOB: Partial<JobFacts> = {
  authors: { authorName: 'Dora', authorEmail: 'bob@x.example', committerName: undefined, committerEmail: undefined },
  message: 'Thank Dora',
};

export function describePersons(subject: Subject): void {
  describe('what builds and jobs tell of a person', () => {
    it('is taken out, and what they tell of others stays', async () => {
      const { persons, builds, jobs } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const theirs = await accept(subject.store, repoId, { ...BY_DORA, serviceNumber: '1' });
      const others = await accept(subject.store, repoId, { ...BY_BOB, serviceNumber: '2' });
      const excluded = { by: 'Dora', at: T0 };
      const revision = { kind: 'excluded-as-base', excluded } as const;
      const third = await accept(subject.store, repoId, { serviceNumber: '3' });
      await close(subject.store, third.build);
      await builds.revise({ buildId: third.build.id, revision });

      expect(await goThrough((part) => persons.eraseFromJobs(part))).toBe(1);
      const named = await goThrough(async (part) => {
        const { ids, next } = await persons.builds(part);
        return { jobs: ids.length, next };
      });
      expect(named).toBe(2);
      for (const buildId of [theirs.build.id, third.build.id])
        await builds.revise({ buildId, revision: { kind: 'person-erased', person: PERSON, at: T0 } });
      for (const found of [await builds.find(theirs.build.id), (await jobs.find(theirs.job.id))?.facts]) {
        expect(found?.message).toBe('Count what is left');
        expect(found?.authors).toEqual({ committerName: 'Bot', committerEmail: 'bot@x.example' });
      }
      const untouched = await builds.find(others.build.id);
      expect(untouched?.authors).toMatchObject({ authorName: 'Dora', authorEmail: 'bob@x.example' });
      expect(untouched?.message).toBe('Thank Dora');
      expect((await jobs.find(others.job.id))?.facts).toMatchObject({ message: 'Thank Dora' });
      expect((await builds.find(third.build.id))?.excludedAsBase).toEqual({ by: '(erased)', at: T0 });
      const whole = { person: PERSON, after: undefined, limit: 9 };
      expect((await persons.builds(whole)).ids).toEqual([]);
      expect(await persons.eraseFromJobs(whole)).toEqual({ jobs: 0, next: undefined });
    });
  });
}

type Look = (part: {
  readonly person: ErasedPerson;
  readonly after: PersonMark | undefined;
  readonly limit: number;
}) => Promise<{ readonly jobs: number; readonly next: PersonMark | undefined }>;

/** One row at a time: how many named them. */
async function goThrough(look: Look): Promise<number> {
  let count = 0;
  let after: PersonMark | undefined;
  do {
    const { jobs, next } = await look({ person: PERSON, after, limit: 1 });
    after = next;
    count += jobs;
  } while (after !== undefined);
  return count;
}
