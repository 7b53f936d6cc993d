import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { JsonWalker } from '../../reports/ingest/json-walker.ts';
import { locateJsonError } from './read-json.ts';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['{x', 1],
  ['abc', 0],
  ['{"a":1,}', 7],
  ['{"a":tru}', 8],
  ['{"a":"x', 7],
  ['', 0],
  ['{"a":1}x', 7],
  ['[1 2]', 3],
  [`{"${'a'.repeat(60)}":bbbbbbbbbbbbbbbbbb bb}`, 64],
  ['-', 1],
  ['{"a":1', 6],
  ['{"a":nul', 8],
  ['[1,2,3,x,5,6,7]', 7],
  ['{"é€😀":x', 8],
  ['[1 true', 3],
  ['["a\nb', 3],
  ['["\\x', 3],
  ['['.repeat(2_000), 2_000],
])('%j goes wrong at %d', (text, offset) => {
  expect(locateJsonError(text)?.offset).toBe(offset);
});

test('counts lines and columns from 1', () => {
  expect(locateJsonError('{\n  "a": 1,\n  oops\n}')).toEqual({ offset: 14, line: 3, column: 3, isTooMuch: false });
});

test('finds its place in a megabyte', () => {
  const place = locateJsonError(`[${'1,'.repeat(500_000)}y`);
  expect(place?.offset).toBe(1_000_001);
  expect(place).toMatchObject({ line: 1, column: 1_000_002 });
});

/** How much of the text the engine takes: all of it, or what its error says; undefined if the error says nothing. */
function takenByEngine(text: string): number | undefined {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const { message } = error as Error;
    const digits = / at position (\d+)/.exec(message)?.[1];
    if (digits !== undefined) return Number(digits);
    return message.startsWith('Unexpected end') ? text.length : undefined;
  }
}

/** The longest beginning of the text that could still become JSON, by trying all of them. */
function longestBeginning(text: string): number {
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => text.length - length);
  return lengths.find((length) => takenByEngine(text.slice(0, length)) === length) ?? 0;
}

test('agrees with the engine about any broken text', () => {
  const piece = fc.constantFrom(...'{}[]:,"\\utnfalsr0123.eE+- \n', 'true', 'null', '"a":', 'é', '😀');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(takenByEngine(text) !== text.length);
      expect(locateJsonError(text)?.offset).toBe(longestBeginning(text));
    }),
    { numRuns: 2_000 },
  );
});

test('answers nothing for JSON, and says where it is too deep', () => {
  expect(locateJsonError(' {"a":[1,true,null,"é"]}\n')).toBeUndefined();
  expect(locateJsonError('[[[]]]', 3)).toBeUndefined();
  expect(locateJsonError('{"a":1,"b":[2]}', 4)).toBeUndefined();
  expect(locateJsonError('{"a":1,"b":[2]}', 3)).toEqual({ offset: 12, line: 1, column: 13, isTooMuch: true });
  expect(locateJsonError('[[[]]]', 2)).toEqual({ offset: 2, line: 1, column: 3, isTooMuch: true });
});

test('parses nothing, and reads each byte a few times', () => {
  const parse = vi.spyOn(JSON, 'parse');
  expect(locateJsonError('['.repeat(2 ** 20))?.offset).toBe(2 ** 20);
  expect(parse).not.toHaveBeenCalled();
  const size = 10_000;
  for (const text of ['['.repeat(size), `[${'1,'.repeat(size / 2)}y`, `["${'\\n'.repeat(size / 2)}`]) {
    let reads = 0;
    const bytes = new Proxy(Buffer.from(text), {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
    expect(new JsonWalker(bytes, size).walkDocument()).toBe(false);
    expect(reads).toBeLessThan(10 * size);
  }
});
