import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addEntry, canonicalJson, measureEntry, NO_ENTRIES } from './digest.ts';

describe('canonical JSON', () => {
  it('sorts keys at every depth and leaves undefined out', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined, a: null }], a: 'x' })).toBe('{"a":"x","b":[{"a":null,"d":1}]}');
  });

  it('counts half of a surrogate pair as what MongoDB makes of it', () => {
    expect(canonicalJson({ a: 'x\ud800y' })).toBe(canonicalJson({ a: 'x\ufffdy' }));
    expect(canonicalJson('\ud83d\ude00')).toBe('"\ud83d\ude00"');
  });

  it('is JSON of the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value);
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(turnRound(plain))).toBe(text);
      }),
    );
  });
});

function turnRound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnRound);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, turnRound(field)]),
  );
}

describe('the digest of a kind', () => {
  const entry = { record: { repoId: 1, digest: 'd' }, bytes: new Uint8Array([1, 2]) };
  const measured = measureEntry('source', entry);

  it('depends on key, record and bytes, and on whether there are any', () => {
    expect(measured.key).toBe('1/d');
    const others = [
      { ...entry, bytes: new Uint8Array([2, 1]) },
      { ...entry, bytes: new Uint8Array() },
      { record: entry.record },
    ];
    const digests = [entry, ...others].map((one) => measureEntry('source', one).digest.toString('hex'));
    expect(new Set(digests).size).toBe(4);
  });

  it('depends on the order, and continues from where it was', () => {
    const other = measureEntry('source', { record: { repoId: 2, digest: 'e' } });
    const both = addEntry(addEntry(NO_ENTRIES, measured), other);
    expect(both.count).toBe(2);
    expect(addEntry(addEntry(NO_ENTRIES, other), measured).digest).not.toBe(both.digest);
    expect(addEntry({ ...addEntry(NO_ENTRIES, measured) }, other)).toEqual(both);
  });
});
