import { afterEach, describe, expect, test } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import { deliverAll, deliverDue } from '../support/delivery-rounds.ts';
import { head } from '../support/github-scene.ts';
import type { Fault } from '../support/github-stand-in/faults.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { check, endScene, NO_REPOS, repo, START, startOutbox, status, writes } from '../support/outbox-scene.ts';

afterEach(endScene);

/** Title and annotations of each check run, in the order in which they were made. */
const shown = (stand: GithubStandIn) =>
  stand
    .checkRuns(repo, head)
    .map(({ title, annotations }) => `${title}: ${annotations.map(({ start_line }) => start_line).join(' ')}`);

describe('a check run', () => {
  test('is another one where other lines are marked, the same where only its words change, else none', async () => {
    const { stand, outbox, rounds, want } = await startOutbox({ isApp: true });
    for (const message of [check([3]), check([3], 'the same'), check([4]), check([4])]) {
      want(message);
      await deliverAll(rounds);
    }
    expect(shown(stand)).toEqual(['the same: 3', 'some lines: 4']);
    expect(stand.requests()).toHaveLength(3);
    const newest = stand.checkRuns(repo, head)[1];
    expect(outbox.records()).toMatchObject([{ delivered: { version: 3, checkRunId: newest?.id }, uncertain: false }]);
    expect(newest).toMatchObject({ name: 'coverage annotations', conclusion: 'neutral', status: 'completed' });
  });

  test('that was wanted and given up again before it went out is not made', async () => {
    const { stand, rounds, want } = await startOutbox({ isApp: true });
    want(check([3]));
    await deliverAll(rounds);
    want(check([4]));
    want(check([3]));
    await deliverAll(rounds);
    want(check([3], 'other words'));
    await deliverAll(rounds);
    expect(shown(stand)).toEqual(['other words: 3']);
  });

  test('is made again where the known one was removed', async () => {
    const { stand, rounds, want } = await startOutbox({ isApp: true });
    want(check([3]));
    await deliverAll(rounds);
    want(check([3], 'the same'));
    stand.faults.next(1, { kind: 'status', status: 404 }, ({ method }) => method === 'PATCH');
    await deliverAll(rounds);
    expect(shown(stand)).toEqual(['some lines: 3', 'the same: 3']);
  });

  test('is refused to a plain token: given up with the reason, other messages go out', async () => {
    const { stand, outbox, rounds, want } = await startOutbox();
    want(check([3]));
    want(status('success'));
    await deliverAll(rounds);
    expect(stand.checkRuns(repo, head)).toEqual([]);
    expect(outbox.records()).toMatchObject([
      { parked: expect.stringContaining('only a GitHub App may do that') },
      { delivered: { version: 1 } },
    ]);
  });
});

describe('an unknown outcome is read back', () => {
  test.each<[string, Fault, number]>([
    ['502, though it was made: not made again', { kind: 'status', status: 502, takesEffect: true }, 1],
    ['502, and it was not made', { kind: 'status', status: 502 }, 2],
    ['a dropped connection, though it was made: not made again', { kind: 'drop', takesEffect: true }, 1],
    ['a dropped connection, and it was not made', { kind: 'drop', takesEffect: false }, 2],
  ])('%s', async (_, fault, posts) => {
    const { stand, outbox, rounds, want } = await startOutbox({ isApp: true });
    want(check([3]));
    stand.faults.next(1, fault, writes);
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ uncertain: true, delivered: undefined, nextAttemptAt: START + 10_000 }]);
    await deliverAll(rounds);
    expect(shown(stand)).toEqual(['some lines: 3']);
    expect(stand.requests().filter(writes)).toHaveLength(posts);
    const [made] = stand.checkRuns(repo, head);
    expect(outbox.records()).toMatchObject([{ uncertain: false, delivered: { version: 1, checkRunId: made?.id } }]);
  });

  test('one that arrived unnoticed hides the known one, so that what was wanted is made again', async () => {
    const { stand, rounds, want } = await startOutbox({ isApp: true });
    want(check([3]));
    await deliverAll(rounds);
    want(check([4]));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    want(check([3], 'again'));
    await deliverAll(rounds);
    expect(shown(stand)).toEqual(['some lines: 3', 'some lines: 4', 'again: 3']);
  });

  test('after each of several crashes: one check run', async () => {
    const { stand, rounds, want, clock, outbox, logger, provider } = await startOutbox({ isApp: true });
    want(check([3]));
    const died = async () => {
      throw new Error('the process died');
    };
    const dying = { ...outbox, delivered: died, retry: died, giveUp: died };
    const services = { repos: NO_REPOS, providerOf: () => provider, clock, logger, random: () => 0 };
    const last = createDeliverer({ outbox: dying, ...services });
    for (let crash = 0; crash < 3; crash += 1) {
      await expect(deliverDue({ outbox, deliver: last, clock })).rejects.toThrow('the process died');
      await outbox.voidLeases();
    }
    await deliverAll(rounds);
    expect(shown(stand)).toEqual(['some lines: 3']);
    expect(stand.requests().filter(writes)).toHaveLength(1);
  });
});
