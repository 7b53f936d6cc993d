import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import type { CheckContent, Message } from '../../server/src/core/announce/delivery.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import type { OutboxStore } from '../../server/src/storage/store.ts';
import { createHandClock, deliverDue } from '../support/delivery-rounds.ts';
import { createFakeOutbox } from '../support/fake-outbox.ts';
import { createLogbook } from '../support/logbook.ts';
import { NO_REPOS } from '../support/outbox-scene.ts';
import { type CallFate, createFaultyHost } from './faulty-host.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const commit = 'a'.repeat(40);
/** Two contexts, two pull requests, and the check run. */
const PLACES = [0, 1, 2, 3, 4] as const;

/** The `version`-th thing that is wanted at a place. */
function messageAt(place: number, version: number): Message {
  if (place < 2) {
    const state = (['pending', 'success', 'failure'] as const)[version % 3] ?? 'error';
    const content = {
      kind: 'status',
      state,
      description: `v${version}`,
      targetUrl: 'https://coverage.example/1',
    } as const;
    return { target: { kind: 'status', commit, context: `coverage ${place}` }, content };
  }
  if (place === 4) return checkMessage(version);
  const body = `<!-- repo 1 -->\nv${version}`;
  return { target: { kind: 'comment', pullRequest: place }, content: { kind: 'comment', body } };
}

/** Every other version marks another line than the one before, of two. */
function checkMessage(version: number): Message {
  const line = 1 + (Math.floor(version / 2) % 2);
  const annotation = {
    file: 'a.ts',
    firstLine: line,
    lastLine: line,
    level: 'warning',
    message: 'Not covered.',
  } as const;
  const said = {
    title: `v${version}`,
    summary: 'Some.',
    detailsUrl: 'https://coverage.example/1',
    annotations: [annotation],
  };
  return {
    target: { kind: 'check', commit, name: 'coverage annotations' },
    content: { kind: 'check', conclusion: 'neutral', ...said },
  };
}

interface Story {
  /** What becomes of the calls, in their order; afterward all is well. */
  readonly fates: readonly CallFate[];
  /** Where something new is wanted before each round; undefined: nowhere. */
  readonly wishes: readonly (number | undefined)[];
  /** Where something new is wanted during the n-th call. */
  readonly interruptions: ReadonlyMap<number, number>;
  /** A dead process is followed by one that voids its leases (SQLite), else they run out (several instances). */
  readonly voidsLeases: boolean;
  /** All is delivered before something new is wanted. */
  readonly drains: boolean;
}

/** Plays a story to its end; answers the host and what is wanted. */
async function play(story: Story) {
  const clock = createHandClock(START);
  const outbox = createFakeOutbox();
  const versions = new Map<number, number>();
  const want = (place: number | undefined): void => {
    if (place === undefined) return;
    const version = (versions.get(place) ?? 0) + 1;
    versions.set(place, version);
    outbox.announce({ message: messageAt(place, version), at: clock.now() });
  };
  let calls = 0;
  const nextFate = (): CallFate => {
    want(story.interruptions.get(calls));
    const fate = story.fates[calls] ?? { kind: 'fine' };
    calls += 1;
    return fate;
  };
  const host = createFaultyHost({ now: clock.now, nextFate });

  const spawn = () => {
    let alive = true;
    const fenced: OutboxStore = { ...outbox };
    for (const verb of ['delivered', 'retry', 'giveUp'] as const) {
      const honest = outbox[verb] as (input: never) => Promise<never>;
      fenced[verb] = async (input: never) => {
        if (!alive) throw new Error('a dead process writes');
        return honest(input);
      };
    }
    const die = (): void => {
      alive = false;
    };
    const provider = host.connect({ isAlive: () => alive, die });
    const deliver = createDeliverer({
      repos: NO_REPOS,
      outbox: fenced,
      providerOf: () => provider as Provider,
      clock,
      logger: createLogbook(),
      random: () => 0.5,
    });
    return { rounds: { outbox, deliver, clock }, isAlive: () => alive };
  };

  const instances = [spawn(), spawn()];
  /** Two instances at once; one that dies is replaced. */
  const round = async (): Promise<number> => {
    const claims = await Promise.allSettled(instances.map(({ rounds }) => deliverDue(rounds, 2)));
    for (const [index, { isAlive }] of instances.entries()) {
      if (isAlive()) continue;
      instances[index] = spawn();
      if (story.voidsLeases) await outbox.voidLeases();
    }
    return claims.reduce((sum, claim) => sum + (claim.status === 'fulfilled' ? claim.value : 1), 0);
  };
  const drain = async (): Promise<void> => {
    for (let rounds = 0; rounds < 500; rounds += 1) {
      if ((await round()) > 0) continue;
      const next = await outbox.nextDueAt();
      if (next !== undefined) clock.set(next);
      else if (outbox.records().some(({ parked }) => parked !== undefined)) await outbox.resume(clock.now());
      else return;
    }
    throw new Error('the outbox never has nothing to do');
  };

  for (const wish of story.wishes) {
    want(wish);
    await (story.drains ? drain() : round());
  }
  await drain();
  host.settle();
  const wasRefused = story.fates.slice(0, calls).some(({ kind }) => kind === 'permanent');
  return { host, outbox, calls, wasRefused };
}

/**
 * Rule 27's guarantee, and more than it: no status is set twice even after a crash, and no check run made twice. (What
 * was refused starts again and may be set again; an edit is repeated without harm.)
 */
function expectGuarantee({ host, outbox, wasRefused }: Awaited<ReturnType<typeof play>>): void {
  for (const { target, wanted, delivered, uncertain, commentId } of outbox.records()) {
    expect({ version: delivered?.version, uncertain }).toEqual({ version: wanted.version, uncertain: false });
    const { content } = wanted;
    if (target.kind === 'status') expect(host.status(target.commit, target.context)).toEqual(content);
    else if (target.kind === 'comment')
      expect(host.comments(target.pullRequest)).toEqual([{ id: commentId, body: 'body' in content && content.body }]);
    else {
      const { title, annotations } = content as CheckContent;
      const id = delivered?.checkRunId;
      expect(host.checkRun(target.commit, target.name)).toMatchObject({ id, title, annotations });
    }
  }
  for (const [place, shown] of host.history) {
    const versions = shown.map((text) => Number(/v(\d+)$/.exec(text)?.[1]));
    if (!wasRefused && !place.startsWith('#'))
      expect(new Set(versions).size, `nothing twice at ${place}`).toBe(versions.length);
    expect(versions, `never an older version over a newer at ${place}`).toEqual([...versions].sort((a, b) => a - b));
  }
}

const trouble: fc.Arbitrary<CallFate> = fc.oneof(
  fc.constant<CallFate>({ kind: 'fine' }),
  fc.constantFrom<CallFate>({ kind: 'transient' }, { kind: 'permanent' }),
  fc.integer({ min: 0, max: 3_600_000 }).map((wait): CallFate => ({ kind: 'limited', wait })),
  fc.boolean().map((effect): CallFate => ({ kind: 'uncertain', effect })),
  fc.boolean().map((effect): CallFate => ({ kind: 'death', effect })),
);
const anyPlace = fc.constantFrom(...PLACES);
const story = fc.record({
  fates: fc.array(trouble, { maxLength: 40 }),
  wishes: fc.array(fc.option(anyPlace, { nil: undefined }), { minLength: 1, maxLength: 12 }),
  interruptions: fc.array(fc.tuple(fc.nat({ max: 40 }), anyPlace), { maxLength: 8 }).map((pairs) => new Map(pairs)),
  voidsLeases: fc.boolean(),
  drains: fc.constant(false),
});

/** A process dies after it made a newer check run; to read that back is refused; then the older one fits again. */
const refusedReadBack: Story = {
  fates: [
    { kind: 'transient' },
    { kind: 'fine' },
    { kind: 'death', effect: true },
    { kind: 'limited', wait: 55_715 },
    { kind: 'permanent' },
  ],
  wishes: [0, 4, 4, 4, 4, undefined],
  interruptions: new Map(),
  voidsLeases: false,
  drains: false,
};

test('whatever fails or dies in between: the last state is the wanted one, with one comment', async () => {
  let faults = 0;
  await fc.assert(
    fc.asyncProperty(story, async (played) => {
      const end = await play(played);
      faults += played.fates.slice(0, end.calls).filter(({ kind }) => kind !== 'fine').length;
      expectGuarantee(end);
    }),
    { numRuns: 300, examples: [[refusedReadBack]] },
  );
  expect(faults).toBeGreaterThan(300);
});

test(
  'an effect that comes up to 10 s after its answer was lost is waited for: no second comment, nothing older on ' +
    'top',
  async () => {
    const late = fc
      .integer({ min: 0, max: 9_999 })
      .map((ms): CallFate => ({ kind: 'uncertain', effect: true, late: ms }));
    const fates = fc.array(
      fc.oneof(
        late,
        trouble.filter(({ kind }) => kind !== 'permanent' && kind !== 'death'),
      ),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyPlace, { minLength: 1, maxLength: 6 }), fates, async (wishes, fated) => {
        expectGuarantee(
          await play({ fates: fated, wishes, interruptions: new Map(), voidsLeases: false, drains: true }),
        );
      }),
      { numRuns: 200 },
    );
  },
);
