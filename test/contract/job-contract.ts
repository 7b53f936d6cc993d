import { describe, expect, it } from 'vitest';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import { accept, bytes, close, hex, MINUTE, PERIODS, putClosed, putRepo, SHA, T0, upload } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeJobs(subject: Subject): void {
  describe('jobs', () => {
    it('opens a build with the first job and stores everything that was stated', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const authors = {
        authorName: 'Zoë "\'\u0000\u202e🦊',
        authorEmail: undefined,
        committerName: undefined,
        committerEmail: undefined,
      };
      const stated = {
        branch: "main'); DROP TABLE builds; --",
        authors,
        flag: '$where.unit',
        serviceJobId: '{"$gt":""}',
      };
      const { build, job, repeated } = await accept(store, repo.id, stated, { warnings: ['odd'], files: 7 });
      expect(repeated).toBe(false);
      expect(build).toMatchObject({
        repoId: repo.id,
        sequence: 1,
        number: '71',
        state: 'open',
        jobs: 1,
        branch: stated.branch,
        authors,
      });
      expect(job).toMatchObject({
        repoId: repo.id,
        buildId: build.id,
        number: 1,
        warnings: ['odd'],
        files: 7,
        createdAt: T0,
      });
      expect(job.facts).toMatchObject(stated);
      expect(await store.builds.find(build.id)).toEqual(build);
      expect(await store.jobs.find(job.id)).toEqual(job);
      expect(await store.jobs.find(99)).toBeUndefined();
      expect(await store.builds.find(99)).toBeUndefined();
    });

    it('stores nothing for a repo that is gone', async () => {
      const source = { digest: hex(1, 64), bytes: bytes('x') };
      expect(await subject.store.jobs.accept(upload(99, {}, { sources: [source] }))).toBeUndefined();
      expect(await subject.store.builds.findByCommit(SHA)).toEqual([]);
      expect(await subject.store.jobs.source(99, source.digest)).toBeUndefined();
    });

    it('lets jobs of one number and commit join, in order of arrival', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const first = await accept(store, repo.id);
      const second = await accept(store, repo.id, { branch: 'main', testedCommit: hex(7) }, { at: T0 + MINUTE });
      expect(second.build).toMatchObject({ id: first.build.id, jobs: 2, branch: 'main', testedCommit: hex(7) });
      expect(second.build.revision).toBeGreaterThan(first.build.revision);
      expect(findTask(second.build.due, 'deadline')?.at).toBe(T0 + MINUTE + PERIODS.quiet);
      expect(await store.jobs.ofBuild(first.build.id)).toEqual([first.job, second.job]);
      expect(await store.jobs.ofBuild(99)).toEqual([]);
    });

    it('lands concurrent jobs in one build, each with its own number', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const accepted = await Promise.all(Array.from({ length: 20 }, () => accept(store, repo.id)));
      const [buildId, ...others] = new Set(accepted.map(({ build }) => build.id));
      expect(others).toEqual([]);
      expect(await store.builds.find(buildId ?? 0)).toMatchObject({ jobs: 20, sequence: 1 });
      const numbers = (await store.jobs.ofBuild(buildId ?? 0)).map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    it('counts sequences per repo and shows them where a build states no number', async () => {
      const { store } = subject;
      const one = await putRepo(store);
      const two = await putRepo(store, { name: 'octo/two' });
      const builds = [];
      for (const repo of [one, two, one]) {
        builds.push((await accept(store, repo.id, { serviceNumber: undefined, parallel: false })).build);
      }
      expect(builds.map(({ sequence, number }) => [sequence, number])).toEqual([
        [1, '1'],
        [1, '1'],
        [2, '2'],
      ]);
    });

    it('never joins builds of different repos, numbers, commits of closed builds, or trust', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const { id } = await putClosed(store, repo.id);
      const stated = [{ serviceNumber: '72' }, { commit: hex(9) }, { trust: 'run' }] as const;
      const found = [(await accept(store, other.id)).build.id];
      for (const one of stated) found.push((await accept(store, repo.id, one)).build.id);
      expect(new Set([id, ...found]).size).toBe(5);
    });

    it('joins by commit among many builds of one number, the newest first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const builds = [];
      for (let n = 0; n < 60; n += 1)
        builds.push(await putClosed(store, repo.id, { commit: hex(n + 1), serviceNumber: '1' }));
      expect((await accept(store, repo.id, { commit: hex(3), serviceNumber: '1' })).build.id).toBe(builds[2]?.id);
      expect(
        (await accept(store, repo.id, { commit: hex(99), testedCommit: hex(5), serviceNumber: '1' })).build.id,
      ).toBe(builds[4]?.id);
    });

    it('joins without a number by job id and commit, or by service and commit', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const byId = { serviceNumber: undefined, serviceJobId: 'run-5' };
      const first = await accept(store, repo.id, byId);
      expect((await accept(store, repo.id, byId)).build.id).toBe(first.build.id);
      expect((await accept(store, repo.id, { ...byId, commit: hex(5) })).build.id).not.toBe(first.build.id);
      expect((await accept(store, repo.id, { ...byId, serviceName: 'other' })).build.id).not.toBe(first.build.id);
      const bare = { serviceNumber: undefined, commit: hex(6) };
      const third = await accept(store, repo.id, bare);
      expect((await accept(store, repo.id, bare)).build.id).toBe(third.build.id);
      const without = { serviceNumber: undefined, commit: undefined, serviceName: 'plain' };
      const fourth = await accept(store, repo.id, without);
      expect((await accept(store, repo.id, without)).build.id).toBe(fourth.build.id);
      const anonymous = { ...without, serviceJobId: 'x' };
      const fifth = await accept(store, repo.id, anonymous);
      expect((await accept(store, repo.id, anonymous)).build.id).toBe(fifth.build.id);
    });

    it('lands clients of one run that come at once in one build, with the number that one of them states', async () => {
      const { store } = subject;
      const clients: Partial<JobFacts>[] = [
        { serviceNumber: undefined, serviceName: 'python' },
        { serviceNumber: undefined, serviceJobId: '4711' },
        { serviceNumber: '4711', serviceJobId: '4711-test' },
        { serviceNumber: undefined, serviceName: 'node' },
      ];
      for (const order of [clients, clients.toReversed()]) {
        const repo = await putRepo(store, { name: `octo/${order[0]?.serviceName}` });
        const accepted = await Promise.all(order.map((facts) => accept(store, repo.id, facts)));
        const [id = 0, ...others] = new Set(accepted.map(({ build }) => build.id));
        expect(others).toEqual([]);
        expect(await store.builds.find(id)).toMatchObject({ jobs: 4, number: '4711', serviceNumber: '4711' });
        const closing = { repoId: repo.id, carryforward: undefined, at: T0 + MINUTE };
        expect((await store.builds.requestClose({ ...closing, buildNumber: '4711' }))?.id).toBe(id);
        expect(await store.builds.requestClose({ ...closing, buildNumber: '1' })).toBeUndefined();
      }
    });

    it('re-opens a closed build for a late job, which keeps its result (rule 12)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id);
      const late = await accept(store, repo.id, {}, { at: T0 + MINUTE });
      expect(late.build).toMatchObject({
        id: closed.id,
        state: 'open',
        jobs: 2,
        due: [{ kind: 'deadline', at: T0 + MINUTE + PERIODS.late }],
      });
      expect(late.build.result).toEqual(closed.result);
      expect(await store.builds.report(closed.id)).toEqual(bytes(`merged ${closed.id}`));
    });
  });

  describe('a repeated upload (rule 10)', () => {
    it('is stored once and answered with the first job', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id, { flag: 'unit' });
      const first = await store.jobs.accept(sent);
      const again = {
        ...sent,
        facts: { ...sent.facts, runAt: T0, jobUrl: 'https://ci.example/1' },
        at: T0 + 1,
        report: bytes('other'),
      };
      const repeats = await Promise.all([store.jobs.accept(again), store.jobs.accept(again)]);
      for (const repeat of repeats) expect(repeat).toEqual({ ...first, repeated: true });
      expect(await store.jobs.ofBuild(first?.build.id ?? 0)).toHaveLength(1);
      expect(await store.jobs.reports([first?.job.id ?? 0])).toEqual([sent.report]);
    });

    it('is another job under another flag', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id, { flag: 'unit' });
      await store.jobs.accept(sent);
      const other = await store.jobs.accept({ ...sent, facts: { ...sent.facts, flag: 'e2e' } });
      expect(other).toMatchObject({ repeated: false, job: { number: 2 } });
    });

    it('raises the attempt of the stored job and re-opens the build', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id);
      const first = await store.jobs.accept(sent);
      if (first === undefined) throw new Error('not accepted');
      await close(store, first.build);
      const rerun = await store.jobs.accept({ ...sent, facts: { ...sent.facts, serviceAttempt: 2 }, at: T0 + 1 });
      expect(rerun).toMatchObject({
        repeated: true,
        build: { state: 'open', attempt: 2, jobs: 1 },
        job: { id: first.job.id },
      });
      expect((await store.jobs.find(first.job.id))?.facts.serviceAttempt).toBe(2);
      expect(await store.builds.find(first.build.id)).toEqual(rerun?.build);
    });

    it('makes the close due that it asks for', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id);
      await store.jobs.accept(sent);
      const repeat = await store.jobs.accept({ ...sent, facts: { ...sent.facts, parallel: false }, at: T0 + 5 });
      expect(repeat).toMatchObject({
        repeated: true,
        build: { due: [{ kind: 'close', by: 'job', at: T0 + 5 }, {}, {}] },
      });
      expect(await store.builds.find(repeat?.build.id ?? 0)).toEqual(repeat?.build);
    });
  });

  describe('reports and sources', () => {
    it('answers reports in the order asked for, byte for byte', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const texts = [new Uint8Array(), Uint8Array.from({ length: 300_000 }, (_, n) => (n * 31) % 256), bytes('third')];
      const ids: number[] = [];
      for (const report of texts) ids.push((await accept(store, repo.id, {}, { report })).job.id);
      const [a = 0, b = 0, c = 0] = ids;
      const reports = await store.jobs.reports([c, a, b, a]);
      expect(reports.map((one) => Buffer.from(one).equals(Buffer.from(texts[2] ?? [])))).toEqual([
        true,
        false,
        false,
        false,
      ]);
      expect(Buffer.compare(Buffer.from(reports[2] ?? []), Buffer.from(texts[1] ?? []))).toBe(0);
      expect(reports[1]).toHaveLength(0);
      expect(await store.jobs.reports([])).toEqual([]);
      await expect(store.jobs.reports([a, 99])).rejects.toMatchObject({ name: 'Failure', code: 'not-found' });
    });

    it('keeps a source once per content and repo', async () => {
      const { store } = subject;
      const one = await putRepo(store);
      const two = await putRepo(store, { name: 'octo/two' });
      const source = { digest: hex(1, 64), bytes: bytes('first') };
      await accept(store, one.id, {}, { sources: [source, source, { digest: hex(2, 64), bytes: bytes('b') }] });
      await accept(store, one.id, {}, { sources: [{ ...source, bytes: bytes('same text, compressed otherwise') }] });
      expect(await store.jobs.source(one.id, source.digest)).toEqual(source);
      expect(await store.jobs.source(one.id, hex(2, 64))).toEqual({ digest: hex(2, 64), bytes: bytes('b') });
      expect(await store.jobs.source(two.id, source.digest)).toBeUndefined();
    });

    it('takes the sources of a repeated upload that had none before', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const sent = upload(repo.id);
      await store.jobs.accept(sent);
      const source = { digest: hex(3, 64), bytes: bytes('late source') };
      await store.jobs.accept({ ...sent, sources: [source] });
      expect(await store.jobs.source(repo.id, source.digest)).toEqual(source);
    });
  });
}
