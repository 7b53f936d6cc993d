import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBodyBuffers } from './body-buffers.ts';

const MIB = 2 ** 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a buffer for a body', () => {
  it('is that of an earlier body of about the same size', () => {
    const buffers = createBodyBuffers();
    const first = buffers.allocate(3 * MIB + 10);
    expect(first.byteLength).toBe(3 * MIB + 10);
    first.set([1, 2, 3]);
    buffers.giveBack(first.buffer);
    const second = buffers.allocate(3 * MIB + 999);
    expect([second.buffer === first.buffer, second.byteLength]).toEqual([true, 3 * MIB + 999]);
    expect(buffers.allocate(3 * MIB).buffer).not.toBe(first.buffer);
  });

  it.each([2 * MIB, 3 * MIB + 2 ** 17])('is another for %i bytes', (bytes) => {
    const buffers = createBodyBuffers();
    const { buffer } = buffers.allocate(3 * MIB);
    buffers.giveBack(buffer);
    expect(buffers.allocate(bytes).buffer).not.toBe(buffer);
  });

  it('of a small one is as large as the body, and not kept', () => {
    const buffers = createBodyBuffers();
    const small = buffers.allocate(1_000);
    expect([small.buffer.byteLength, buffers.owns(small)]).toEqual([1_000, false]);
    expect([buffers.owns(buffers.allocate(MIB)), buffers.owns(new Uint8Array(MIB))]).toEqual([true, false]);
  });

  it('is not kept beyond 16 MiB, and none of it once no body came for a while', () => {
    const buffers = createBodyBuffers();
    const taken = Array.from({ length: 5 }, () => buffers.allocate(4 * MIB).buffer);
    for (const buffer of taken) buffers.giveBack(buffer);
    const left = () => taken.map(({ byteLength }) => byteLength / MIB);
    expect(left()).toEqual([4, 4, 4, 4, 0]);
    vi.advanceTimersByTime(9_000);
    buffers.giveBack(buffers.allocate(4 * MIB).buffer);
    vi.advanceTimersByTime(9_000);
    expect(left()).toEqual([4, 4, 4, 4, 0]);
    vi.advanceTimersByTime(2_000);
    expect(left()).toEqual([0, 0, 0, 0, 0]);
    const later = buffers.allocate(4 * MIB).buffer;
    buffers.giveBack(later);
    vi.advanceTimersByTime(20_000);
    expect(later.byteLength).toBe(0);
  });
});
