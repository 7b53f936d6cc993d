import { describe, expect, it } from 'vitest';
import { accept, close, hex, MINUTE, PERIODS, pendingPost, putRepo, SECOND, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeDueBuilds(subject: Subject): void {
  const claim = async (at: number, more: { lease?: number; limit?: number; except?: readonly number[] } = {}) =>
    (await subject.store.builds.claimDue({ at: subject.itIs(at), lease: MINUTE, limit: 10, ...more })).map(
      ({ id }) => id,
    );

  /** A build with only its deadline due. */
  const putOpened = async (repoId: number, number: string, at = T0) => {
    const { build } = await accept(
      subject.store,
      repoId,
      { serviceNumber: number, commit: hex(Number(number)) },
      { at },
    );
    const opened = await subject.store.builds.postPending(pendingPost(build));
    if (opened === undefined) throw new Error('the build has moved on');
    return opened;
  };

  describe('due builds', () => {
    it('are those with pending statuses, a close or a deadline that is due', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      expect(await store.builds.nextDueAt()).toBeUndefined();
      const { build: parallel } = await accept(store, repo.id, { serviceNumber: '1' }, { at: T0 });
      const { build: single } = await accept(store, repo.id, { serviceNumber: '2', parallel: false }, { at: T0 + 1 });
      const waiting = await putOpened(repo.id, '3', T0 + 2);
      expect(await store.builds.nextDueAt()).toBe(T0);
      expect(await claim(T0 - 1)).toEqual([]);
      expect(await claim(T0 + 5)).toEqual([parallel.id, single.id]);
      expect(await store.builds.nextDueAt()).toBe(T0 + 5 + MINUTE);
      for (const { id } of [parallel, single]) await store.builds.release({ buildId: id, retryAt: T0 + 99 * MINUTE });
      expect(await store.builds.nextDueAt()).toBe(T0 + 2 + PERIODS.quiet);
      expect(await claim(T0 + 1 + PERIODS.quiet)).toEqual([]);
      expect(await claim(T0 + 2 + PERIODS.quiet)).toEqual([waiting.id]);
    });

    it('come oldest first, at most as many as asked for, never one twice', async () => {
      const repo = await putRepo(subject.store);
      const old: number[] = [];
      for (const n of [3, 1, 2]) old[n] = (await putOpened(repo.id, `${n}`, T0 + n * SECOND)).id;
      const at = T0 + PERIODS.quiet + MINUTE;
      const claims = await Promise.all([claim(at, { limit: 2 }), claim(at, { limit: 2 }), claim(at, { limit: 2 })]);
      expect(claims).toEqual([[old[1], old[2]], [old[3]], []]);
    });

    it('come repo by repo where more is due than may be taken, and none of a repo that is left out', async () => {
      const { store } = subject;
      const repos: number[] = [];
      for (const name of ['octo/a', 'octo/b', 'octo/c']) repos.push((await putRepo(store, { name })).id);
      const [a, b, c] = repos as [number, number, number];
      const put = async (repoId: number, number: string) => {
        const stated = { serviceNumber: number, commit: hex(Number(number)), parallel: false };
        return (await accept(store, repoId, stated, { at: T0 + Number(number) })).build.id;
      };
      const ofA = [await put(a, '1'), await put(a, '2'), await put(a, '3'), await put(a, '4')];
      const ofB = [await put(b, '5'), await put(b, '6')];
      const ofC = [await put(c, '7')];
      expect(await claim(T0 + MINUTE, { limit: 4 })).toEqual([ofA[0], ofB[0], ofC[0], ofA[1]]);
      expect(await claim(T0 + MINUTE, { limit: 1 })).toEqual([ofB[1]]);
      expect(await claim(T0 + MINUTE, { except: [a] })).toEqual([]);
      expect(await claim(T0 + MINUTE)).toEqual([ofA[2], ofA[3]]);
    });

    it('are leased until the lease is over or released', async () => {
      const { builds } = subject.store;
      const repo = await putRepo(subject.store);
      const { id } = await putOpened(repo.id, '1');
      const at = T0 + PERIODS.quiet;
      expect(await claim(at, { lease: MINUTE })).toEqual([id]);
      expect(await claim(at + MINUTE - 1)).toEqual([]);
      expect(await claim(at + MINUTE)).toEqual([id]);
      await builds.release({ buildId: id, retryAt: undefined });
      expect(await claim(at + MINUTE)).toEqual([id]);
      await builds.release({ buildId: id, retryAt: at + 5 * MINUTE });
      expect(await builds.nextDueAt()).toBe(at + 5 * MINUTE);
      expect(await claim(at + 5 * MINUTE - 1)).toEqual([]);
      expect(await claim(at + 5 * MINUTE)).toEqual([id]);
    });

    it('are no longer due once closed, and due again with a late job', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, { parallel: false });
      expect(await claim(T0)).toEqual([build.id]);
      await close(store, build);
      expect(await store.builds.nextDueAt()).toBeUndefined();
      await accept(store, repo.id, { parallel: false }, { at: T0 + 1 });
      // The worker that closed it still holds it.
      expect(await claim(T0 + 1)).toEqual([]);
      await store.builds.release({ buildId: build.id, retryAt: undefined });
      expect(await claim(T0 + 1)).toEqual([build.id]);
    });

    it('are answered as they are now', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await accept(store, repo.id);
      const { build } = await accept(store, repo.id);
      expect(await store.builds.claimDue({ at: subject.itIs(T0), lease: MINUTE, limit: 1 })).toEqual([build]);
    });

    it('lose the leases of a process that is gone', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      expect(await claim(T0)).toEqual([build.id]);
      await store.outbox.voidLeases();
      expect(await store.builds.nextDueAt()).toBe(T0);
      expect(await claim(T0)).toEqual([build.id]);
    });

    it('are gone with their repo, and releasing one that is gone does nothing', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      await store.repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      expect(await claim(T0 + MINUTE)).toEqual([]);
      await store.builds.release({ buildId: build.id, retryAt: undefined });
      expect(await store.builds.nextDueAt()).toBeUndefined();
    });
  });
}
