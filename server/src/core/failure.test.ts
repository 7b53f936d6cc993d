import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteValue } from './failure.ts';

const nested = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

describe('a quoted value', () => {
  test.each<[unknown, string]>([
    ['text', '"text"'],
    [7, '7'],
    [Number.NaN, 'null'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1, undefined, [], {}], '[1,null,[],{}]'],
    [{ a: undefined, b: [true], c: { d: 'e' } }, '{"b":[true],"c":{"d":"e"}}'],
    ['a\n\u202eb\u007f', String.raw`"a\n\u202eb\u007f"`],
    ['x'.repeat(100), `"${'x'.repeat(79)}…`],
    [Array(100).fill(0), `[${'0,'.repeat(39)}0…`],
  ])('%o is %s', (value, quoted) => {
    expect(quoteValue(value)).toBe(quoted);
  });

  test('may be a bigint', () => {
    expect(quoteValue(7n)).toBe('7');
  });

  test('is the beginning of its JSON, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, limit) => {
        const json = JSON.stringify(value).replace(
          /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
          '\ufffd',
        );
        expect(quoteValue(value, limit)).toBe(json.length > limit ? `${json.slice(0, limit)}…` : json);
      }),
    );
  });

  test('may be nested deeper than any stack', () => {
    expect(quoteValue(nested(500_000), 10)).toBe('[{"a":[{"a…');
  });

  test('is read no further than it is shown', () => {
    let reads = 0;
    const long = new Proxy(Array(1_000_000).fill(0), {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
    expect(quoteValue(long, 20)).toHaveLength(21);
    expect(reads).toBeLessThan(100);
  });
});
