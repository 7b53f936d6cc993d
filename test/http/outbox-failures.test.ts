import { afterEach, describe, expect, test, vi } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import { createOutboxWorker } from '../../server/src/announcing/outbox-worker.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { WorkLoop } from '../../server/src/platform/timers/work-loop.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { deliverAll, deliverDue } from '../support/delivery-rounds.ts';
import {
  bodiesOf,
  comment,
  endScene,
  NO_REPOS,
  repo,
  START,
  startOutbox,
  statesOf,
  status,
} from '../support/outbox-scene.ts';

let worker: WorkLoop | undefined;

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await endScene();
});

describe('failures', () => {
  test('a rate limit is rescheduled at its time, not slept through, and held against all records', async () => {
    const { stand, rounds, want, outbox } = await startOutbox();
    want(status('success'));
    want(comment('one'));
    stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 120 });
    await deliverDue(rounds, 1);
    expect(stand.requests()).toHaveLength(1);
    await deliverDue(rounds, 1);
    expect(outbox.records().map(({ nextAttemptAt }) => nextAttemptAt - START)).toEqual([120_000, 120_000]);
    expect(outbox.records().map(({ uncertain }) => uncertain)).toEqual([false, false]);
    expect(stand.requests()).toHaveLength(1);
    rounds.clock.set(START + 119_999);
    expect(await deliverDue(rounds)).toBe(0);
    await deliverAll(rounds);
    expect([statesOf(stand), bodiesOf(stand)]).toEqual([['success'], ['one']]);
  });

  test('passing trouble is tried again after 2, 4, 8, … s, at most 10 min, without end', async () => {
    const { stand, rounds, want, outbox, clock } = await startOutbox();
    want(status('success'));
    const calm = stand.faults.when(() => ({ kind: 'status', status: 503 }));
    const pauses: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      await deliverDue(rounds);
      pauses.push(((await outbox.nextDueAt()) ?? 0) - clock.now());
      clock.set((await outbox.nextDueAt()) ?? 0);
    }
    expect(pauses.map((ms) => ms / 1_000)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
    calm();
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success']);
  });

  test('what is refused is parked with its reason, until something else is wanted or after a restart', async () => {
    const { stand, rounds, want, outbox, clock } = await startOutbox();
    want(status('success'));
    stand.faults.next(2, { kind: 'status', status: 403, message: 'Resource not accessible by integration' });
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/^GitHub answered 403 .* it needs `statuses: write`/);
    want(status('failure'));
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/403/);
    await outbox.resume(clock.now());
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['failure']);
  });

  test('without an adapter or a token the record is parked and says so', async () => {
    const { rounds, outbox, clock } = await startOutbox();
    outbox.announce({
      message: status('success'),
      at: clock.now(),
      repo: { id: 2, service: 'gitlab', name: 'acme/shop' },
    });
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/no credential or adapter for gitlab/);
  });

  test('a mistake of ours is logged as an error and tried again after reading back', async () => {
    const { outbox, clock, logger, want } = await startOutbox();
    want(status('success'));
    const broken = { setStatus: () => Promise.reject(new TypeError('no such thing')) } as unknown as Provider;
    const deliver = createDeliverer({
      outbox,
      repos: NO_REPOS,
      providerOf: () => broken,
      clock,
      logger,
      random: () => 0,
    });
    await deliverDue({ outbox, deliver, clock });
    expect(outbox.records()).toMatchObject([{ uncertain: true, nextAttemptAt: START + 2_000 }]);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error' });
  });

  test('no call begins that the lease does not cover: the next lease continues', async () => {
    const { stand, provider, outbox, clock, logger, want } = await startOutbox();
    const { id } = stand.addComment(repo, { pullRequest: 7, login: 'coverage-bot', body: 'x' });
    want(comment('one'));
    const slow: Provider = {
      ...provider,
      findComment: async (call) => {
        clock.set(clock.now() + 19_000);
        return provider.findComment(call);
      },
      updateComment: async (call) => {
        clock.set(clock.now() + 19_000);
        return provider.updateComment(call);
      },
    };
    const deliver = createDeliverer({
      outbox,
      repos: NO_REPOS,
      providerOf: () => slow,
      clock,
      logger,
      random: () => 0,
    });
    const [claimed] = await outbox.claim({ at: START, lease: 60_000, limit: 1 });
    stand.removeComment(repo, id);
    if (claimed) expect(await deliver({ ...claimed, commentId: id }, START + 60_000)).toBe('retrying');
    expect(stand.comments(repo, 7)).toEqual([]);
    expect(outbox.records()).toMatchObject([{ nextAttemptAt: START + 38_000, uncertain: false }]);
    await deliverAll({ outbox, deliver, clock });
    expect(bodiesOf(stand)).toEqual(['one']);
  });
});

describe('the worker', () => {
  test('delivers what is written as soon as it is nudged; a hanging call holds up nothing else', async () => {
    const { stand, outbox, deliver, logger, want } = await startOutbox();
    const time = { clock: { now: () => START }, timers: systemTimers };
    const parts = { outbox, deliver, logger, ...time, concurrency: 2, stopWithin: 50 };
    stand.faults.next(1, { kind: 'hang' }, ({ body }) => JSON.stringify(body).includes('stuck'));
    want(status('success', 'stuck', 'stuck'));
    worker = createOutboxWorker(parts);
    worker.start();
    await vi.waitFor(() => expect(stand.requests()).toHaveLength(1), 5_000);
    for (let i = 0; i < 5; i += 1) want(status('success', `flag ${i}`, `flag ${i}`));
    worker.nudge();
    await vi.waitFor(() => expect(statesOf(stand)).toHaveLength(5), 5_000);
    await worker.stop();
    // The stuck one was not waited for.
    expect(stand.requests().filter(({ hangs }) => hangs)).toHaveLength(1);
    want(status('failure', 'late', 'flag 0'));
    worker.nudge();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(statesOf(stand)).not.toContain('late');
  });

  test('continues when the store fails to keep an outcome: the lease runs out and the place is read back', async () => {
    const { stand, outbox, provider, logger, want, clock } = await startOutbox();
    want(status('success'));
    const failing = { ...outbox, delivered: vi.fn(outbox.delivered).mockRejectedValueOnce(new Error('disk full')) };
    const deliver = createDeliverer({
      outbox: failing,
      repos: NO_REPOS,
      providerOf: () => provider,
      clock,
      logger,
      random: () => 0,
    });
    worker = createOutboxWorker({ outbox, deliver, logger, clock, timers: systemTimers, maxIdle: 5 });
    worker.start();
    await vi.waitFor(() => expect(logger.text()).toContain('disk full'), 5_000);
    clock.set(START + 60_000);
    await vi.waitFor(() => expect(outbox.records()).toMatchObject([{ delivered: { version: 1 } }]), 5_000);
    expect(statesOf(stand)).toEqual(['success']);
  });
});
