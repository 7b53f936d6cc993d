import { describe, expect, it } from 'vitest';
import { accept, close, MINUTE, putRepo, SHA, say, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

/** What the metrics say of a store. */
export function describeMeasure(subject: Subject): void {
  describe('measure', () => {
    const measure = (at: number) => subject.store.measure(subject.itIs(at));

    it('is of nothing in an empty store', async () => {
      const nothing = { builds: { due: 0, 'put-off': 0, 'set-aside': 0 }, oldestDueAt: undefined, outbox: [] };
      expect(await measure(T0)).toMatchObject(nothing);
    });

    it('counts builds that are due and those that are put off, and not leased ones', async () => {
      const { builds } = subject.store;
      const { id } = await putRepo(subject.store);
      for (const [n, at] of [T0, T0 + 1, T0 + 2].entries())
        await accept(subject.store, id, { serviceNumber: `n${n}`, parallel: false }, { at });
      const at = subject.itIs(T0 + MINUTE);
      expect(await measure(at)).toMatchObject({ builds: { due: 3, 'put-off': 0 }, oldestDueAt: T0 });
      const [first] = await builds.claimDue({ at, lease: MINUTE, limit: 1 });
      expect(await measure(at)).toMatchObject({ builds: { due: 2, 'put-off': 0 }, oldestDueAt: T0 + 1 });
      await builds.release({ buildId: first?.id ?? 0, retryAt: at + 2 * MINUTE });
      expect(await measure(at + 2)).toMatchObject({ builds: { due: 2, 'put-off': 1 } });
      expect(await measure(at + 3 * MINUTE)).toMatchObject({ builds: { due: 3, 'put-off': 0 } });
    });

    it('counts messages by git host, and since when the oldest is unsent, however often it was tried', async () => {
      const { outbox } = subject.store;
      const { id } = await putRepo(subject.store);
      const { build } = await accept(subject.store, id);
      const messages = ['a', 'b', 'c'].map((name) => say(status('pending'), name));
      await close(subject.store, build, { target: SHA, messages, at: T0 });
      const waits = (service: string, waiting: number, givenUp: number, oldestAt: number | undefined) => ({
        outbox: [{ service, waiting, givenUp, oldestAt }],
      });
      expect(await measure(T0)).toMatchObject(waits('github', 3, 0, T0));
      const at = subject.itIs(T0 + MINUTE);
      const [one, two] = await outbox.claim({ at, lease: MINUTE, limit: 2 });
      await outbox.retry({ id: one?.id ?? 0, at: at + MINUTE, uncertain: false, commentId: undefined });
      await outbox.giveUp({ id: two?.id ?? 0, version: 1, reason: 'No access.' });
      expect(await measure(at)).toMatchObject(waits('github', 2, 1, T0));
      const claimed = await outbox.claim({ at: subject.itIs(at + MINUTE), lease: MINUTE, limit: 9 });
      for (const { id: sent, wanted } of claimed)
        await outbox.delivered({ id: sent, ...wanted, commentId: undefined, at });
      expect(await measure(at + MINUTE)).toMatchObject(waits('github', 0, 1, undefined));
      await outbox.resume(subject.itIs(at + 2 * MINUTE));
      expect(await measure(at + 2 * MINUTE)).toMatchObject(waits('github', 1, 0, at + 2 * MINUTE));
    });
  });
}
