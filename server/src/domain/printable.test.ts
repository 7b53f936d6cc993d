import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { printable } from './printable.ts';

const mixedText = fc.oneof(
  fc.string(),
  anyText(),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

describe('printable', () => {
  test.each([
    ['plain', 'feat/x-1', 'feat/x-1'],
    ['other scripts', 'ветка ブランチ 🚀', 'ветка ブランチ 🚀'],
    ['lines', 'one\r\ntwo\u2028three\u2029four', 'one two three four'],
    ['control characters', 'a\u0000b\u001b[31mc\u007f', 'a b [31mc'],
    ['marks that reorder', 'user\u202egnp.exe\u2066\u200f', 'user gnp.exe'],
    ['zero-width characters', 'ad\u200bmin\ufeff', 'ad min'],
    ['blanks around', '  x \n', 'x'],
    ['nothing to see', '\u200b\n', ''],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('what is too long ends in an ellipsis, in whole characters', () => {
    expect(printable('abcdef', 6)).toBe('abcdef');
    expect(printable('abcdefg', 6)).toBe('abcde…');
    expect(printable('🚀'.repeat(7), 6)).toBe(`${'🚀'.repeat(5)}…`);
  });

  test('is one line within its limit, whatever comes', () => {
    fc.assert(
      fc.property(mixedText, fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const line = printable(text, limit);
        expect([...line].length).toBeLessThanOrEqual(limit);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('holds no half of a surrogate pair, which no provider takes', () => {
    expect(printable('a\ud800b')).toBe('a b');
    fc.assert(
      fc.property(mixedText, (text) => {
        expect(printable(text).isWellFormed()).toBe(true);
      }),
    );
  });
});
