const BITS_EACH = 16;
const PROBES = 4;
const MIN_BITS = 2 ** 12;
/** 64 MiB, for 32 million digests. */
const MAX_BITS = 2 ** 29;

/**
 * Remembers digests in little memory: whatever was added is found, and of the others about one of four hundred is found
 * too, with another `salt` another one.
 */
export interface DigestFilter {
  /** As hashDigests answers them. */
  add(hashes: Uint32Array): void;
  has(digest: string): boolean;
}

/** `count`: how many digests there may be; with more it finds more that were not added. */
export function createDigestFilter(count: number, salt: number): DigestFilter {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, count) * BITS_EACH));
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, wanted));
  const bytes = new Uint8Array(bits / 8);
  const bitOf = (first: number, second: number, probe: number): number =>
    (Math.imul(first ^ salt, 0x9e3779b1) + Math.imul(probe, second | 1)) & (bits - 1);
  return {
    add(hashes) {
      for (let at = 0; at < hashes.length; at += 2) {
        for (let probe = 0; probe < PROBES; probe += 1) {
          const bit = bitOf(hashes[at] as number, hashes[at + 1] as number, probe);
          bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
        }
      }
    },
    has(digest) {
      const [first = 0, second = 0] = hashDigests([digest]);
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = bitOf(first, second, probe);
        if (((bytes[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false;
      }
      return true;
    },
  };
}

/** Two numbers for each, by FNV-1a from two beginnings: a fraction of what the texts take on their way to a thread. */
export function hashDigests(digests: Iterable<string>): Uint32Array<ArrayBuffer> {
  const hashes: number[] = [];
  for (const digest of digests) {
    let [first, second] = [0x811c9dc5, 0x01000193];
    for (let index = 0; index < digest.length; index += 1) {
      const code = digest.charCodeAt(index);
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second ^ code, 0x85ebca6b);
    }
    hashes.push(first, second);
  }
  return Uint32Array.from(hashes);
}
