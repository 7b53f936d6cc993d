import { describe, expect, it } from 'vitest';
import { auditBy, COMMAND_LINE } from '../../server/src/core/repo/audit.ts';
import type { StoredHostApp } from '../../server/src/ports/host-apps.ts';
import { T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeHostApps(subject: Subject): void {
  const app = (revision: number, sealed: string, service: StoredHostApp['service'] = 'github'): StoredHostApp => ({
    service,
    revision,
    sealed,
    at: T0 + revision,
  });

  describe('Apps of git hosts', () => {
    it('are one for each service, and each change follows the one before', async () => {
      const { hostApps } = subject.store;
      expect(await hostApps.list()).toEqual([]);
      expect(await hostApps.put(app(2, 'too early'))).toBe(false);
      expect(await hostApps.list()).toEqual([]);
      expect(await hostApps.put(app(1, '$first'))).toBe(true);
      for (const late of [app(1, 'again'), app(3, 'too early')]) expect(await hostApps.put(late)).toBe(false);
      expect(await hostApps.put(app(2, 'second'))).toBe(true);
      expect(await hostApps.put(app(1, 'other', 'gitlab'))).toBe(true);
      expect(await hostApps.list()).toEqual([app(2, 'second'), app(1, 'other', 'gitlab')]);
    });

    it('are removed as they were read, and may be made again', async () => {
      const { hostApps } = subject.store;
      await hostApps.put(app(1, 'first'));
      await hostApps.put(app(2, 'second'));
      await hostApps.put(app(1, 'other', 'gitlab'));
      const audit = auditBy(COMMAND_LINE, { action: 'app.removed', at: T0, before: { service: 'github' } });
      expect(await hostApps.remove(app(1, 'first'), audit)).toBe(false);
      expect(await hostApps.remove(app(2, 'second'), audit)).toBe(true);
      expect(await hostApps.remove(app(2, 'second'), audit)).toBe(false);
      expect(await hostApps.list()).toEqual([app(1, 'other', 'gitlab')]);
      expect(await hostApps.put(app(1, 'new'))).toBe(true);
      const entries = await subject.store.audit.list({ action: 'app.removed', newestFirst: true, limit: 9 });
      expect(entries).toMatchObject([{ action: 'app.removed', before: { service: 'github' } }]);
    });

    it('are made by one of those who make one at the same time', async () => {
      const { hostApps } = subject.store;
      const made = await Promise.all(['a', 'b', 'c'].map((sealed) => hostApps.put(app(1, sealed))));
      expect(made.filter(Boolean)).toHaveLength(1);
      const [kept] = await hostApps.list();
      expect(kept?.sealed).toBe(['a', 'b', 'c'][made.indexOf(true)]);
    });
  });
}
