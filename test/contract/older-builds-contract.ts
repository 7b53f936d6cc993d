import { describe, expect, it } from 'vitest';
import { storedOf } from '../../server/src/compose/services.ts';
import type { Imported } from '../../server/src/core/builds/imported.ts';
import { type PastBuild, pastBuild, pastJobFacts } from '../../server/src/core/builds/imported-build.ts';
import { reviseBuild } from '../../server/src/core/builds/revise-build.ts';
import { NO_TOTALS } from '../../server/src/core/coverage/totals.ts';
import type { Retention } from '../../server/src/core/repo/retention.ts';
import { expiredBuilds } from '../../server/src/operations/expired-builds.ts';
import type { OlderBuild } from '../../server/src/storage/repo-transfers.ts';
import { bytes, hex, putClosed, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const DAY = 86_400_000;
const TOTALS = { coveredLines: 3, relevantLines: 4, coveredBranches: 0, branches: 0 };

/** Builds of the past, which another service had. */
export function describeOlderBuilds(subject: Subject): void {
  const older = (number: number, stated: Partial<Imported> = {}): OlderBuild => {
    const imported = { from: 'codecov', at: T0, detail: 'counts', shown: 70, ...stated } as const;
    const past: PastBuild = {
      commit: hex(number, 40),
      branch: 'main',
      at: T0 - number * DAY,
      message: 'Change',
      author: 'Mona',
    };
    const totals = imported.detail === 'percentage' ? NO_TOTALS : TOTALS;
    if (imported.detail !== 'lines')
      return {
        build: pastBuild(past, imported, { jobs: [], composed: { totals, files: 0, flags: [] } }),
        jobs: [],
        report: undefined,
      };
    const job = {
      facts: pastJobFacts(past, 'codecov', 'unit'),
      totals,
      files: 1,
      contentDigest: hex(number, 64),
      warnings: [],
      createdAt: past.at,
    };
    const flags = [{ name: 'unit', kind: 'uploaded', totals } as const];
    const build = pastBuild(past, imported, { jobs: [job], composed: { totals, files: 1, flags } });
    return { build, jobs: [{ job, report: bytes(`job of ${number}`) }], report: bytes(`merged ${number}`) };
  };

  describe('builds older than all', () => {
    it('go down from 0, with all that belongs to them, and own ones go on from where they were', async () => {
      const { store } = subject;
      const { transfers, builds, jobs } = store;
      const repo = await putRepo(store);
      const own = await putClosed(store, repo.id);
      expect(await transfers.addOlder(repo.id, [older(1, { detail: 'lines' }), older(2)])).toBe(true);
      expect(await transfers.addOlder(repo.id, [older(3, { detail: 'percentage' })])).toBe(true);
      const page = { repoId: repo.id, branch: undefined, offset: 0, limit: 9 };
      const { builds: listed, total } = await builds.list(page);
      expect(total).toBe(4);
      expect(listed.map(({ sequence, commit }) => [sequence, commit])).toEqual([
        [own.sequence, own.commit],
        [0, hex(1, 40)],
        [-1, hex(2, 40)],
        [-2, hex(3, 40)],
      ]);
      const newest = listed[1];
      expect(await builds.report(newest?.id ?? 0)).toEqual(bytes('merged 1'));
      const ofNewest = await jobs.ofBuild(newest?.id ?? 0);
      expect(ofNewest).toMatchObject([{ number: 1, facts: { flag: 'unit' } }]);
      expect(newest?.result?.countedJobs).toEqual(ofNewest.map(({ id }) => id));
      expect(await jobs.reports(ofNewest.map(({ id }) => id))).toEqual([bytes('job of 1')]);
      expect(await builds.nextDueAt()).toBeUndefined();
      expect((await putClosed(store, repo.id, { serviceNumber: '900', commit: hex(900, 40) })).sequence).toBe(
        own.sequence + 1,
      );
      await store.sweep();
      expect((await builds.list(page)).total).toBe(5);
    });

    it('are bases where there are counts, carry flags where there are lines, and are points of the trend', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await store.transfers.addOlder(repo.id, [
        older(1, { detail: 'percentage', shown: 81.5 }),
        older(2, { detail: 'counts' }),
        older(3, { detail: 'lines' }),
      ]);
      const query = { repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 9 };
      const commits = (found: readonly { readonly commit?: string | undefined }[]) => found.map(({ commit }) => commit);
      expect(commits(await store.builds.bases(query))).toEqual([hex(2, 40), hex(3, 40)]);
      expect(commits(await store.builds.withFlag({ ...query, flag: 'unit' }))).toEqual([hex(3, 40)]);
      expect(commits(await store.builds.ofCommit(repo.id, hex(2, 40)))).toEqual([hex(2, 40)]);
      const bounds = [T0 - 4 * DAY, T0 - 2.5 * DAY, T0 - 1.5 * DAY, T0];
      const [points] = await store.views.trends({ series: [{ repoId: repo.id, branch: 'main' }], bounds });
      expect(points?.map(({ commit, imported }) => [commit, imported?.detail, imported?.shown])).toEqual([
        [hex(3, 40), 'lines', 70],
        [hex(2, 40), 'counts', 70],
        [hex(1, 40), 'percentage', 81.5],
      ]);
    });

    it('stay as they are: nothing closes, joins or revisits them', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await store.transfers.addOlder(repo.id, [older(1)]);
      const [build] = await store.builds.ofCommit(repo.id, hex(1, 40));
      if (build === undefined) throw new Error('no build');
      expect(reviseBuild(build, { kind: 'revisit', at: T0, forget: true })).toBe(build);
      const named = { repoId: repo.id, buildNumber: build.number, at: T0 };
      expect(await store.builds.requestRerun(named)).toBeUndefined();
      expect(await store.builds.requestClose({ ...named, carryforward: 'all' })).toBeUndefined();
    });

    it('count for retention from their import, and take no place of newer builds', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const own = await putClosed(store, repo.id, { branch: 'topic' });
      await store.transfers.addOlder(repo.id, [older(200), older(300), older(400)]);
      const expired = async (retention: Retention, now: number) => {
        const clock = { now: () => now };
        const unverifiedRetention = { perRepo: undefined, perPull: undefined };
        const found: number[] = [];
        const config = { retention, unverifiedRetention };
        const services = { ...storedOf(store), clock, config, turn: async () => {} };
        for await (const { id } of expiredBuilds(services, repo)) found.push(id);
        return found;
      };
      expect(await expired({ days: 90, builds: 1 }, T0 + 89 * DAY)).toEqual([]);
      // The newest of a branch stays in any case: the next verdict is made of it.
      expect(await expired({ days: 90, builds: undefined }, T0 + 91 * DAY)).toHaveLength(2);
      expect(await expired({ days: 90, builds: undefined }, T0 + 91 * DAY)).not.toContain(own.id);
    });

    it('are not added to a repo that is gone', async () => {
      const repo = await putRepo(subject.store);
      await subject.store.repos.remove({ repoId: repo.id, description: 'gone', at: T0 });
      expect(await subject.store.transfers.addOlder(repo.id, [older(1)])).toBe(false);
    });
  });
}
