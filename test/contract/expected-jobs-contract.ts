import { describe, expect, it } from 'vitest';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { accept, close, hex, MINUTE, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const LEG = { expectedJobs: 3, serviceJobId: 'test' };
const leg = (name: string, serviceAttempt = 1) => ({ ...LEG, serviceJobNumber: name, serviceAttempt });

export function describeExpectedJobs(subject: Subject): void {
  describe('jobs that say how many there will be', () => {
    it('make a close due in the write that accepts the last of them', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const names = ['a', 'b', 'c'];
      const accepted = await Promise.all(names.map((name) => accept(store, repo.id, leg(name))));
      const builds = accepted.map(({ build }) => build).sort((a, b) => a.jobs - b.jobs);
      expect(builds.map(({ expectedJobs }) => expectedJobs)).toEqual([
        { jobs: 3, arrived: 1 },
        { jobs: 3, arrived: 2 },
        { jobs: 3, arrived: 3 },
      ]);
      const due = { kind: 'close', by: 'job', at: T0 };
      expect(builds.map((build) => findTask(build.due, 'close'))).toEqual([undefined, undefined, due]);
      expect(await store.builds.find(builds[0]?.id ?? 0)).toMatchObject({ due: builds[2]?.due, jobs: 3 });
    });

    it('of another attempt replace the earlier ones, and close the build again', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await accept(store, repo.id, leg('a'));
      const again = await accept(store, repo.id, leg('a', 2));
      expect(again.build.expectedJobs).toEqual({ jobs: 3, arrived: 1 });
      expect(findTask(again.build.due, 'close')).toBeUndefined();
      await accept(store, repo.id, leg('b'));
      const content = { contentDigest: hex(9, 64) };
      const last = await accept(store, repo.id, leg('c'), content);
      expect(last.build.expectedJobs).toEqual({ jobs: 3, arrived: 3 });
      expect(findTask(last.build.due, 'close')).toBeDefined();
      await close(store, last.build);
      const at = T0 + MINUTE;
      const late = await accept(store, repo.id, leg('b', 3), { at });
      expect(late.build).toMatchObject({ state: 'open', expectedJobs: { jobs: 3, arrived: 3 } });
      expect(findTask(late.build.due, 'close')).toMatchObject({ at });
      await close(store, late.build);
      const repeated = await accept(store, repo.id, leg('c', 2), { ...content, at });
      expect(repeated).toMatchObject({ repeated: true, build: { expectedJobs: { jobs: 3, arrived: 3 } } });
      expect(findTask(repeated.build.due, 'close')).toMatchObject({ at });
    });
  });
}
