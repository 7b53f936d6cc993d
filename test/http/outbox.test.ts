import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Message, StatusContent } from '../../server/src/domain/announce/delivery.ts';
import { createDeliverer, type ProviderDirectory } from '../../server/src/outbox/deliverer.ts';
import { createOutboxWorker } from '../../server/src/outbox/outbox-worker.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { createGithubProvider } from '../../server/src/providers/github/github-provider.ts';
import type { WorkLoop } from '../../server/src/workers/work-loop.ts';
import { createHandClock, deliverAll, deliverDue } from '../support/delivery-rounds.ts';
import { createFakeOutbox } from '../support/fake-outbox.ts';
import { head, startScene } from '../support/github-scene.ts';
import type { FaultedRequest } from '../support/github-stand-in/faults.ts';
import type { GithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const repo = 'acme/shop';
let github: GithubStandIn | undefined;
let worker: WorkLoop | undefined;

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  expect(github?.violations() ?? []).toEqual([]);
  await github?.close();
  github = undefined;
});

/** The stand-in, the provider and the outbox on one clock that the test moves. Delays are without jitter. */
async function start(options: { callTimeLimit?: number } = {}) {
  const clock = createHandClock(START);
  const logger = createLogbook();
  const stand = await startScene({ now: clock.now });
  github = stand;
  const { callTimeLimit = 2_000 } = options;
  const connection = { apiUrl: stand.url, token: stand.token, clock, logger, callTimeLimit, retryPause: 1 };
  const provider = createGithubProvider({ ...connection, writeBurst: 1_000 });
  const outbox = createFakeOutbox();
  const providers: ProviderDirectory = { for: (service) => (service === 'github' ? provider : undefined) };
  const deliver = createDeliverer({ outbox, providers, clock, logger, random: () => 0 });
  const want = (message: Message): void => outbox.announce({ message, at: clock.now() });
  return { stand, provider, outbox, deliver, clock, logger, want, rounds: { outbox, deliver, clock } };
}

function status(state: StatusContent['state'], description: string = state, context = 'coverage'): Message {
  const content: StatusContent = { kind: 'status', state, description, targetUrl: 'https://coverage.example/builds/7' };
  return { target: { kind: 'status', commit: head, context }, content };
}

function comment(text: string): Message {
  const body = `<!-- coverage: https://coverage.example repo 1 -->\n\n${text}`;
  return { target: { kind: 'comment', pullRequest: 7 }, content: { kind: 'comment', body } };
}

const bodiesOf = (stand: GithubStandIn) => stand.comments(repo, 7).map(({ body }) => body.split('\n').at(-1));
const statesOf = (stand: GithubStandIn) => stand.statuses(repo, head).map(({ description }) => description);
const writes = ({ method }: FaultedRequest) => method !== 'GET';

describe('delivery', () => {
  test('sets a status and creates a comment once, then edits it; nothing is sent twice', async () => {
    const { stand, outbox, rounds, want } = await start();
    want(status('pending'));
    want(comment('one'));
    await deliverAll(rounds);
    want(status('success'));
    want(comment('two'));
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['pending', 'success']);
    expect(bodiesOf(stand)).toEqual(['two']);
    expect(stand.requests().filter(writes)).toHaveLength(4);
    expect(outbox.records()).toMatchObject([
      { delivered: { version: 2, content: { state: 'success' } }, uncertain: false, attempts: 0 },
      { delivered: { version: 2 }, commentId: stand.comments(repo, 7)[0]?.id },
    ]);
  });

  test('what is wanted anew as it stands already is not sent', async () => {
    const { stand, outbox, rounds, want } = await start();
    want(comment('one'));
    want(status('success'));
    await deliverAll(rounds);
    const sent = stand.requests().length;
    for (const text of ['two', 'one']) want(comment(text));
    for (const state of ['pending', 'success'] as const) want(status(state));
    await deliverAll(rounds);
    expect(outbox.records().map(({ delivered }) => delivered?.version)).toEqual([3, 3]);
    expect(stand.requests()).toHaveLength(sent);
  });

  test('but it is sent when something else may stand there', async () => {
    const { stand, rounds, want } = await start();
    want(status('success'));
    await deliverAll(rounds);
    want(status('failure'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    want(status('success'));
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success', 'failure', 'success']);
  });

  test('a comment that somebody deleted is created anew; one that an earlier database made is taken over', async () => {
    const { stand, outbox, rounds, want } = await start();
    const { id } = stand.addComment(repo, { pullRequest: 7, login: 'coverage-bot', body: 'placeholder' });
    stand.removeComment(repo, id);
    const old = comment('from an earlier database').content as { body: string };
    stand.addComment(repo, { pullRequest: 7, login: 'coverage-bot', body: old.body });
    want(comment('one'));
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['one']);
    stand.removeComment(repo, outbox.records()[0]?.commentId ?? 0);
    want(comment('two'));
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['two']);
    expect(outbox.records()[0]?.commentId).toBe(stand.comments(repo, 7)[0]?.id);
  });

  test('something newer that is wanted during the call is delivered next, never an older one over it', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(status('pending'));
    stand.faults.when(({ index }) => {
      if (index === 0) want(status('failure', '70%'));
      if (index === 1) want(status('success', '80%'));
      return undefined;
    });
    expect(await deliverDue(rounds)).toBe(1);
    expect(outbox.records()).toMatchObject([{ delivered: { content: { state: 'pending' } }, wanted: { version: 2 } }]);
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['pending', '70%', '80%']);
    expect(rounds.clock.now()).toBe(START);
  });
});

describe('an unknown outcome is read back before it is repeated', () => {
  test.each([
    ['502', { kind: 'status', status: 502, takesEffect: true }],
    ['dropped connection', { kind: 'drop', takesEffect: true }],
    ['no answer in time', { kind: 'hang', takesEffect: true }],
  ] as const)('createComment took effect, but %s: one comment', async (_, fault) => {
    const { stand, rounds, want, outbox } = await start({ callTimeLimit: 100 });
    want(comment('one'));
    stand.faults.next(1, fault, writes);
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ uncertain: true, delivered: undefined, nextAttemptAt: START + 10_000 }]);
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['one']);
    expect(stand.requests().filter(writes)).toHaveLength(1);
    expect(outbox.records()).toMatchObject([{ uncertain: false, commentId: stand.comments(repo, 7)[0]?.id }]);
  });

  test('setStatus took effect, but the connection dropped: not set again', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(status('success'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success']);
    expect(outbox.records()).toMatchObject([{ uncertain: false, delivered: { version: 1 } }]);
  });

  test('setStatus took no effect: set after the reading', async () => {
    const { stand, rounds, want } = await start();
    stand.addComment(repo, { pullRequest: 7, login: 'mona', body: 'Hello' });
    for (const message of [status('success'), comment('one')]) want(message);
    stand.faults.next(2, { kind: 'status', status: 504 }, writes);
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success']);
    expect(bodiesOf(stand)).toEqual(['Hello', 'one']);
  });

  test('a comment that was found stays known though its edit fails', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(comment('one'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    want(comment('two'));
    stand.faults.next(1, { kind: 'status', status: 500 }, writes);
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ delivered: undefined, commentId: stand.comments(repo, 7)[0]?.id }]);
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['two']);
  });

  test('it stays unknown while the reading fails', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(status('success'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    rounds.clock.set(START + 10_000);
    stand.faults.next(3, { kind: 'status', status: 503 });
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ uncertain: true, attempts: 2, nextAttemptAt: START + 14_000 }]);
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success']);
  });

  test('a crash between the call and its record: one comment, no second status', async () => {
    const { stand, rounds, want, clock, outbox, deliver, logger, provider } = await start();
    want(status('success'));
    want(comment('one'));
    const died = async () => {
      throw new Error('the process died');
    };
    const dying = { ...outbox, delivered: died, retry: died, park: died };
    const last = createDeliverer({ outbox: dying, providers: { for: () => provider }, clock, logger, random: () => 0 });
    await expect(deliverDue({ outbox, deliver: last, clock }, 1)).rejects.toThrow('the process died');
    await expect(deliverDue({ outbox, deliver: last, clock }, 1)).rejects.toThrow('the process died');
    expect(await deliverDue({ outbox, deliver, clock })).toBe(0);
    await outbox.voidLeases();
    await deliverAll(rounds);
    expect(clock.now()).toBe(START);
    expect([statesOf(stand), bodiesOf(stand)]).toEqual([['success'], ['one']]);
    expect(outbox.records()).toMatchObject([
      { uncertain: false },
      { uncertain: false, commentId: stand.comments(repo, 7)[0]?.id },
    ]);
  });
});

describe('failures', () => {
  test('a rate limit is rescheduled at its time, not slept through, and held against all records', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(status('success'));
    want(comment('one'));
    stand.faults.next(1, { kind: 'secondary-limit', retryAfterSeconds: 120 });
    const began = performance.now();
    await deliverDue(rounds, 1);
    await deliverDue(rounds, 1);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(outbox.records().map(({ nextAttemptAt }) => nextAttemptAt - START)).toEqual([120_000, 120_000]);
    expect(outbox.records().map(({ uncertain }) => uncertain)).toEqual([false, false]);
    expect(stand.requests()).toHaveLength(1);
    rounds.clock.set(START + 119_999);
    expect(await deliverDue(rounds)).toBe(0);
    await deliverAll(rounds);
    expect([statesOf(stand), bodiesOf(stand)]).toEqual([['success'], ['one']]);
  });

  test('passing trouble is tried again after 2, 4, 8, … s, at most 10 min, without end', async () => {
    const { stand, rounds, want, outbox, clock } = await start();
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

  test('what is refused is parked with its reason, until something else is wanted or a restart tries again', async () => {
    const { stand, rounds, want, outbox, clock } = await start();
    want(status('success'));
    stand.faults.next(2, { kind: 'status', status: 403, message: 'Resource not accessible by integration' });
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/^GitHub answered 403 .* it needs `statuses: write`/);
    want(status('failure'));
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/403/);
    await outbox.unpark(clock.now());
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['failure']);
  });

  test('without an adapter or a token the record is parked and says so', async () => {
    const { rounds, outbox, clock } = await start();
    outbox.announce({ message: status('success'), at: clock.now(), repo: { id: 2, service: 'gitlab', name: 'acme/shop' } });
    await deliverAll(rounds);
    expect(outbox.records()[0]?.parked).toMatch(/no token or no adapter for gitlab/);
  });

  test('a mistake of ours is logged as an error and tried again after reading back', async () => {
    const { outbox, clock, logger, want } = await start();
    want(status('success'));
    const broken = { setStatus: () => Promise.reject(new TypeError('no such thing')) } as unknown as Provider;
    const deliver = createDeliverer({ outbox, providers: { for: () => broken }, clock, logger, random: () => 0 });
    await deliverDue({ outbox, deliver, clock });
    expect(outbox.records()).toMatchObject([{ uncertain: true, nextAttemptAt: START + 2_000 }]);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error' });
  });

  test('no call begins that the lease does not cover: the next lease goes on', async () => {
    const { stand, provider, outbox, clock, logger, want } = await start();
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
    const deliver = createDeliverer({ outbox, providers: { for: () => slow }, clock, logger, random: () => 0 });
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
    const { stand, outbox, deliver, logger, want } = await start();
    const parts = { outbox, deliver, logger, clock: { now: () => START }, concurrency: 2, stopWithin: 50 };
    stand.faults.next(1, { kind: 'hang' }, ({ body }) => JSON.stringify(body).includes('stuck'));
    want(status('success', 'stuck', 'stuck'));
    worker = createOutboxWorker(parts);
    worker.start();
    await vi.waitFor(() => expect(stand.requests()).toHaveLength(1));
    for (let i = 0; i < 5; i += 1) want(status('success', `flag ${i}`, `flag ${i}`));
    worker.nudge();
    await vi.waitFor(() => expect(statesOf(stand)).toHaveLength(5));
    const began = performance.now();
    await worker.stop();
    expect(performance.now() - began).toBeLessThan(500);
    want(status('failure', 'late', 'flag 0'));
    worker.nudge();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(statesOf(stand)).not.toContain('late');
  });

  test('goes on when the store fails to keep an outcome: the lease runs out and the place is read back', async () => {
    const { stand, outbox, provider, logger, want, clock } = await start();
    want(status('success'));
    const failing = { ...outbox, delivered: vi.fn(outbox.delivered).mockRejectedValueOnce(new Error('disk full')) };
    const deliver = createDeliverer({ outbox: failing, providers: { for: () => provider }, clock, logger, random: () => 0 });
    worker = createOutboxWorker({ outbox, deliver, logger, clock, maxIdle: 5 });
    worker.start();
    await vi.waitFor(() => expect(logger.text()).toContain('disk full'));
    clock.set(START + 60_000);
    await vi.waitFor(() => expect(outbox.records()).toMatchObject([{ delivered: { version: 1 } }]));
    expect(statesOf(stand)).toEqual(['success']);
  });
});
