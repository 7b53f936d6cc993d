import { describe, expect, it } from 'vitest';
import { storedOf } from '../../server/src/compose/services.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import { hashDigests } from '../../server/src/core/digest-filter.ts';
import { removeUnnamedTexts } from '../../server/src/operations/remove-unnamed-texts.ts';
import type { ReportBytes } from '../../server/src/reports/report-bytes.ts';
import { accept, bytes, close, flag, hex, putRepo, result, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const digest = (n: number): string => hex(n, 64);
const text = (n: number, length = 10) => ({ digest: digest(n), bytes: new Uint8Array(length).fill(n) });
/** A report is the list of what it names. */
const naming = (...texts: readonly number[]) => bytes(`texts ${texts.join(' ')}`);
const listed = (report: ReportBytes): readonly string[] => {
  const [what, ...texts] = new TextDecoder().decode(report).split(' ');
  return what === 'texts' ? texts.map((n) => digest(Number(n))) : [];
};

/** Source texts that no stored build names go a day after an upload named them last. */
export function describeUnnamedTexts(subject: Subject): void {
  let builds = 0;
  const put = (repoId: number, texts: readonly number[], at: number, stated: Partial<JobFacts> = {}) => {
    builds += 1;
    const facts = { serviceNumber: `t${builds}`, commit: hex(builds), parallel: false, ...stated };
    const sources = texts.map((n) => text(n));
    return accept(subject.store, repoId, facts, { at: subject.itIs(at), report: naming(...texts), sources });
  };
  const look = (
    repoId: number,
    at: number,
    more: { textLooks?: number; isTrial?: boolean; meanwhile?: () => Promise<unknown> } = {},
  ) => {
    const { textLooks = 0, isTrial = false, meanwhile } = more;
    const reader = {
      listTexts: async ({ report }: { readonly report: ReportBytes }) => {
        await meanwhile?.();
        return hashDigests(listed(report));
      },
    };
    subject.itIs(at);
    const services = { ...storedOf(subject.store), clock: { now: () => at }, reader, turn: async () => {} };
    return removeUnnamedTexts(services, { repoId, isTrial, textLooks });
  };
  const left = async (repoId: number, ...texts: readonly number[]): Promise<readonly number[]> => {
    const found = await Promise.all(texts.map((n) => subject.store.jobs.source(repoId, digest(n))));
    return texts.filter((_, index) => found[index] !== undefined);
  };

  describe('source texts that no build names', () => {
    it('go a day after they were named last, and no others', async () => {
      const { store } = subject;
      const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
      const { build: gone } = await put(repo.id, [1, 2, 3], T0);
      await put(repo.id, [2], T0 + HOUR);
      await put(repo.id, [4], T0, { diff: { digest: digest(5), from: hex(1), to: hex(2) } as never });
      await put(other.id, [1], T0);
      await close(store, gone, { result: result() });
      await store.builds.remove(gone.id);
      expect(await look(repo.id, T0 + 23 * HOUR)).toBe(0);
      expect(await look(repo.id, T0 + 25 * HOUR, { isTrial: true })).toBe(2);
      expect(await left(repo.id, 1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
      expect(await look(repo.id, T0 + 25 * HOUR)).toBe(2);
      expect(await left(repo.id, 1, 2, 3, 4)).toEqual([2, 4]);
      expect(await left(other.id, 1)).toEqual([1]);
    });

    it('stay where an upload names one again, before it is removed or while it is looked for', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: gone } = await put(repo.id, [1, 2, 3, 4], T0);
      await put(repo.id, [9], T0);
      await store.builds.remove(gone.id);
      // Not by its report, which a merge may have replaced: what counts is that it was sent.
      await put(repo.id, [1], T0 + 13 * HOUR);
      const again = await put(repo.id, [2], T0 + 13 * HOUR);
      await store.builds.remove(again.build.id);
      let isSent = false;
      const meanwhile = async () => {
        if (!isSent) await put(repo.id, [3], T0 + 25 * HOUR);
        isSent = true;
      };
      expect(await look(repo.id, T0 + 25 * HOUR, { meanwhile })).toBe(1);
      expect(await left(repo.id, 1, 2, 3, 4, 9)).toEqual([1, 2, 3, 9]);
      // Also one that is named after it was found to be old.
      expect(await store.sources.remove({ repoId: repo.id, digests: [digest(1), digest(3)], before: T0 + HOUR })).toBe(
        0,
      );
      // What was too young then is looked for again.
      expect(await look(repo.id, T0 + 39 * HOUR)).toBe(1);
      expect(await left(repo.id, 1, 2, 3, 9)).toEqual([1, 3, 9]);
      // One that went is stored again.
      await put(repo.id, [4], T0 + 40 * HOUR);
      expect(await left(repo.id, 4)).toEqual([4]);
    });

    it('stay where a build has carried a report that names them', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: origin } = await put(repo.id, [1, 2], T0);
      const { build } = await put(repo.id, [3], T0);
      const carried = { result: result({ flags: [flag('unit', 'carried')] }), report: naming(1, 3) };
      await close(store, build, carried);
      await store.builds.remove(origin.id);
      expect(await look(repo.id, T0 + 2 * DAY)).toBe(1);
      expect(await left(repo.id, 1, 2, 3)).toEqual([1, 3]);
    });

    it('are looked for where a build was removed, at most so often, and by one at a time', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { sources } = store;
      const begin = (at: number) => sources.begin({ repoId: repo.id, notAfter: at - DAY, at });
      const all = await Promise.all([put(repo.id, [1], T0), put(repo.id, [2], T0), put(repo.id, [3], T0)]);
      expect(await Promise.all([begin(T0), begin(T0)])).toEqual(expect.arrayContaining([0, undefined]));
      expect(await begin(T0 + HOUR)).toBeUndefined();
      expect(await begin(T0 + DAY)).toBe(0);
      await sources.end({ repoId: repo.id, removedBuilds: 0 });
      expect(await begin(T0 + 3 * DAY)).toBeUndefined();
      await store.builds.remove(all[0].build.id);
      expect(await begin(T0 + 4 * DAY)).toBe(1);
      await store.builds.remove(all[1].build.id);
      await sources.end({ repoId: repo.id, removedBuilds: 1 });
      expect(await begin(T0 + 5 * DAY)).toBe(2);
      expect(await sources.begin({ repoId: 99, notAfter: T0, at: T0 })).toBeUndefined();
    });

    it('are many, and of any length', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const some = Array.from({ length: 2_300 }, (_, n) => text(n + 1, 1));
      const large = { ...text(9_000), bytes: new Uint8Array(9 * 2 ** 20) };
      const { build } = await accept(
        store,
        repo.id,
        {},
        { at: subject.itIs(T0), sources: [...some, large], report: naming(7) },
      );
      const at = subject.itIs(T0 + HOUR);
      await accept(store, repo.id, { serviceNumber: 'k' }, { at, sources: some.slice(0, 1), report: naming(1, 2_200) });
      await store.builds.remove(build.id);
      const removed = await look(repo.id, T0 + 2 * DAY);
      // One of four hundred may stay for another time.
      expect(removed).toBeGreaterThan(2_250);
      expect(await left(repo.id, 1, 2_200)).toEqual([1, 2_200]);
    });
  });
}
