import { describe, expect, it } from 'vitest';
import type { Delivery, Message } from '../../server/src/core/announce/delivery.ts';
import type { Build } from '../../server/src/core/builds/build.ts';
import { accept, check, close, comment, hex, MINUTE, putRepo, SECOND, SHA, say, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeOutbox(subject: Subject): void {
  const claim = (at: number, limit = 10) => subject.store.outbox.claim({ at: subject.itIs(at), lease: MINUTE, limit });

  const putMessages = async (messages: readonly Message[], at = T0): Promise<Build> => {
    const repo = (await subject.store.repos.findByName('github', 'octo/parser')) ?? (await putRepo(subject.store));
    const { build } = await accept(subject.store, repo.id, { pullRequest: 5 });
    return close(subject.store, build, { messages, target: SHA, at });
  };
  const only = (records: readonly Delivery[]): Delivery => {
    expect(records).toHaveLength(1);
    return records[0] as Delivery;
  };
  const arrive = ({ id, wanted }: Delivery, commentId?: number) =>
    subject.store.outbox.delivered({ id, ...wanted, commentId, at: T0 + SECOND });

  describe('outbox', () => {
    it('hands out what is wanted once its time has come, and leases it', async () => {
      const { outbox } = subject.store;
      expect(await outbox.nextDueAt()).toBeUndefined();
      await putMessages([say(status('success'))], T0 + 5);
      expect(await outbox.nextDueAt()).toBe(T0 + 5);
      expect(await claim(T0 + 4)).toEqual([]);
      const record = only(await claim(T0 + 5));
      expect(record).toMatchObject({
        wanted: { version: 1, content: status('success') },
        uncertain: false,
        attempts: 1,
      });
      expect(await claim(T0 + 5 + MINUTE - 1)).toEqual([]);
      expect(await outbox.nextDueAt()).toBe(T0 + 5 + MINUTE);
    });

    it('hands each record to one of several workers, longest due first', async () => {
      await putMessages([say(status('success'), 'b')], T0 + 2);
      await putMessages([say(status('success'), 'a'), say(status('success'), 'c')], T0 + 1);
      const claims = await Promise.all([claim(T0 + 9, 2), claim(T0 + 9, 2), claim(T0 + 9, 2)]);
      const contexts = claims.map((records) =>
        records.map(({ target }) => (target.kind === 'status' ? target.context : '')),
      );
      expect(contexts).toEqual([['a', 'c'], ['b'], []]);
    });

    it('hands out repo by repo in turn, where more is due than may be taken', async () => {
      const { store } = subject;
      const owners = new Map<number, string>();
      for (const [name, count] of Object.entries({ many: 5, few: 2, one: 1 })) {
        const { id } = await putRepo(store, { name: `octo/${name}` });
        owners.set(id, name);
        const { build } = await accept(store, id);
        const messages = Array.from({ length: count }, (_, index) => say(status('success'), `${name} ${index}`));
        await close(store, build, { messages, target: SHA, at: T0 });
      }
      const next = async (limit: number) => (await claim(T0, limit)).map(({ repoId }) => owners.get(repoId));
      expect(await next(4)).toEqual(['many', 'few', 'one', 'many']);
      expect(await next(2)).toEqual(['few', 'many']);
      expect(await next(4)).toEqual(['many', 'many']);
    });

    it('is uncertain after a claim that nobody ended, and says so at the next', async () => {
      const { outbox } = subject.store;
      const build = await putMessages([say(status('success'))]);
      expect(only(await claim(T0)).uncertain).toBe(false);
      expect(only(await outbox.ofBuild(build)).uncertain).toBe(true);
      expect(only(await claim(T0 + MINUTE))).toMatchObject({ uncertain: true, attempts: 2 });
      await outbox.voidLeases();
      expect(only(await claim(T0 + MINUTE))).toMatchObject({ uncertain: true, attempts: 3 });
    });

    it('keeps what was delivered and is done', async () => {
      const { outbox } = subject.store;
      const build = await putMessages([comment('Hello', 5)]);
      const claimed = only(await claim(T0));
      const record = await arrive(claimed, 4711);
      expect(record).toMatchObject({ uncertain: false, attempts: 0, commentId: 4711 });
      expect(record?.delivered).toEqual({ ...claimed.wanted, at: T0 + SECOND });
      expect(await outbox.ofBuild(build)).toEqual([record]);
      expect(await outbox.nextDueAt()).toBeUndefined();
      expect(await claim(T0 + 99 * MINUTE)).toEqual([]);
      expect(
        await outbox.delivered({
          ...claimed,
          id: 99,
          version: 1,
          content: claimed.wanted.content,
          commentId: 1,
          at: T0,
        }),
      ).toBeUndefined();
    });

    it('keeps which check run shows what was delivered, until another one does', async () => {
      const { outbox } = subject.store;
      const build = await putMessages([check(3)]);
      const first = only(await claim(T0));
      const arrived = await outbox.delivered({
        id: first.id,
        ...first.wanted,
        commentId: undefined,
        checkRunId: 26,
        at: T0,
      });
      expect(arrived?.delivered).toEqual({ ...first.wanted, checkRunId: 26, at: T0 });
      await putMessages([check(4)], T0 + 1);
      const second = only(await claim(T0 + 1));
      expect(second).toMatchObject({ id: first.id, wanted: { version: 2 }, delivered: { version: 1, checkRunId: 26 } });
      await outbox.delivered({ id: first.id, ...second.wanted, commentId: undefined, checkRunId: 27, at: T0 });
      await putMessages([check(3)], T0 + 2);
      await putMessages([check(4)], T0 + 3);
      // Nothing is sent where the same is wanted again, so no check run is named then.
      const third = only(await claim(T0 + 3));
      await outbox.delivered({ id: first.id, ...third.wanted, commentId: undefined, at: T0 });
      expect(only(await outbox.ofBuild(build)).delivered).toMatchObject({ version: 4, checkRunId: 27 });
    });

    it('delivers again when something newer was wanted in the meantime, and keeps what arrived', async () => {
      await putMessages([comment('one', 5)]);
      const claimed = only(await claim(T0));
      await putMessages([comment('two', 5)], T0 + 1);
      expect(await claim(T0 + 1)).toEqual([]);
      const record = await arrive(claimed, 4711);
      expect(record).toMatchObject({ wanted: { version: 2, content: { body: 'two' } } });
      expect(record).toMatchObject({ delivered: { version: 1, content: { body: 'one' } }, commentId: 4711 });
      const next = only(await claim(T0 + 1));
      expect(next).toMatchObject({ wanted: { version: 2 }, uncertain: false, attempts: 1, commentId: 4711 });
      expect(await arrive(next)).toMatchObject({
        delivered: { version: 2, content: { body: 'two' } },
        commentId: 4711,
      });
    });

    it('ignores the arrival of an older version after a newer', async () => {
      const build = await putMessages([say(status('pending'))]);
      const old = only(await claim(T0));
      await putMessages([say(status('success'))], T0 + 1);
      const newer = only(await claim(T0 + MINUTE));
      const done = await arrive(newer);
      expect(await arrive(old)).toEqual(done);
      expect(await subject.store.outbox.ofBuild(build)).toEqual([done]);
    });

    it('tries again later, certain or not', async () => {
      const { outbox } = subject.store;
      await putMessages([comment('Hello', 5)]);
      const { id } = only(await claim(T0));
      await outbox.retry({ id, at: T0 + 9, uncertain: true, commentId: undefined });
      expect(await outbox.nextDueAt()).toBe(T0 + 9);
      expect(await claim(T0 + 8)).toEqual([]);
      expect(only(await claim(T0 + 9))).toMatchObject({ uncertain: true, attempts: 2 });
      await outbox.retry({ id, at: T0 + 10, uncertain: false, commentId: 4711 });
      expect(only(await claim(T0 + 10))).toMatchObject({ uncertain: false, attempts: 3, commentId: 4711 });
      await outbox.retry({ id: 99, at: T0, uncertain: false, commentId: undefined });
    });

    it('gives up what was refused, until it is tried again', async () => {
      const { outbox } = subject.store;
      const build = await putMessages([say(status('success'))]);
      const { id } = only(await claim(T0));
      await outbox.giveUp({ id, version: 1, reason: 'No access.' });
      expect(only(await outbox.ofBuild(build))).toMatchObject({ parked: 'No access.', uncertain: false });
      expect(await outbox.listGivenUp(5)).toEqual(await outbox.ofBuild(build));
      expect(await outbox.nextDueAt()).toBeUndefined();
      expect(await claim(T0 + 99 * MINUTE)).toEqual([]);
      await outbox.resume(T0 + 7);
      expect(await outbox.listGivenUp(5)).toEqual([]);
      expect(await outbox.nextDueAt()).toBe(T0 + 7);
      const again = only(await claim(T0 + 7));
      expect(again).toMatchObject({ id, attempts: 1 });
      expect(again.parked).toBeUndefined();
      await outbox.giveUp({ id: 99, version: 1, reason: 'gone' });
    });

    it('tries again what is parked of one repo, and leaves others alone', async () => {
      const { outbox, repos } = subject.store;
      await putMessages([say(status('success')), say(status('success'), 'b')]);
      const other = await putRepo(subject.store, { name: 'octo/other' });
      const { build } = await accept(subject.store, other.id);
      await close(subject.store, build, { messages: [say(status('success'))], target: SHA });
      const claimed = await claim(T0);
      for (const { id } of claimed) await outbox.giveUp({ id, version: 1, reason: 'No access.' });
      await outbox.resume(T0 + 7, other.id);
      expect((await claim(T0 + 99)).map(({ repoId }) => repoId)).toEqual([other.id]);
      await outbox.resume(T0 + 7, (await repos.findByName('github', 'octo/parser'))?.id ?? 0);
      expect(await claim(T0 + 99)).toHaveLength(2);
      await outbox.resume(T0, 99);
    });

    it('tries a parked place again when something else is wanted there', async () => {
      const { outbox } = subject.store;
      await putMessages([say(status('pending'))]);
      const { id } = only(await claim(T0));
      await outbox.giveUp({ id, version: 1, reason: 'No access.' });
      await putMessages([say(status('success'))], T0 + 1);
      const again = only(await claim(T0 + 1));
      expect(again).toMatchObject({ id, wanted: { version: 2 } });
      expect(again.parked).toBeUndefined();
    });

    it('gives nothing up when something newer is wanted by now', async () => {
      const { outbox } = subject.store;
      await putMessages([say(status('pending'))]);
      const { id } = only(await claim(T0));
      await putMessages([say(status('success'))], T0 + 1);
      await outbox.giveUp({ id, version: 1, reason: 'No access.' });
      expect(only(await claim(T0 + 1))).toMatchObject({ id, wanted: { version: 2 }, uncertain: false });
    });

    it('lists the records of a commit by context, its check run, then the comment', async () => {
      const messages = [
        say(status('success'), 'coverage'),
        comment('Hello', 5),
        check(3),
        say(status('success'), 'coverage (a)'),
      ];
      const build = await putMessages([
        ...messages,
        say(status('success'), 'coverage', hex(9)),
        check(3, { commit: hex(9) }),
      ]);
      const list = async (part: Partial<Build>) =>
        (await subject.store.outbox.ofBuild({ ...build, ...part })).map(({ target }) =>
          target.kind === 'status' ? target.context : target.kind,
        );
      expect(await list({})).toEqual(['coverage', 'coverage (a)', 'check', 'comment']);
      expect(await list({ target: undefined })).toEqual(['comment']);
      expect(await list({ pullRequest: undefined })).toEqual(['coverage', 'coverage (a)', 'check']);
      expect(await list({ repoId: 99 })).toEqual([]);
    });
  });
}
