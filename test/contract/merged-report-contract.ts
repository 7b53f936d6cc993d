import { describe, expect, it } from 'vitest';
import { accept, bytes, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeMergedReports(subject: Subject): void {
  describe('reports that were merged before somebody asked', () => {
    const openBuild = async (name = 'octo/parser'): Promise<{ repoId: number; buildId: number }> => {
      const { id: repoId } = await putRepo(subject.store, { name });
      return { repoId, buildId: (await accept(subject.store, repoId)).build.id };
    };
    const put = (buildId: number, jobs: readonly number[], text: string, flag?: string) =>
      subject.store.mergedReports.put({ buildId, flag, jobs, report: bytes(text) });
    const keysOf = async (buildId: number): Promise<readonly string[]> => {
      const found = await subject.store.mergedReports.ofBuild(buildId);
      return found.toSorted((a, b) => (a.jobs[0] ?? 0) - (b.jobs[0] ?? 0)).map(({ key }) => key);
    };

    it('are kept per build with their flag and jobs, and read in the order asked for', async () => {
      const { mergedReports } = subject.store;
      const { buildId } = await openBuild();
      const other = await openBuild('octo/other');
      await put(buildId, [1, 2], 'ab', '$ui.x');
      await put(buildId, [3, 4], 'cd');
      await put(other.buildId, [5], 'e');
      const found = await mergedReports.ofBuild(buildId);
      const [first = '', second = ''] = await keysOf(buildId);
      expect(found).toHaveLength(2);
      expect(found).toContainEqual({ key: first, flag: '$ui.x', jobs: [1, 2] });
      expect(found).toContainEqual({ key: second, flag: undefined, jobs: [3, 4] });
      expect(await mergedReports.read(buildId, [second, first])).toEqual([bytes('cd'), bytes('ab')]);
      expect(await mergedReports.read(buildId, [first, 'gone'])).toBeUndefined();
      expect(await mergedReports.read(other.buildId, [first])).toBeUndefined();
      expect(await mergedReports.read(buildId, [])).toEqual([]);
    });

    it('are there once, whichever instance merged the same jobs', async () => {
      const { buildId } = await openBuild();
      await Promise.all([put(buildId, [1, 2, 3], 'abc'), put(buildId, [3, 1, 2], 'abc')]);
      const [key = ''] = await keysOf(buildId);
      expect(await keysOf(buildId)).toEqual([key]);
      expect(await subject.store.mergedReports.read(buildId, [key])).toEqual([bytes('abc')]);
    });

    it('may be large, and are removed by their keys', async () => {
      const { mergedReports } = subject.store;
      const { buildId } = await openBuild();
      const large = new Uint8Array(9 * 2 ** 20).map((_, index) => index % 251);
      await mergedReports.put({ buildId, flag: undefined, jobs: [1, 2], report: large });
      await put(buildId, [3], 'c');
      const [first = '', second = ''] = await keysOf(buildId);
      const [read = bytes('')] = (await mergedReports.read(buildId, [first])) ?? [];
      expect(Buffer.compare(read, large)).toBe(0);
      await mergedReports.remove(buildId, [first, 'gone']);
      await mergedReports.remove(buildId, []);
      expect(await keysOf(buildId)).toEqual([second]);
    });

    it('go with their build and with its repo, and none come for one that is gone', async () => {
      const { mergedReports, builds, repos } = subject.store;
      const one = await openBuild();
      await put(one.buildId, [1], 'a');
      await builds.remove(one.buildId);
      expect(await mergedReports.ofBuild(one.buildId)).toEqual([]);
      await put(one.buildId, [1], 'a');
      expect(await mergedReports.ofBuild(one.buildId)).toEqual([]);
      const other = await openBuild('octo/other');
      await put(other.buildId, [2], 'b');
      await repos.remove({ repoId: other.repoId, description: 'repo was removed', at: T0 });
      expect(await mergedReports.ofBuild(other.buildId)).toEqual([]);
    });
  });
}
