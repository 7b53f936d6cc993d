import { afterEach, describe, expect, test } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { deliverAll, deliverDue } from '../support/delivery-rounds.ts';
import {
  bodiesOf,
  comment,
  endScene,
  NO_REPOS,
  OUTBOXES,
  repo,
  START,
  startOutbox,
  statesOf,
  status,
  writes,
} from '../support/outbox-scene.ts';

afterEach(endScene);

describe.each(OUTBOXES)('delivery at $name', ({ start }) => {
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

  test('what is wanted again and is there already is not sent', async () => {
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

  test('but it is sent when something else may be there', async () => {
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

  test('a comment that was deleted is created again; one that an earlier database made is taken over', async () => {
    const { stand, outbox, rounds, want } = await start();
    const { id } = stand.addComment(repo, { pullRequest: 7, login: 'coverage-bot', body: 'placeholder' });
    stand.removeComment(repo, id);
    const old = comment('from an earlier database').content as { body: string };
    stand.addComment(repo, { pullRequest: 7, login: 'coverage-bot', body: old.body });
    want(comment('one'));
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['one']);
    stand.removeComment(repo, Number(outbox.records()[0]?.commentId));
    want(comment('two'));
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['two']);
    expect(outbox.records()[0]?.commentId).toBe(stand.comments(repo, 7)[0]?.id);
  });

  test('something newer that is wanted during the call is delivered next, never an older one over it', async () => {
    const { stand, rounds, want, outbox } = await start();
    want(status('pending'));
    const news = [status('failure', '70%'), status('success', '80%')];
    stand.faults.when((request) => {
      const next = writes(request) ? news.shift() : undefined;
      if (next !== undefined) want(next);
      return undefined;
    });
    expect(await deliverDue(rounds)).toBe(1);
    expect(outbox.records()).toMatchObject([{ delivered: { content: { state: 'pending' } }, wanted: { version: 2 } }]);
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['pending', '70%', '80%']);
    expect(rounds.clock.now()).toBe(START);
  });
});

describe.each(OUTBOXES)('an unknown outcome at $name is read back before it is repeated', ({ start, settles }) => {
  test.each([
    ['502', { kind: 'status', status: 502, takesEffect: true }],
    ['dropped connection', { kind: 'drop', takesEffect: true }],
    ['no answer in time', { kind: 'hang', takesEffect: true }],
  ] as const)('createComment took effect, but %s: one comment', async (_, fault) => {
    const { stand, rounds, want, outbox } = await start({ callTimeLimit: fault.kind === 'hang' ? 500 : 10_000 });
    want(comment('one'));
    stand.faults.next(1, fault, writes);
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ uncertain: true, delivered: undefined, nextAttemptAt: START + settles }]);
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

  test('a crash between the call and its record: one comment, no second status', async () => {
    const { stand, rounds, want, clock, outbox, deliver, logger, provider } = await start();
    want(status('success'));
    want(comment('one'));
    const died = async () => {
      throw new Error('the process died');
    };
    const dying = { ...outbox, delivered: died, retry: died, giveUp: died };
    const last = createDeliverer({
      outbox: dying,
      repos: NO_REPOS,
      providerOf: () => provider,
      clock,
      logger,
      random: () => 0,
    });
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

describe('an unknown outcome at GitHub', () => {
  test('a comment that was found stays known though its edit fails', async () => {
    const { stand, rounds, want, outbox, clock } = await startOutbox();
    want(comment('one'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    want(comment('two'));
    // What is newer waits too: the lost call might still land over it.
    expect(await deliverDue(rounds)).toBe(0);
    clock.set((await outbox.nextDueAt()) ?? 0);
    stand.faults.next(1, { kind: 'status', status: 500 }, writes);
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ delivered: undefined, commentId: stand.comments(repo, 7)[0]?.id }]);
    await deliverAll(rounds);
    expect(bodiesOf(stand)).toEqual(['two']);
  });

  test('it stays unknown while the reading fails', async () => {
    const { stand, rounds, want, outbox } = await startOutbox();
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

  test('it stays unknown where the reading is refused: what had arrived before is set again', async () => {
    const { stand, rounds, want, outbox } = await startOutbox();
    want(status('success'));
    await deliverDue(rounds);
    want(status('failure'));
    stand.faults.next(1, { kind: 'drop', takesEffect: true }, writes);
    await deliverDue(rounds);
    rounds.clock.set(START + 10_000);
    stand.faults.next(1, { kind: 'status', status: 403 });
    await deliverDue(rounds);
    expect(outbox.records()).toMatchObject([{ uncertain: true, parked: expect.stringContaining('403') }]);
    want(status('success'));
    await deliverAll(rounds);
    expect(statesOf(stand)).toEqual(['success', 'failure', 'success']);
  });
});

describe('a record goes where its repo is today', () => {
  test.each<[string, object | undefined, boolean, string | undefined]>([
    ['the name of today', { name: 'acme/store' }, false, 'acme/store'],
    ['the name that it was made with, where the repo is not found', undefined, false, 'acme/shop'],
    ['the name that it was made with, once the repo is removed', { name: 'acme/store' }, true, 'acme/shop'],
    ['nowhere while the repo is suspended', { name: 'acme/shop', suspended: 'It was deleted.' }, false, undefined],
  ])('%s', async (_, found, repoRemoved, expected) => {
    const { outbox, provider, clock, logger, want } = await startOutbox();
    const places: string[] = [];
    const seen = { ...provider, setStatus: async (call: { repo: string }) => void places.push(call.repo) };
    const repos = { find: async () => found as Repo | undefined, follow: async () => undefined };
    const deliver = createDeliverer({ outbox, repos, providerOf: () => seen, clock, logger, random: () => 0 });
    want(status('success'));
    const [record] = await outbox.claim({ at: clock.now(), lease: 60_000, limit: 1 });
    if (record === undefined) throw new Error('nothing to deliver');
    const end = await deliver({ ...record, repoRemoved }, clock.now() + 60_000);
    expect(places).toEqual(expected === undefined ? [] : [expected]);
    expect(end).toBe(expected === undefined ? 'parked' : 'delivered');
    const parked =
      expected === undefined ? 'The repo is suspended, so nothing is announced there. It was deleted.' : undefined;
    expect(outbox.records()[0]?.parked).toBe(parked);
  });
});
