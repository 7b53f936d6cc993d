import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadBudget, SMALL_BODY, type UploadBudget } from './upload-budget.ts';

const KIB = 1_024;
const LARGE = 1_000 * KIB;

let budget: UploadBudget;
beforeEach(() => {
  vi.useFakeTimers();
  // 1,000 KiB for small bodies, 7,000 KiB for large ones.
  budget = createUploadBudget({ bytes: 8_000 * KIB, deadline: 5_000, now: Date.now });
});
afterEach(() => void vi.useRealTimers());

/** What has become of a promise by now. */
async function stateOf(promise: Promise<unknown> | undefined): Promise<string> {
  const done = promise?.then(
    () => 'granted',
    (error: { readonly code: string }) => error.code,
  );
  return Promise.race([done ?? 'at once', vi.advanceTimersByTimeAsync(0).then(() => 'waiting')]);
}

test('bodies hold what they grew to, until they are released', () => {
  const one = budget.open(undefined);
  expect(one.grow(4 * KIB)).toBeUndefined();
  expect(one.grow(LARGE)).toBeUndefined();
  expect(one.grow(KIB)).toBeUndefined();
  expect([one.size, budget.held]).toEqual([LARGE, LARGE]);
  one.release();
  one.release();
  expect([one.grow(LARGE), one.size, budget.held]).toEqual([undefined, 0, 0]);
});

test('who finds no memory waits, first come first served', async () => {
  const all = budget.open(undefined);
  void all.grow(7_000 * KIB);
  const [first, second] = [budget.open(undefined), budget.open(undefined)];
  const waits = [first.grow(5_000 * KIB), second.grow(3_000 * KIB)];
  expect(await Promise.all(waits.map(stateOf))).toEqual(['waiting', 'waiting']);
  all.release();
  expect(await Promise.all(waits.map(stateOf))).toEqual(['granted', 'waiting']);
  first.release();
  expect(await stateOf(waits[1])).toBe('granted');
  expect(budget.held).toBe(3_000 * KIB);
});

test('who waits too long is refused, and all its waiting counts', async () => {
  const all = budget.open(undefined);
  void all.grow(6_500 * KIB);
  const one = budget.open(undefined);
  const early = one.grow(1_000 * KIB);
  await vi.advanceTimersByTimeAsync(3_000);
  all.release();
  expect(await stateOf(early)).toBe('granted');
  const others = budget.open(undefined);
  void others.grow(6_000 * KIB);
  const late = one.grow(2_000 * KIB);
  expect(await stateOf(late)).toBe('waiting');
  const refused = stateOf(late);
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  expect(await stateOf(late)).toBe('unavailable');
  expect(one.size).toBe(1_000 * KIB);
});

test('a body that is released while it waits leaves nothing behind', async () => {
  const all = budget.open(undefined);
  void all.grow(7_000 * KIB);
  const ended = budget.open(undefined);
  const waiting = ended.grow(LARGE);
  ended.release();
  all.release();
  await stateOf(waiting);
  expect(budget.held).toBe(0);
});

test('small bodies never wait for large ones', () => {
  void budget.open(undefined).grow(7_000 * KIB);
  expect(budget.open(SMALL_BODY).grow(SMALL_BODY)).toBeUndefined();
});

test('a body fits into its share, whatever the limits', () => {
  const tiny = createUploadBudget({ bytes: 80 * KIB, now: Date.now });
  expect(tiny.open(60 * KIB).grow(60 * KIB)).toBeUndefined();
});

test('a body that stops coming makes way for one that waits; others are left alone', async () => {
  const [still, quick, complete] = [budget.open(undefined), budget.open(undefined), budget.open(undefined)];
  for (const body of [still, quick, complete]) void body.grow(2_300 * KIB);
  complete.complete();
  still.note(2_000 * KIB);
  const next = budget.open(undefined);
  for (let second = 0; second < 4; second += 1) {
    quick.note(500 * KIB);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const displaced = still.displaced.catch((error: { readonly message: string }) => {
    still.release();
    return error.message;
  });
  const waiting = next.grow(2_000 * KIB);
  await vi.advanceTimersByTimeAsync(500);
  expect(await displaced).toMatch(/^The body came too slowly .* after 2048000 bytes/);
  expect(await stateOf(waiting)).toBe('granted');
  expect(await stateOf(quick.displaced)).toBe('waiting');
  expect(await stateOf(complete.displaced)).toBe('waiting');
});

test('large bodies of unknown callers wait for each other, and leave the rest to known ones', async () => {
  const [first, second, small, unstated] = [LARGE, LARGE * 1.5, 200 * KIB, undefined].map((length) => ({
    memory: budget.open(length),
    length,
  }));
  expect(await stateOf(first?.memory.ofUnknown(first.length))).toBe('granted');
  const waits = [second, unstated].map((one) => one?.memory.ofUnknown(one.length));
  expect(await Promise.all(waits.map(stateOf))).toEqual(['waiting', 'waiting']);
  expect(await stateOf(small?.memory.ofUnknown(small.length))).toBe('granted');
  expect(await stateOf(budget.open(7_000 * KIB).grow(7_000 * KIB))).toBe('at once');
  first?.memory.release();
  expect(await Promise.all(waits.map(stateOf))).toEqual(['granted', 'waiting']);
  second?.memory.release();
  expect(await stateOf(waits[1])).toBe('granted');
});

test('of those a slow one gives way too', async () => {
  const slow = budget.open(1_800 * KIB);
  await slow.ofUnknown(1_800 * KIB);
  void slow.grow(1_800 * KIB);
  slow.note(KIB);
  const gaveWay = stateOf(slow.displaced);
  expect(await gaveWay).toBe('waiting');
  await vi.advanceTimersByTimeAsync(4_000);
  slow.note(KIB);
  const next = budget.open(LARGE);
  const waiting = next.ofUnknown(LARGE);
  slow.displaced.catch(() => slow.release());
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await stateOf(slow.displaced), await stateOf(waiting)]).toEqual(['unavailable', 'granted']);
});
