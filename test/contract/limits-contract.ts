import { describe, expect, it } from 'vitest';
import { Failure } from '../../server/src/domain/failure.ts';
import { accept, bytes, close, hex, NO_LIMITS, putRepo, T0, upload } from './records.ts';
import type { Subject } from './store-contract.ts';

const DAY = 86_400_000;
const over = (message: RegExp) =>
  expect.objectContaining({ code: 'over-limit', message: expect.stringMatching(message) });

export function describeLimits(subject: Subject): void {
  describe('limits of a repo', () => {
    it('count the bytes of accepted jobs by day, and each job once', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const limits = { ...NO_LIMITS, bytesPerDay: 100 };
      const sent = upload(repo.id, {}, { bytes: 60, limits });
      const send = (rest: object = {}) => store.jobs.accept(upload(repo.id, {}, { bytes: 41, limits, ...rest }));
      const first = await store.jobs.accept(sent);
      await expect(send()).rejects.toEqual(over(/^This repo sent 60 bytes today \(UTC\), and this upload has 41;/));
      expect(await store.jobs.accept(sent)).toMatchObject({ job: { id: first?.job.id }, repeated: true });
      expect((await store.jobs.accept({ ...sent, repoId: other.id }))?.repeated).toBe(false);
      expect((await send({ bytes: 40 }))?.job.number).toBe(2);
      await expect(send({ bytes: 1 })).rejects.toEqual(over(/sent 100 bytes/));
      expect((await send({ at: T0 + DAY }))?.job.number).toBe(3);
      await expect(send({ at: T0 + DAY, bytes: 60 })).rejects.toEqual(over(/sent 41 bytes/));
      expect((await send({ limits: NO_LIMITS, at: T0 + DAY, bytes: 1_000 }))?.job.number).toBe(4);
    });

    it('refuse new jobs and no repeats while the caller says so, and store nothing', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id);
      const first = await store.jobs.accept(sent);
      const refusal = new Failure('over-limit', 'Too many.', { retryAfter: 7 });
      const limits = { ...NO_LIMITS, refusal };
      const source = { digest: hex(1, 64), bytes: bytes('x') };
      await expect(store.jobs.accept(upload(repo.id, {}, { limits, sources: [source] }))).rejects.toBe(refusal);
      expect(await store.jobs.source(repo.id, source.digest)).toBeUndefined();
      expect(await store.jobs.accept({ ...sent, limits })).toMatchObject({
        job: { id: first?.job.id },
        repeated: true,
      });
      expect(await store.jobs.ofBuild(first?.build.id ?? 0)).toHaveLength(1);
    });

    it('bound the parallel builds that are open', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const limits = { ...NO_LIMITS, openBuilds: 2 };
      const open = (serviceNumber: string, parallel = true) =>
        accept(store, repo.id, { serviceNumber, commit: hex(Number(serviceNumber)), parallel }, { limits });
      const { build } = await open('1');
      await open('2');
      await expect(open('3')).rejects.toEqual(over(/^2 parallel builds of this repo are open/));
      expect((await open('4', false)).build.jobs).toBe(1);
      expect((await open('2')).build.jobs).toBe(2);
      await close(store, (await open('1')).build);
      expect((await open('3')).build.id).not.toBe(build.id);
      await expect(open('5')).rejects.toEqual(over(/^2 parallel builds/));
    });
  });
}
