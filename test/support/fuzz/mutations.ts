import fc from 'fast-check';

/**
 * One change to some bytes. Places are parts of a million, so that a change means something for bytes of any length.
 */
export type Mutation =
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: string }
  | { readonly kind: 'remove'; readonly at: number; readonly length: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number };

const place = fc.nat({ max: 1_000_000 });

/** Bytes that mean something to one of the readers: JSON, multipart, gzip, zstd, UTF-8. As latin1. */
const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    'null',
    'true',
    '-',
    '1e999',
    '0.5',
    '99999999999999999999',
    '\\u0000',
    '\\ud800',
  ],
  ...[
    '\r\n',
    '\r\n\r\n',
    '--',
    '\r\n--',
    '&',
    '=',
    '%',
    '+',
    ';',
    '\0',
    '\x1f\x8b\x08',
    '\x28\xb5\x2f\xfd',
    '\xef\xbb\xbf',
    '\xff\xfe',
  ],
  ...[
    '\xed\xa0\x80',
    '\xc0\xaf',
    '\xe9',
    '"source_files":[',
    '"coverage":[',
    '"repo_token":',
    '"__proto__":',
    '"json":"',
  ],
];

/** A few changes; often none, so that what is changed elsewhere is reached. */
export function mutations(max: number): fc.Arbitrary<readonly Mutation[]> {
  return mutationsWith(TOKENS, max);
}

/** The same, that insert bytes of another language; as latin1. */
export function mutationsWith(tokens: readonly string[], max: number): fc.Arbitrary<readonly Mutation[]> {
  const bytes = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }) },
  );
  const change = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: place }),
    fc.record({ kind: fc.constant('flip' as const), at: place, bit: fc.nat({ max: 7 }) }),
    fc.record({ kind: fc.constant('insert' as const), at: place, bytes }),
    fc.record({ kind: fc.constant('remove' as const), at: place, length: fc.nat({ max: 40 }) }),
    fc.record({
      kind: fc.constant('repeat' as const),
      at: place,
      length: fc.integer({ min: 1, max: 60 }),
      times: fc.integer({ min: 1, max: 500 }),
    }),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(change, { maxLength: max }) },
  );
}

/** The bytes after all changes. */
export function mutate(original: Uint8Array, changes: readonly Mutation[]): Buffer {
  return changes.reduce<Buffer>(mutateOnce, Buffer.from(original));
}

function mutateOnce(bytes: Buffer, change: Mutation): Buffer {
  const at = Math.floor((change.at / 1_000_001) * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (change.kind) {
    case 'cut':
      return before;
    case 'flip': {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] as number) ^ (1 << change.bit);
      return flipped;
    }
    case 'insert':
      return Buffer.concat([before, Buffer.from(change.bytes, 'latin1'), after]);
    case 'remove':
      return Buffer.concat([before, after.subarray(change.length)]);
    case 'repeat': {
      const piece = after.subarray(0, change.length);
      return Buffer.concat([before, ...Array.from({ length: change.times }, () => piece), after]);
    }
  }
}
