import { expect, test } from 'vitest';
import { createOutboxWorker } from '../../server/src/announcing/outbox-worker.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import { openSqliteStore } from '../../server/src/storage/sqlite/open-sqlite.ts';
import { createLogbook } from '../support/logbook.ts';
import { waitFor } from '../support/wait-for.ts';
import { accept, close, putRepo, SHA, say, status, T0 } from './records.ts';

const MANY = 60;

test('a repo that comes after a long row of another is announced for within the first few deliveries', async () => {
  const store = openSqliteStore({ path: ':memory:', busyTimeout: 0 });
  const announce = async (name: string, count: number, at: number): Promise<number> => {
    const { id } = await putRepo(store, { name });
    const { build } = await accept(store, id);
    const messages = Array.from({ length: count }, (_, index) => say(status('success'), `${name} ${index}`));
    await close(store, build, { messages, target: SHA, at });
    return id;
  };
  await announce('octo/many', MANY, T0);
  const late = await announce('octo/late', 1, T0 + 1);
  const order: number[] = [];
  const worker = createOutboxWorker({
    outbox: store.outbox,
    async deliver({ id, repoId, wanted }) {
      order.push(repoId);
      await store.outbox.delivered({ id, ...wanted, commentId: undefined, at: T0 + 2 });
      return 'delivered';
    },
    clock: { now: () => T0 + 2 },
    timers: systemTimers,
    logger: createLogbook(),
    concurrency: 4,
  });
  worker.start();
  await waitFor(() => order.length === MANY + 1, { what: 'all deliveries' });
  await worker.stop();
  await store.close();
  expect(order.indexOf(late)).toBeLessThan(4);
});
