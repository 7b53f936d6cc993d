import { describe, expect, it } from 'vitest';
import { markClosed } from '../../server/src/core/builds/close-due.ts';
import { findTask, withoutTasks } from '../../server/src/core/builds/due-tasks.ts';
import {
  accept,
  bytes,
  close,
  closing,
  comment,
  flag,
  hex,
  MINUTE,
  pendingPost,
  putClosed,
  putRepo,
  result,
  SHA,
  say,
  status,
  T0,
} from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeCloses(subject: Subject): void {
  describe('closing a build', () => {
    it('that cannot be merged keeps the report before, and is no base nor source of a flag', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id, { branch: 'main' }, { flags: [flag('unit')] });
      const query = { repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 5 } as const;
      expect(await store.builds.bases(query)).toEqual([closed]);
      const report = await store.builds.report(closed.id);
      expect(report).toBeDefined();
      const reason = { kind: 'cannot-merge', obstacle: { kind: 'damaged' } } as const;
      const verdict = { state: 'error', rule: 'cannot-merge', reason, provisional: false } as const;
      const refused = await close(store, closed, {
        result: result({ closeCount: 2, flags: [flag('unit')], verdict }),
        report: undefined,
      });
      expect(await store.builds.report(closed.id)).toEqual(report);
      expect(await store.builds.bases(query)).toEqual([]);
      expect(await store.builds.withFlag({ ...query, flag: 'unit' })).toEqual([]);
      expect(await store.builds.closed(query)).toEqual([refused]);
    });

    it('writes result, report and messages together', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, { pullRequest: 5 });
      const contexts = [{ context: 'coverage', flag: undefined }];
      const found = result({ flags: [flag('unit')], warnings: ['one'] });
      const messages = [say(status('success')), comment('All good', 5)];
      const change = {
        result: found,
        report: bytes('merged'),
        target: SHA,
        openedContexts: contexts,
        messages,
        at: T0 + 1,
      };
      const closed = await close(store, build, change);
      expect(closed).toEqual(markClosed(build, found, contexts, SHA));
      expect(await store.builds.find(build.id)).toEqual(closed);
      expect(await store.builds.report(build.id)).toEqual(bytes('merged'));
      const [first, second] = await store.outbox.ofBuild(closed);
      expect(first).toMatchObject({
        repoId: repo.id,
        service: 'github',
        repoName: 'octo/parser',
        target: messages[0]?.target,
        statusOwner: { buildId: build.id, sequence: 1, trust: 'secret', pullRequest: 5 },
        wanted: { version: 1, content: messages[0]?.content },
        uncertain: false,
        attempts: 0,
        nextAttemptAt: T0 + 1,
        repoRemoved: false,
      });
      expect(first?.delivered).toBeUndefined();
      expect(second).toMatchObject({
        target: { kind: 'comment', pullRequest: 5 },
        wanted: { content: { body: 'All good' } },
      });
    });

    it('writes pending statuses behind further jobs, and not behind what they or a close newly say', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const job = { serviceNumber: '7', parallel: true, commit: SHA } as const;
      const { build } = await accept(store, repo.id, job);
      const seen = (await store.builds.find(build.id)) ?? build;
      await accept(store, repo.id, { ...job, flag: 'unit' });
      const post = { target: SHA, messages: [say(status('pending'))] };
      const posted = await store.builds.postPending(pendingPost(seen, { ...post, seen }));
      expect(posted).toMatchObject({ revision: seen.revision + 2, jobs: 2, target: SHA });
      expect(posted?.due.map(({ kind }) => kind)).toEqual(['deadline']);
      const posts = await store.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: undefined });
      expect(posts).toHaveLength(1);

      const { build: other } = await accept(store, repo.id, { ...job, serviceNumber: '8' });
      const before = (await store.builds.find(other.id)) ?? other;
      const { build: named } = await accept(store, repo.id, { ...job, serviceNumber: '8', pullRequest: 5, flag: 'a' });
      expect(await store.builds.postPending(pendingPost(before, { ...post, seen: before }))).toBeUndefined();
      const pull = (await store.builds.find(other.id)) ?? named;
      await store.builds.requestClose({ repoId: repo.id, buildNumber: '8', carryforward: undefined, at: T0 });
      expect(await store.builds.postPending(pendingPost(pull, { ...post, seen: pull }))).toBeUndefined();
    });

    it('writes nothing when the build has moved on', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const { build: moved } = await accept(store, repo.id);
      const messages = [say(status('success'))];
      const outdated = closing(build, { messages, result: result({ flags: [flag('unit')] }), target: SHA });
      expect(await store.builds.close(outdated)).toBeUndefined();
      expect(await store.builds.postPending(pendingPost(build, { messages, target: SHA }))).toBeUndefined();
      expect(await store.builds.find(build.id)).toEqual(moved);
      expect(await store.builds.report(build.id)).toBeUndefined();
      expect(await store.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: undefined })).toEqual([]);
      expect(await store.outbox.nextDueAt()).toBeUndefined();
      const query = { repoId: repo.id, scope: 'repo', before: undefined, limit: 9 } as const;
      expect(await store.builds.withFlag({ ...query, flag: 'unit' })).toEqual([]);
      expect(await store.builds.close({ ...outdated, buildId: 99 })).toBeUndefined();
    });

    it('writes anyway what may stay behind; what came in the meantime is late (rule 12)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const { build: moved } = await accept(store, repo.id);
      const behind = { merged: build, late: MINUTE };
      const closed = await close(store, build, {
        behind,
        messages: [say(status('success'))],
        target: SHA,
        report: bytes('first'),
      });
      expect(closed).toMatchObject({
        state: 'open',
        jobs: 2,
        due: [{ kind: 'deadline', at: T0 + MINUTE }],
        result: { closedBy: 'job' },
      });
      expect(closed.revision).toBeGreaterThan(moved.revision);
      expect(await store.builds.find(build.id)).toEqual(closed);
      expect(await store.builds.report(build.id)).toEqual(bytes('first'));
      expect(await store.outbox.ofBuild(closed)).toHaveLength(1);
      expect(await store.builds.nextDueAt()).toBe(T0 + MINUTE);
      const settled = await close(store, closed, { behind: { merged: closed, late: MINUTE } });
      expect(settled).toMatchObject({ state: 'closed', due: [] });
    });

    it('lets one of several closes of the same revision win', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const tries = [1, 2, 3].map((n) => store.builds.close(closing(build, { report: bytes(`merge ${n}`) })));
      const won = (await Promise.all(tries)).map((closed) => closed !== undefined);
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.builds.report(build.id)).toEqual(bytes(`merge ${won.indexOf(true) + 1}`));
    });

    it('loses no job to a race of uploads and closes (rule 14)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const closeOnce = async () => {
        const now = await store.builds.find(build.id);
        const jobs = (await store.jobs.ofBuild(build.id)).map(({ id }) => id);
        return now && store.builds.close(closing(now, { result: result({ countedJobs: jobs }) }));
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 4 === 3 ? closeOnce() : accept(store, repo.id))));
      const last = await store.builds.find(build.id);
      expect(last?.jobs).toBe(16);
      if (last?.state === 'closed') expect(last.result?.countedJobs).toHaveLength(16);
      else expect((await closeOnce())?.result?.countedJobs).toHaveLength(16);
    });

    it('replaces report and flags with the next close', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const query = { repoId: repo.id, scope: 'repo', before: undefined, limit: 9 } as const;
      const closed = await putClosed(store, repo.id, {}, { flags: [flag('unit'), flag('old')] });
      const { build } = await accept(store, repo.id);
      expect(await store.builds.withFlag({ ...query, flag: 'old' })).toHaveLength(1);
      const again = await close(store, build, {
        result: result({ closeCount: 2, flags: [flag('unit')] }),
        report: bytes('second'),
      });
      expect(again.id).toBe(closed.id);
      expect(await store.builds.report(build.id)).toEqual(bytes('second'));
      expect(await store.builds.withFlag({ ...query, flag: 'old' })).toEqual([]);
      expect(await store.builds.withFlag({ ...query, flag: 'unit' })).toEqual([again]);
    });

    it('writes the pending statuses of a build (rule 23)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      expect(findTask(build.due, 'post-pending')).toBeDefined();
      const openedContexts = [{ context: 'coverage', flag: undefined }];
      const opened = await store.builds.postPending(
        pendingPost(build, { target: hex(8), openedContexts, messages: [say(status('pending'), 'coverage', hex(8))] }),
      );
      expect(opened).toMatchObject({
        due: withoutTasks(build.due, 'post-pending'),
        target: hex(8),
        openedContexts,
        revision: build.revision + 1,
      });
      expect(await store.builds.find(build.id)).toEqual(opened);
      expect(await store.outbox.ofBuild({ repoId: repo.id, target: hex(8), pullRequest: undefined })).toHaveLength(1);
    });
  });

  describe('a close request', () => {
    it('means the build of that service number, the newest open one first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: open } = await accept(store, repo.id, { commit: hex(1), branch: 'main' });
      await putClosed(store, repo.id, { commit: hex(2), branch: 'x' });
      const asked = await store.builds.requestClose({
        repoId: repo.id,
        buildNumber: '71',
        carryforward: ['unit'],
        at: T0 + 1,
      });
      expect(asked).toMatchObject({ id: open.id, carryforward: ['unit'] });
      expect(asked && findTask(asked.due, 'close')).toEqual({ kind: 'close', by: 'webhook', at: T0 + 1 });
      expect(asked?.namelessCloseAt).toBeUndefined();
      expect(await store.builds.find(open.id)).toEqual(asked);
      expect(await store.builds.nextDueAt()).toBe(T0);
    });

    it('means a job id, or the own number of a build without a service number', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const { build: byJob } = await accept(store, repo.id, { serviceJobId: 'run-9' });
      const { build: own } = await accept(store, repo.id, { serviceNumber: undefined, commit: hex(9) });
      const ask = (repoId: number, buildNumber: string) =>
        store.builds.requestClose({ repoId, buildNumber, carryforward: undefined, at: T0 });
      expect((await ask(repo.id, 'run-9'))?.id).toBe(byJob.id);
      expect((await ask(repo.id, '2'))?.id).toBe(own.id);
      expect(await ask(repo.id, '1')).toBeUndefined();
      expect(await ask(other.id, '71')).toBeUndefined();
    });

    it('changes nothing in a closed build', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id);
      const request = { repoId: repo.id, buildNumber: '71', carryforward: 'all', at: T0 + 1 } as const;
      expect(await store.builds.requestClose(request)).toEqual(closed);
      expect(await store.builds.find(closed.id)).toEqual(closed);
    });

    it('without a number means the newest open parallel build, those without a number first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const request = { repoId: repo.id, buildNumber: undefined, carryforward: undefined, at: T0 + 1 };
      expect(await store.builds.requestClose(request)).toBeUndefined();
      const { build: plain } = await accept(store, repo.id, { serviceNumber: undefined });
      for (let n = 0; n < 55; n += 1) await accept(store, repo.id, { serviceNumber: `${n}`, commit: hex(n + 1) });
      await accept(store, repo.id, { serviceNumber: undefined, parallel: false, commit: hex(2) });
      expect(await store.builds.requestClose(request)).toMatchObject({ id: plain.id, namelessCloseAt: T0 + 1 });
    });

    it('without a number, with none open, answers for the last one it closed within ten minutes', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const request = { repoId: repo.id, buildNumber: undefined, carryforward: undefined };
      await accept(store, repo.id);
      const asked = await store.builds.requestClose({ ...request, at: T0 });
      if (asked === undefined) throw new Error('no build');
      const closed = await close(store, asked);
      await putClosed(store, repo.id, { serviceNumber: '99', commit: hex(1) });
      expect(await store.builds.requestClose({ ...request, at: T0 + 10 * MINUTE })).toEqual(closed);
      expect(await store.builds.requestClose({ ...request, at: T0 + 10 * MINUTE + 1 })).toBeUndefined();
    });
  });
}
