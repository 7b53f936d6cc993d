import { describe, expect, it } from 'vitest';
import type { Delivery, Message } from '../../server/src/core/announce/delivery.ts';
import {
  accept,
  bytes,
  check,
  close,
  comment,
  flag,
  hex,
  MINUTE,
  putRepo,
  result,
  SHA,
  say,
  status,
  T0,
} from './records.ts';
import type { Subject } from './store-contract.ts';

const END = {
  kind: 'status',
  state: 'error',
  description: 'repo was removed',
  targetUrl: status('pending').targetUrl,
} as const;

export function describeRemoval(subject: Subject): void {
  const remove = (repoId: number) =>
    subject.store.repos.remove({ repoId, description: 'repo was removed', at: T0 + MINUTE });
  const claim = (at: number) => subject.store.outbox.claim({ at: subject.itIs(at), lease: MINUTE, limit: 10 });
  const arrive = ({ id, wanted }: Delivery) =>
    subject.store.outbox.delivered({ id, ...wanted, commentId: undefined, at: T0 });

  const announce = async (messages: readonly Message[], number = '71') => {
    const { store } = subject;
    const repo = (await store.repos.findByName('github', 'octo/parser')) ?? (await putRepo(store));
    const { build } = await accept(store, repo.id, { serviceNumber: number, pullRequest: 5 });
    return close(store, build, { messages, target: SHA });
  };

  describe('removing a build', () => {
    it('takes its jobs, reports and delivery records, and nothing of another build', async () => {
      const { builds, jobs, outbox } = subject.store;
      const build = await announce([say(status('success')), comment('Hello', 5)]);
      const [job] = await jobs.ofBuild(build.id);
      const other = await accept(subject.store, build.repoId, { serviceNumber: '72', commit: hex(2) });
      expect(await builds.remove(build.id)).toBe(true);
      expect(await builds.find(build.id)).toBeUndefined();
      expect(await builds.report(build.id)).toBeUndefined();
      expect(await builds.ofCommit(build.repoId, SHA)).toEqual([]);
      expect(await jobs.find(job?.id ?? 0)).toBeUndefined();
      await expect(jobs.reports([job?.id ?? 0])).rejects.toMatchObject({ code: 'not-found' });
      expect(await outbox.ofBuild(build)).toEqual([]);
      expect(await claim(T0 + MINUTE)).toEqual([]);
      expect(await builds.find(other.build.id)).toEqual(other.build);
      expect(await jobs.reports([other.job.id])).toHaveLength(1);
      expect(await builds.remove(build.id)).toBe(false);
    });

    it('leaves what another build of the commit announces there', async () => {
      const { builds, outbox } = subject.store;
      const former = await announce([say(status('success'))]);
      const newer = await announce([say(status('failure'))], '72');
      expect(await builds.remove(former.id)).toBe(true);
      expect((await outbox.ofBuild(newer)).map(({ statusOwner }) => statusOwner.buildId)).toEqual([newer.id]);
    });
  });

  describe('removing a repo', () => {
    it('takes everything that hangs on it, and nothing of another repo', async () => {
      const { store } = subject;
      const other = await putRepo(store, { name: 'octo/other' });
      const kept = await accept(store, other.id, { pullRequest: 5, flag: 'unit' });
      const repo = await putRepo(store);
      const source = { digest: hex(1, 64), bytes: bytes('x') };
      const { build, job } = await accept(store, repo.id, { pullRequest: 5 }, { sources: [source] });
      await close(store, build, { result: result({ flags: [flag('unit')] }) });
      expect(await remove(repo.id)).toBe(true);
      expect(await remove(repo.id)).toBe(false);
      expect(await store.repos.find(repo.id)).toBeUndefined();
      expect(await store.repos.findByName('github', 'octo/parser')).toBeUndefined();
      expect(await store.repos.findByToken([`lookup of ${repo.name}`], T0)).toBeUndefined();
      expect(await store.repos.listTokens()).toHaveLength(1);
      expect(await store.builds.find(build.id)).toBeUndefined();
      expect(await store.builds.report(build.id)).toBeUndefined();
      expect(await store.builds.findByCommit(SHA)).toEqual([kept.build]);
      expect(await store.jobs.find(job.id)).toBeUndefined();
      expect(await store.jobs.ofBuild(build.id)).toEqual([]);
      await expect(store.jobs.reports([job.id])).rejects.toMatchObject({ code: 'not-found' });
      expect(await store.jobs.source(repo.id, source.digest)).toBeUndefined();
      expect(await store.jobs.reports([kept.job.id])).toHaveLength(1);
      expect(await store.jobs.find(kept.job.id)).toEqual(kept.job);
    });

    it('frees the name, and gives no id again', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const first = await accept(store, repo.id);
      await announce([say(status('pending'))], '72');
      const [delivery] = await claim(T0);
      await remove(repo.id);
      const next = await putRepo(store);
      const second = await accept(store, next.id);
      expect(next.id).toBeGreaterThan(repo.id);
      expect(second.build.id).toBeGreaterThan(first.build.id);
      expect(second.job.id).toBeGreaterThan(first.job.id);
      expect(second.build.sequence).toBe(1);
      await close(store, second.build, { messages: [say(status('success'))], target: SHA });
      const ids = (await claim(T0 + 9 * MINUTE)).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      expect(Math.max(...ids)).toBeGreaterThan(delivery?.id ?? 0);
    });

    it('accepts and closes nothing any more', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      await remove(repo.id);
      await expect(accept(store, repo.id)).rejects.toThrow('the repo is gone');
      await expect(close(store, build, { messages: [say(status('success'))] })).rejects.toThrow(
        'the build has moved on',
      );
      expect(
        await store.builds.requestClose({ repoId: repo.id, buildNumber: '71', carryforward: undefined, at: T0 }),
      ).toBeUndefined();
      expect(await store.outbox.nextDueAt()).toBeUndefined();
    });
  });

  describe('deliveries of a removed repo', () => {
    it('go, but for contexts that are open: those are to end as error', async () => {
      const contexts = ['delivered', 'pending', 'outdated', 'undelivered'];
      const first = await announce([
        say(status('success'), 'delivered'),
        say(status('pending'), 'pending'),
        say(status('pending'), 'outdated'),
      ]);
      for (const record of await claim(T0)) await arrive(record);
      await announce(
        [say(status('success'), 'outdated'), say(status('success'), 'undelivered'), comment('Hello', 5), check(3)],
        '72',
      );
      expect(await subject.store.outbox.ofBuild(first)).toHaveLength(contexts.length + 2);
      await remove(first.repoId);
      const left = await subject.store.outbox.ofBuild(first);
      expect(left.map(({ target }) => target.kind === 'status' && target.context)).toEqual([
        'outdated',
        'pending',
        'undelivered',
      ]);
      for (const record of left) {
        expect(record).toMatchObject({
          wanted: { content: END },
          repoRemoved: true,
          service: 'github',
          repoName: 'octo/parser',
        });
        expect(record.nextAttemptAt).toBe(T0 + MINUTE);
      }
      expect(left.map(({ wanted }) => wanted.version)).toEqual([3, 2, 2]);
    });

    it('go when delivered', async () => {
      const build = await announce([say(status('pending'))]);
      await remove(build.repoId);
      const [record] = await claim(T0 + MINUTE);
      expect(record?.wanted.content).toEqual(END);
      expect(await arrive(record as Delivery)).toBeUndefined();
      expect(await subject.store.outbox.ofBuild(build)).toEqual([]);
    });

    it('stay while an older version arrives', async () => {
      const build = await announce([say(status('pending'))]);
      const [before] = await claim(T0);
      await remove(build.repoId);
      expect(await claim(T0 + MINUTE - 1)).toEqual([]);
      expect(await arrive(before as Delivery)).toMatchObject({
        delivered: { version: 1 },
        wanted: { version: 2, content: END },
      });
      const [after] = await claim(T0 + MINUTE);
      expect(after).toMatchObject({ wanted: { version: 2 }, repoRemoved: true });
    });

    it('go when refused for good, unless the refusal was of an older version', async () => {
      const { outbox } = subject.store;
      const build = await announce([say(status('pending'))]);
      const [before] = await claim(T0);
      await remove(build.repoId);
      await outbox.giveUp({ id: before?.id ?? 0, version: 1, reason: 'No access.' });
      const [after] = await claim(T0 + MINUTE);
      expect(after).toMatchObject({ wanted: { version: 2, content: END } });
      expect(after?.parked).toBeUndefined();
      await outbox.giveUp({ id: before?.id ?? 0, version: 2, reason: 'No access.' });
      expect(await outbox.ofBuild(build)).toEqual([]);
    });

    it('are tried again where they were parked', async () => {
      const build = await announce([say(status('pending'))]);
      const [before] = await claim(T0);
      await subject.store.outbox.giveUp({ id: before?.id ?? 0, version: 1, reason: 'No access.' });
      await remove(build.repoId);
      expect(await claim(T0 + MINUTE)).toMatchObject([{ wanted: { content: END }, attempts: 1 }]);
    });
  });
}
