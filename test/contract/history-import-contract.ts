import { describe, expect, it } from 'vitest';
import type { HistoryImport } from '../../server/src/storage/history-imports.ts';
import { hex, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const build = { commit: hex(1, 40), at: T0, detail: 'lines' } as const;

/** An upload that waits to be imported. */
export function anImport(repoId: number): HistoryImport {
  return {
    repoId,
    state: 'checked',
    found: {
      from: 'codecov',
      address: 'acme/shop',
      repo: 'github/acme/shop',
      builds: 1,
      withLines: 1,
      withCounts: 0,
      branches: ['main'],
      flags: [],
      newest: build,
      oldest: build,
    },
    by: { by: { kind: 'admin-token' } },
    at: T0,
    added: 0,
    own: 0,
    again: 0,
    between: 0,
    leaseUntil: 0,
    parts: 0,
  };
}

export async function* pieces(...some: readonly string[]): AsyncGenerator<string> {
  yield* some;
}

/** Histories that were uploaded. */
export function describeHistoryImports(subject: Subject): void {
  describe('an uploaded history', () => {
    const partsOf = async (repoId: number) => {
      const found: string[] = [];
      for await (const part of subject.store.histories.parts(repoId)) found.push(part);
      return found;
    };

    it('is kept part by part, one of a repo, until it is taken away', async () => {
      const { histories } = subject.store;
      const { id } = await putRepo(subject.store);
      const { id: other } = await putRepo(subject.store, { name: 'octo/other' });
      expect(await histories.find(id)).toBeUndefined();
      expect(await histories.begin(anImport(other), pieces('z'))).toBe(true);
      expect(await histories.begin(anImport(id), pieces('a', 'b', 'c'))).toBe(true);
      expect(await histories.begin(anImport(id), pieces('d', 'e'))).toBe(true);
      expect(await histories.find(id)).toEqual({ ...anImport(id), parts: 2 });
      expect(await partsOf(id)).toEqual(['d', 'e']);
      expect((await histories.list()).map(({ repoId }) => repoId).sort()).toEqual([id, other].sort());
      expect(await histories.change(id, (was) => ({ ...was, state: 'running' }))).toMatchObject({ state: 'running' });
      expect(await histories.change(id, () => undefined)).toBeUndefined();
      await histories.dropParts(id);
      expect([await partsOf(id), await partsOf(other)]).toEqual([[], ['z']]);
      await histories.remove(id);
      expect(await histories.find(id)).toBeUndefined();
      expect(await histories.change(id, (was) => was)).toBeUndefined();
    });

    it('goes with its repo', async () => {
      const { histories, repos } = subject.store;
      const { id } = await putRepo(subject.store);
      await histories.begin(anImport(id), pieces('a'));
      await repos.remove({ repoId: id, description: 'gone', at: T0 });
      expect(await histories.find(id)).toBeUndefined();
      expect(await partsOf(id)).toEqual([]);
      expect(await histories.begin(anImport(id), pieces('a'))).toBe(false);
    });
  });
}
