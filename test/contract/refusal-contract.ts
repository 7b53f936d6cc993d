import { describe, expect, it } from 'vitest';
import { KEPT_REFUSED, MAX_REFUSED, type RefusedUpload } from '../../server/src/core/builds/refused-upload.ts';
import { putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeRefusals(subject: Subject): void {
  const refused = (repoId: number, key: string, at: number): RefusedUpload => ({
    repoId,
    key,
    code: 'payload-invalid',
    sentence: `Odd at ${at}. Mend it.`,
    field: 'source_files',
    client: 'reporter/1',
    firstAt: at,
    lastAt: at,
    count: 1,
  });

  describe('refused uploads', () => {
    it('are newest first; the same one again is counted, with its last sentence', async () => {
      const { refusals } = subject.store;
      const [repo, other] = [await putRepo(subject.store), await putRepo(subject.store, { name: 'octo/other' })];
      await refusals.note(refused(repo.id, 'a.$b', T0));
      await refusals.note(refused(repo.id, 'b', T0 + 1));
      await refusals.note({ ...refused(repo.id, 'a.$b', T0 + 2), count: 3 });
      const found = await refusals.list(repo.id, T0);
      expect(found).toEqual([
        { ...refused(repo.id, 'a.$b', T0 + 2), firstAt: T0, count: 4 },
        refused(repo.id, 'b', T0 + 1),
      ]);
      expect(await refusals.list(repo.id, T0 + 2)).toHaveLength(1);
      expect(await refusals.list(other.id, T0)).toEqual([]);
    });

    it('are bounded in number and age, and go with their repo', async () => {
      const { refusals, repos } = subject.store;
      const repo = await putRepo(subject.store);
      for (let index = 0; index < MAX_REFUSED + 3; index += 1)
        await refusals.note(refused(repo.id, `k${index}`, T0 + index));
      const kept = await refusals.list(repo.id, 0);
      expect([kept.length, kept.at(-1)?.key]).toEqual([MAX_REFUSED, 'k3']);
      await refusals.note(refused(repo.id, 'later', T0 + KEPT_REFUSED + 100));
      expect(await refusals.list(repo.id, 0)).toHaveLength(MAX_REFUSED + 3 - 100 + 1);
      await repos.remove({ repoId: repo.id, description: 'removed', at: T0 });
      await refusals.note(refused(repo.id, 'gone', T0 + KEPT_REFUSED));
      expect(await refusals.list(repo.id, 0)).toEqual([]);
    });
  });
}
