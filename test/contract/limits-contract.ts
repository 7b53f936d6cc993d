import { describe, expect, it } from 'vitest';
import { quotasOf } from '../../server/src/core/builds/unverified-quotas.ts';
import { Failure } from '../../server/src/core/failure.ts';
import type { AcceptJob } from '../../server/src/storage/store.ts';
import { accept, bytes, close, hex, NO_LIMITS, putRepo, SHA, T0, upload } from './records.ts';
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

    it('bound what unverified uploads bring in a day, by run, pull request, address and repo (rule 29)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const bounds = { run: 20_000, pull: 50_000, address: 60_000, repo: 90_000 };
      const fork = (run: string, rest: Partial<AcceptJob> = {}, pullRequest = 7, address = 'a') => {
        const vouchedRun = { id: run, number: '1', headCommit: SHA };
        const one = upload(repo.id, { serviceNumber: run, pullRequest, trust: 'run', vouchedRun }, rest);
        const quotas = quotasOf({ ...one, address }, bounds);
        return { ...one, bytes: 9_000, limits: { ...NO_LIMITS, quotas }, ...rest };
      };
      const isNew = async (one: AcceptJob) => (await store.jobs.accept(one))?.repeated === false;
      const refused = (one: AcceptJob) => store.jobs.accept(one).then(String, (error: Failure) => error.message);
      // Three at once, of which two have room.
      const sent = [fork('1'), fork('1'), fork('1')];
      const outcomes = await Promise.allSettled(sent.map(isNew));
      const kept = sent.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      expect(kept).toHaveLength(2);
      expect(await refused(fork('1'))).toMatch(/from this run had 18000 bytes today .* has 9000; the limit is 20000 /);
      // What was accepted is answered so, and is not counted again.
      expect(await Promise.all(kept.map((one) => isNew(one)))).toEqual([false, false]);
      // Records take room too; a report that is stored with more bytes than it was sent with counts as stored.
      expect(await refused(fork('1', { bytes: 1 }))).toMatch(/has 4096;/);
      expect(await refused(fork('2', { bytes: 1, report: new Uint8Array(20_001) }))).toMatch(
        /^This upload without a token has 20001 bytes, .* from this run may have 20000 a day/,
      );
      const source = { digest: hex(1, 64), bytes: new Uint8Array(18_000) };
      expect(await isNew(fork('2', { bytes: 1, sources: [source] }))).toBe(true);
      expect(await isNew(fork('3'))).toBe(true);
      expect(await refused(fork('4'))).toMatch(/from this pull request had 450\d\d bytes .*MAX_UNVERIFIED_PULL_BYTES/);
      expect(await isNew(fork('4', {}, 8))).toBe(true);
      expect(await refused(fork('5', {}, 8))).toMatch(/from this address had 540\d\d bytes/);
      const sixth = fork('6', {}, 9, 'b');
      expect([await isNew(sixth), await isNew(sixth), await isNew(sixth)]).toEqual([true, false, false]);
      for (const run of ['7', '8']) expect(await isNew(fork(run, {}, 9, 'b'))).toBe(true);
      expect(await refused(fork('9', {}, 10, 'b'))).toMatch(/from forks of this repo had 810\d\d bytes/);
      expect(await isNew(upload(repo.id, {}, { bytes: 1_000_000 }))).toBe(true);
      // The next day.
      expect(await isNew(fork('1', { at: T0 + DAY }))).toBe(true);
      expect(await refused(fork('1', { at: T0 + DAY, bytes: 12_000 }))).toMatch(/this run had 9000 bytes/);
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
