import { describe, expect, it } from 'vitest';
import { accept, bytes, hex, putRepo, SHA, T0, upload } from './records.ts';
import type { Subject } from './store-contract.ts';

/** Diffs that come with jobs. */
export function describeDiffs(subject: Subject): void {
  describe('diffs of jobs', () => {
    it('keeps the diff of a job with it, its text once for all that bring it, until the repo goes', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const diff = { base: hex(1), head: SHA, digest: `diff-${hex(4, 64)}` };
      const source = { digest: diff.digest, bytes: bytes('packed diff') };
      const one = await accept(store, repo.id, { diff }, { sources: [source] });
      const two = await accept(store, repo.id, { diff, flag: 'two' }, { sources: [source] });
      const other = await accept(
        store,
        repo.id,
        { diff: { ...diff, base: hex(2) }, flag: 'three' },
        { sources: [source] },
      );
      expect(other.build).toMatchObject({
        id: one.build.id,
        diff,
        warnings: [expect.stringContaining('brought another diff')],
      });
      expect(await store.builds.find(one.build.id)).toEqual(other.build);
      expect((await store.jobs.ofBuild(one.build.id)).map((job) => job.facts.diff?.base)).toEqual([
        hex(1),
        hex(1),
        hex(2),
      ]);
      expect((await store.jobs.find(two.job.id))?.facts.diff).toEqual(diff);
      expect(await store.jobs.source(repo.id, diff.digest)).toEqual(source);
      await store.repos.remove({ repoId: repo.id, description: 'gone', at: T0 });
      expect(await store.jobs.source(repo.id, diff.digest)).toBeUndefined();
    });

    it('takes the diff of a re-run whose first attempt brought none', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id, { serviceJobNumber: '1' });
      await store.jobs.accept(sent);
      const diff = { base: hex(1), head: SHA, digest: `diff-${hex(5, 64)}` };
      const source = { digest: diff.digest, bytes: bytes('packed diff') };
      const again = await store.jobs.accept({
        ...sent,
        facts: { ...sent.facts, serviceAttempt: 2, diff },
        sources: [source],
      });
      expect(again).toMatchObject({ repeated: true, build: { diff }, job: { facts: { diff, serviceAttempt: 2 } } });
      expect((await store.jobs.find(again?.job.id ?? 0))?.facts.diff).toEqual(diff);
      expect(await store.jobs.source(repo.id, diff.digest)).toEqual(source);
    });
  });
}
