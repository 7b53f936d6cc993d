import { describe, expect, it } from 'vitest';
import { accept, close, comment, putRepo, SHA, say, speakerOf, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const RUN = { id: '4711', number: '71', headCommit: SHA };
const OF_FORK = { serviceNumber: '4711', pullRequest: 5, trust: 'run', vouchedRun: RUN } as const;
const OF_PULL = { serviceNumber: '4711', pullRequest: 5 };

/** Rule 29: what unverified runs bring is kept apart. */
export function describeForkRuns(subject: Subject): void {
  describe('unverified runs (rule 29)', () => {
    it('share no build with trusted jobs, no matter which comes first', async () => {
      const { store } = subject;
      for (const [one, other] of [
        [OF_FORK, OF_PULL],
        [OF_PULL, OF_FORK],
      ] as const) {
        const repo = await putRepo(store, { name: `octo/${one.pullRequest}-${'trust' in one}` });
        const first = (await accept(store, repo.id, one)).build;
        const second = (await accept(store, repo.id, other)).build;
        expect(second.id).not.toBe(first.id);
        expect((await accept(store, repo.id, { ...one, flag: 'more' })).build).toMatchObject({ id: first.id, jobs: 2 });
        expect(await store.builds.find(second.id)).toEqual(second);
      }
    });

    it('share none either where both come at once', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const jobs = [OF_FORK, OF_PULL, OF_FORK, OF_PULL].map((stated, index) =>
        accept(store, repo.id, { ...stated, flag: `flag-${index}` }),
      );
      const [a, b, c, d] = (await Promise.all(jobs)).map(({ build }) => build);
      expect([a?.id === c?.id, b?.id === d?.id, a?.id === b?.id]).toEqual([true, true, false]);
      expect([a?.trust, b?.trust]).toEqual(['run', 'secret']);
    });

    it('of a signed run are kept so, apart from a token’s, until the host shows it', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const run = { ...OF_PULL, trust: 'provider', vouchedRun: { ...RUN, unconfirmed: true } } as const;
      const trusted = (await accept(store, repo.id, OF_PULL)).build;
      const { build } = await accept(store, repo.id, run);
      expect(build.id).not.toBe(trusted.id);
      const kept = { trust: 'run', runCheck: { run: 'unknown', trust: 'provider' }, vouchedRun: run.vouchedRun };
      expect(await store.builds.find(build.id)).toMatchObject(kept);
      expect((await accept(store, repo.id, { ...run, flag: 'more' })).build).toMatchObject({ id: build.id, jobs: 2 });
      await store.builds.revise({ buildId: build.id, revision: { kind: 'origin', origin: { kind: 'own' } } });
      const found = await store.builds.find(build.id);
      expect([found?.trust, found?.runCheck]).toEqual(['provider', undefined]);
    });

    it('close their own builds alone, by their number', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const request = { repoId: repo.id, carryforward: undefined, vouchedRun: RUN, unverified: true, at: T0 };
      const trusted = (await accept(store, repo.id, OF_PULL)).build;
      expect(await store.builds.requestClose({ ...request, buildNumber: '4711' })).toBeUndefined();
      expect(await store.builds.requestClose({ ...request, buildNumber: undefined })).toBeUndefined();
      const fork = (await accept(store, repo.id, OF_FORK)).build;
      expect((await store.builds.requestClose({ ...request, buildNumber: '4711' }))?.id).toBe(fork.id);
      expect(await store.builds.find(trusted.id)).toEqual(trusted);
    });

    it('take no close of a token’s that means another build or none', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const request = { repoId: repo.id, carryforward: undefined, at: T0 };
      const trusted = (await accept(store, repo.id, OF_PULL)).build;
      const fork = (await accept(store, repo.id, { ...OF_FORK, serviceJobId: '1001' })).build;
      expect((await store.builds.requestClose({ ...request, buildNumber: '4711' }))?.id).toBe(trusted.id);
      const other = await putRepo(store, { name: 'octo/other' });
      await accept(store, other.id, OF_FORK);
      expect(await store.builds.requestClose({ ...request, repoId: other.id, buildNumber: undefined })).toBeUndefined();
      expect(await store.builds.find(fork.id)).toEqual(fork);
    });

    it('have neither a context nor a comment beside a trusted build of the commit', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const trusted = (await accept(store, repo.id, OF_PULL)).build;
      const fork = (await accept(store, repo.id, OF_FORK)).build;
      const target = { target: SHA };
      for (const [build, text] of [
        [fork, 'of the fork'],
        [trusted, 'trusted'],
        [fork, 'of the fork again'],
      ] as const) {
        const now = (await store.builds.find(build.id)) ?? build;
        const messages = [say(status('success', text)), comment(text, 5)];
        await close(store, now, { ...target, messages, statusOwner: { ...speakerOf(now), ...target } });
      }
      const wanted = await store.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: 5 });
      expect(wanted.map(({ statusOwner }) => statusOwner.buildId)).toEqual([trusted.id, trusted.id]);
    });
  });
}
