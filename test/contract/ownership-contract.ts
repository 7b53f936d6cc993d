import { describe, expect, it } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import { someOf } from '../support/property-runs.ts';
import { accept, check, close, comment, hex, MINUTE, pendingPost, putRepo, SHA, say, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

/** Builds of one commit, each weaker than the one after it (rule 24). */
const OWNERS: readonly Partial<JobFacts>[] = [
  { serviceNumber: '1', trust: 'run', pullRequest: 5 },
  { serviceNumber: '2' },
  { serviceNumber: '3', trust: 'provider' },
  { serviceNumber: '4', pullRequest: 5 },
];

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]));
}

export function describeOwnership(subject: Subject): void {
  const ofCommit = (repoId: number, commit = SHA) =>
    subject.store.outbox.ofBuild({ repoId, target: commit, pullRequest: undefined });

  describe('ownership of a place (rule 24)', () => {
    it('does not depend on the order in which builds close', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      for (const [round, order] of someOf(permutations([0, 1, 2, 3])).entries()) {
        const commit = hex(round + 1);
        const builds: Build[] = [];
        for (const stated of OWNERS) builds.push((await accept(store, repo.id, { ...stated, commit })).build);
        for (const index of order) {
          await close(store, builds[index] as Build, {
            target: commit,
            messages: [say(status('success', `by ${index}`), 'coverage', commit)],
          });
        }
        const [record, ...others] = await ofCommit(repo.id, commit);
        expect(others).toEqual([]);
        expect(record).toMatchObject({
          statusOwner: { buildId: builds[3]?.id },
          wanted: { content: { description: 'by 3' } },
        });
      }
    });

    it('lets a build that lost the place say nothing more, nor delay what is wanted', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: weak } = await accept(store, repo.id, { serviceNumber: '1' });
      const { build: strong } = await accept(store, repo.id, { serviceNumber: '2' });
      await close(store, strong, { messages: [say(status('success'))], target: SHA, at: T0 });
      const [before] = await ofCommit(repo.id);
      await close(store, weak, { messages: [say(status('failure'))], target: SHA, at: T0 + MINUTE });
      expect(await ofCommit(repo.id)).toEqual([before]);
    });

    it('is one for contexts that differ in case; the first text stays (rule 22)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const messages = [
        say(status('success'), 'coverage (UI)'),
        say(status('failure'), 'coverage (ui)'),
        say(status('success'), 'coverage (e2e)'),
      ];
      await close(store, build, { target: SHA, messages });
      const records = await ofCommit(repo.id);
      expect(records.map(({ target }) => target.kind === 'status' && target.context)).toEqual([
        'coverage (e2e)',
        'coverage (UI)',
      ]);
      expect(records[1]?.wanted).toEqual({ version: 2, content: status('failure') });
    });

    it('is one for the check run of a commit, whatever its name became; the first text stays', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, { pullRequest: 5 });
      const { build: weak } = await accept(store, repo.id, { serviceNumber: '9' });
      const closed = await close(store, build, {
        target: SHA,
        messages: [check(3), say(status('success'), 'coverage annotations')],
      });
      await close(store, weak, { target: SHA, messages: [check(7)] });
      const { build: again } = await accept(store, repo.id, { pullRequest: 5 });
      expect(again.id).toBe(closed.id);
      await close(store, again, { messages: [check(4, { name: 'cov annotations' })] });
      const records = await ofCommit(repo.id);
      expect(records.map(({ target }) => target)).toEqual([
        { kind: 'status', commit: SHA, context: 'coverage annotations' },
        { kind: 'check', commit: SHA, name: 'coverage annotations' },
      ]);
      expect(records[1]?.wanted).toMatchObject({ version: 2, content: { title: 'line 4' } });
    });

    it('begins with something to mark; what is marked already may end', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const closed = await close(store, build, { target: SHA, messages: [check(undefined)] });
      expect(await ofCommit(repo.id)).toEqual([]);
      await accept(store, repo.id);
      for (const line of [3, undefined]) {
        const latest = await store.builds.find(closed.id);
        await close(store, latest as Build, { messages: [check(line)] });
      }
      expect((await ofCommit(repo.id))[0]?.wanted).toMatchObject({ version: 2, content: { title: 'line undefined' } });
    });

    it('is apart per repo, commit and pull request', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const checks = [check(3), check(3, { commit: hex(2) })];
      const all = [
        say(status('success')),
        say(status('success'), 'coverage', hex(2)),
        ...checks,
        comment('x', 5),
        comment('x', 6),
      ];
      for (const { id } of [repo, other]) {
        const { build } = await accept(store, id);
        await close(store, build, { target: SHA, messages: all });
      }
      expect(await store.outbox.claim({ at: subject.itIs(T0), lease: MINUTE, limit: 99 })).toHaveLength(12);
    });

    it('raises the version only when what is shown changes (rule 23)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const opened = await store.builds.postPending(
        pendingPost(build, { messages: [say(status('pending'))], target: SHA }),
      );
      const versions = [];
      let latest = opened as Build;
      for (const state of ['success', 'success', 'failure'] as const) {
        latest = await close(store, latest, { messages: [say(status(state))] });
        versions.push((await ofCommit(repo.id))[0]?.wanted.version);
        latest = (await accept(store, repo.id)).build;
      }
      expect(versions).toEqual([2, 2, 3]);
    });

    it('hands a place over without posting the same again', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: first } = await accept(store, repo.id, { serviceNumber: '1' });
      const { build: second } = await accept(store, repo.id, { serviceNumber: '2' });
      await close(store, first, { messages: [say(status('success'))], target: SHA });
      const [claimed] = await store.outbox.claim({ at: subject.itIs(T0), lease: MINUTE, limit: 1 });
      if (claimed === undefined) throw new Error('nothing to deliver');
      await store.outbox.delivered({ id: claimed.id, ...claimed.wanted, commentId: undefined, at: T0 });
      await close(store, second, { messages: [say(status('success'))], target: SHA });
      expect((await ofCommit(repo.id))[0]).toMatchObject({
        statusOwner: { buildId: second.id },
        wanted: { version: 1 },
      });
      expect(await store.outbox.nextDueAt()).toBeUndefined();
    });
  });
}
