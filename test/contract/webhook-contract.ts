import { describe, expect, it } from 'vitest';
import { T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeWebhooks(subject: Subject): void {
  describe('what came to webhooks', () => {
    it('is counted from the last delivery on', async () => {
      const { webhooks } = subject.store;
      const refuse = (refused: number, refusedAt: number) =>
        webhooks.note({ service: 'github', deliveredAt: undefined, refused, refusedAt });
      expect(await webhooks.find('github')).toBeUndefined();
      await refuse(1, T0);
      await refuse(2, T0 + 1);
      expect(await webhooks.find('github')).toEqual({ deliveredAt: undefined, refused: 3, refusedAt: T0 + 1 });
      await webhooks.note({ service: 'github', deliveredAt: T0 + 2, refused: 0, refusedAt: undefined });
      expect(await webhooks.find('github')).toEqual({ deliveredAt: T0 + 2, refused: 0, refusedAt: T0 + 1 });
      await refuse(1, T0 + 3);
      expect(await webhooks.find('github')).toEqual({ deliveredAt: T0 + 2, refused: 1, refusedAt: T0 + 3 });
      await webhooks.note({ service: 'github', deliveredAt: T0 + 4, refused: 2, refusedAt: T0 + 5 });
      expect(await webhooks.find('github')).toEqual({ deliveredAt: T0 + 4, refused: 2, refusedAt: T0 + 5 });
      expect(await webhooks.find('gitlab')).toBeUndefined();
    });
  });
}
