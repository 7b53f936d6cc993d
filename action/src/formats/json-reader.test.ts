import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { JsonDocument, type JsonKey, type JsonReader, type JsonScalar } from './json-reader.ts';

type Read = JsonScalar | Read[] | [JsonKey, Read][];

/** Reads a document as lists, so that names like `__proto__` need no care. */
function read(text: string, chunkBytes?: number): Read {
  const root: Read[] = [];
  const collect = (into: unknown[], kind: JsonReader['kind']): JsonReader => ({
    kind,
    open: (key, inner) => {
      const members: unknown[] = [];
      into.push(kind === 'array' ? members : [key, members]);
      return collect(members, inner);
    },
    value: (key, value) => into.push(kind === 'array' ? value : [key, value]),
  });
  new JsonDocument(reportInMemory('r.json', text)).read((_, kind) => collect(root, kind), chunkBytes);
  return root;
}

function asLists(value: unknown): Read {
  if (Array.isArray(value)) return value.map(asLists);
  if (typeof value !== 'object' || value === null) return value as JsonScalar;
  return Object.entries(value).map(([key, member]) => [key, asLists(member)]);
}

const damage = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message.replace(/ The report is damaged.*/, '');
  }
  return 'no damage';
};

test('reads what JSON.parse reads, cut into pieces of any size', () => {
  const document = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(document, fc.nat(3), fc.integer({ min: 1, max: 60 }), (value, indent, chunkBytes) => {
      const text = JSON.stringify(value, null, indent);
      expect(read(text, chunkBytes)).toEqual(asLists(JSON.parse(text)));
    }),
    { numRuns: 150 },
  );
});

test('a name of an object prototype is a name', () => {
  expect(read('{"__proto__": {"constructor": 1}}')).toEqual([['__proto__', [['constructor', 1]]]]);
});

test('a byte order mark is no part of it', () => {
  expect(read('\ufeff[1]')).toEqual([1]);
});

test('numbers larger than a double holds exactly, and hits like 1e+06', () => {
  expect(read('[1e+06, 123456789012345678, 0, -3, 0.5, 900000000000000]')).toEqual([
    1_000_000, 123456789012345680, 0, -3, 0.5, 900000000000000,
  ]);
});

test('what nobody asks for is passed over, however long', () => {
  const values: JsonScalar[] = [];
  const report = reportInMemory('r.json', `{"skip": [${'{"a": "\\"]"},'.repeat(1000)}0], "keep": 7}`);
  const reader: JsonReader = { kind: 'object', value: (_, value) => values.push(value) };
  new JsonDocument(report).read(() => reader, 64);
  expect(values).toEqual([7]);
});

describe('damage', () => {
  test.each([
    ['', 'r.json, line 1: expected JSON, but the file has none.'],
    ['{\n"a": 1\n', 'r.json, line 3: expected "}", but the file ends.'],
    ['[1,\n2', 'r.json, line 2: expected "]", but the file ends.'],
    ['{\n"a', 'r.json, line 2: expected the end of a value, but the file ends inside it.'],
    ['{"a": 1\n"b": 2}', 'r.json, line 2: expected "," or "}", got "\\"".'],
    ['{"a" 1}', 'r.json, line 1: expected ":", got "1".'],
    ['{a: 1}', 'r.json, line 1: expected "," or "}", got "a".'],
    ['{"a": 1,}', 'r.json, line 1: expected a name in quotes, got "}".'],
    ['[1, 2,\n]', 'r.json, line 2: expected a value, got "]".'],
    ['[\n01]', 'r.json, line 2: expected a value, got "01".'],
    ['[NaN]', 'r.json, line 1: expected a value, got "NaN".'],
    ['[toString]', 'r.json, line 1: expected a value, got "toString".'],
    ['["\\x"]', 'r.json, line 1: expected a text in quotes as JSON writes it.'],
    ['["a\nb"]', 'r.json, line 1: expected a text in quotes as JSON writes it.'],
    ['[1]\n[2]', 'r.json, line 2: expected nothing after the end of the JSON, got "[".'],
    ['12', 'r.json, line 1: expected "{" or "[", got "12".'],
    ['[1}', 'r.json, line 1: expected "," or "]", got "}".'],
    ['['.repeat(300), 'r.json, line 1: expected at most 200 levels of nesting.'],
  ])('%j', (text, expected) => {
    expect(damage(text)).toBe(expected);
  });

  test('is told where it is, behind many lines', () => {
    expect(damage(`[\n${'1,\n'.repeat(1_000_000)}x]`)).toBe('r.json, line 1000002: expected a value, got "x".');
  });
});
