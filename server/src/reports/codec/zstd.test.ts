import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCompressor, readFrame } from './zstd.ts';
import { isOneFrame } from './zstd-frame.ts';

const PARAMS = { 100: 1, 105: 7 };

/** For few values and for many, short and long: blocks of all kinds, and frames of several blocks. */
const contents = fc
  .record({
    values: fc.constantFrom(1, 2, 7, 256),
    length: fc.constantFrom(1, 2, 30, 700, 9_000, 300_000),
    seed: fc.nat(),
  })
  .map(({ values, length, seed }) => {
    let state = seed;
    return Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 16) % values;
    });
  });

const damages = [
  (frame: Uint8Array, at: number) => frame.subarray(0, at % frame.length),
  (frame: Uint8Array, at: number) =>
    frame.with(at % frame.length, (frame[at % frame.length] as number) ^ (1 << (at % 8))),
  (frame: Uint8Array, at: number) => Buffer.concat([frame, frame.subarray(0, at % frame.length)]),
  (frame: Uint8Array) => Buffer.concat([frame, frame]),
  (frame: Uint8Array) => frame,
];

function outcomeOf(read: () => Uint8Array): string {
  try {
    return Buffer.from(read()).toString('base64');
  } catch {
    return 'refused';
  }
}

describe('a kept context', () => {
  it('makes the bytes that a new one makes, whatever it made before', () => {
    const compress = createCompressor(PARAMS);
    fc.assert(
      fc.property(contents, (bytes) => {
        const frame = compress(bytes);
        const alone = zstdCompressSync(bytes, { params: PARAMS, pledgedSrcSize: bytes.length, chunkSize: 2 ** 20 });
        expect(Buffer.compare(frame, alone)).toBe(0);
        expect(isOneFrame(frame)).toBe(true);
        expect(Buffer.compare(readFrame(frame, bytes.length), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('answers as a new one does, whatever damaged frames it read before', () => {
    const compress = createCompressor({});
    const damaged = fc.record({
      bytes: contents,
      at: fc.nat(),
      damage: fc.constantFrom(...damages),
      more: fc.integer({ min: -1, max: 1 }),
    });
    fc.assert(
      fc.property(damaged, contents, ({ bytes, at, damage, more }, sound) => {
        const frame = damage(compress(bytes), at);
        const length = Math.max(1, bytes.length + more);
        const alone = () => zstdDecompressSync(frame, { maxOutputLength: length, chunkSize: Math.max(64, length + 1) });
        expect(outcomeOf(() => readFrame(frame, length))).toBe(outcomeOf(alone));
        expect(Buffer.compare(readFrame(compress(sound), sound.length), sound)).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('never takes a frame for the rest of one that was cut off', () => {
    const sound = zstdCompressSync(Buffer.from('abcdef'));
    // A block of one byte as it is, and the beginning of a last one of six, with nothing of what it holds.
    const cut = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x08, 0, 0, 0x61, 0x31, 0, 0);
    outcomeOf(() => readFrame(cut, 1));
    expect(Buffer.from(readFrame(sound, 6)).toString()).toBe('abcdef');
  });

  it('makes no more bytes of a frame than were declared', () => {
    const bomb = zstdCompressSync(new Uint8Array(2 ** 27));
    expect(isOneFrame(bomb)).toBe(true);
    expect(() => readFrame(bomb, 1_000)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
    expect(readFrame(zstdCompressSync(Buffer.from('as before')), 9)).toEqual(Buffer.from('as before'));
  });
});

describe('one frame', () => {
  const frame = zstdCompressSync(Buffer.from('a'.repeat(1_000)));

  it.each([
    ['with a checksum', zstdCompressSync(Buffer.from('abc'), { params: { 201: 1 } })],
    ['without the size of its contents', zstdCompressSync(Buffer.from('abc'), { params: { 200: 0 } })],
    ['of nothing', zstdCompressSync(Buffer.alloc(0))],
    ['of many blocks', zstdCompressSync(Buffer.alloc(2 ** 20, 'abcdefg'))],
  ])('is seen %s', (_, bytes) => {
    expect(isOneFrame(bytes)).toBe(true);
    expect(isOneFrame(bytes.subarray(0, -1))).toBe(false);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['another magic number', frame.with(0, 1)],
    ['a frame and a byte', Buffer.concat([frame, Buffer.alloc(1)])],
    ['two frames', Buffer.concat([frame, frame])],
  ])('is not seen in %s', (_, bytes) => expect(isOneFrame(bytes)).toBe(false));
});
