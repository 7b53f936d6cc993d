import { describe, expect, it } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { accept, close, hex, putClosed, putRepo, result, SHA, say, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeReruns(subject: Subject): void {
  describe('a rerun', () => {
    const ask = (repoId: number, buildNumber = '71', at = T0 + 1): Promise<Build | undefined> =>
      subject.store.builds.requestRerun({ repoId, buildNumber, at });

    it('makes a closed build due again, with its last result and what closed it', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id, { branch: 'main' }, { closedBy: 'deadline' });
      const asked = await ask(repo.id);
      expect(asked).toEqual({
        ...closed,
        state: 'open',
        due: [{ kind: 'close', by: 'deadline', at: T0 + 1 }],
        revision: closed.revision + 1,
      });
      expect(await store.builds.find(closed.id)).toEqual(asked);
      expect(await store.builds.nextDueAt()).toBe(T0 + 1);
      expect(
        await store.builds.closed({ repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 1 }),
      ).toEqual([asked]);
      expect(await ask(repo.id, '71', T0 + 2), 'asked twice').toEqual(asked);
    });

    it('refuses a close by a worker that read the build before', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id);
      await ask(repo.id);
      await expect(close(store, closed)).rejects.toThrow('moved on');
    });

    it('means only a build of the run that was vouched for, and so does a close (rule 29)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const run = { id: '900', number: undefined, headCommit: hex(900) };
      const own = await putClosed(store, repo.id, { commit: hex(900), vouchedRun: run, serviceNumber: '900' });
      expect((await store.builds.find(own.id))?.vouchedRun?.id).toBe('900');
      const other = await putClosed(store, repo.id, { commit: hex(901), serviceNumber: '900' });
      const asked = { repoId: repo.id, buildNumber: '900', at: T0 + 1 };
      expect((await ask(repo.id, '900'))?.id).toBe(other.id);
      expect((await store.builds.requestRerun({ ...asked, vouchedRun: run }))?.id).toBe(own.id);
      const close = { ...asked, carryforward: undefined };
      expect((await store.builds.requestClose({ ...close, vouchedRun: run }))?.id).toBe(own.id);
      const stranger = { ...run, id: '901', headCommit: hex(902) };
      expect(await store.builds.requestClose({ ...close, vouchedRun: stranger })).toBeUndefined();
    });

    it('means the newest closed build of that number, job id or own number, never another repo’s', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      await putClosed(store, repo.id, { commit: hex(1) });
      const newest = await putClosed(store, repo.id, { commit: hex(2) });
      await accept(store, repo.id, { commit: hex(3) });
      const byJob = await putClosed(store, repo.id, { serviceNumber: '9', serviceJobId: 'run-9', commit: hex(4) });
      const own = await putClosed(store, repo.id, { serviceNumber: undefined, commit: hex(5) });
      expect((await ask(repo.id))?.id).toBe(newest.id);
      expect((await ask(repo.id, 'run-9'))?.id).toBe(byJob.id);
      expect((await ask(repo.id, own.number))?.id).toBe(own.id);
      expect(await ask(repo.id, '4711')).toBeUndefined();
      expect(await ask(other.id)).toBeUndefined();
    });

    it('changes nothing in a build that never closed', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      expect(await ask(repo.id)).toEqual(build);
      expect(await store.builds.find(build.id)).toEqual(build);
    });

    it('tries again what was given up of its own build’s announcements, and no others', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const place = { commit: hex(9) };
      const { build } = await accept(store, repo.id, place);
      await close(store, build, { target: SHA, messages: [say(status('success')), say(status('failure'), 'lint')] });
      const { build: rival } = await accept(store, repo.id, { ...place, serviceNumber: '72' });
      await close(store, rival, { target: SHA, messages: [say(status('error'), 'e2e')], result: result() });
      for (const record of await store.outbox.claim({ at: subject.itIs(T0), lease: 1_000, limit: 10 })) {
        if (record.target.kind === 'status' && record.target.context === 'lint') {
          const { version, content } = record.wanted;
          await store.outbox.delivered({ id: record.id, version, content, commentId: undefined, at: T0 });
        } else {
          await store.outbox.giveUp({ id: record.id, version: record.wanted.version, reason: 'refused' });
        }
      }
      await ask(repo.id);
      const records = await store.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: undefined });
      expect(records.map(({ target, parked }) => [target.kind === 'status' && target.context, parked])).toEqual([
        ['coverage', undefined],
        ['e2e', 'refused'],
        ['lint', undefined],
      ]);
      const due = await store.outbox.claim({ at: subject.itIs(T0 + 1), lease: 1_000, limit: 10 });
      expect(due.map(({ target }) => target)).toEqual([{ kind: 'status', commit: SHA, context: 'coverage' }]);
    });
  });
}
