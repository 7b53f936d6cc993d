import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { printable, showHidden } from './printable.ts';

const mixedText = fc.oneof(
  fc.string(),
  anyText(),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

describe('printable', () => {
  test.each([
    ['plain', 'feat/x-1', 'feat/x-1'],
    ['other scripts', 'ветка ブランチ 🚀', 'ветка ブランチ 🚀'],
    ['lines', 'one\r\ntwo\u2028three\u2029four', String.raw`one\r\ntwo\u2028three\u2029four`],
    ['control characters', 'a\u0000b\u001b[31mc\u007f', String.raw`a\u0000b\u001b[31mc\u007f`],
    ['marks that reorder', 'user\u202egnp.exe\u2066\u200f', String.raw`user\u202egnp.exe\u2066\u200f`],
    ['zero-width characters', 'ad\u200bmin\ufeff', String.raw`ad\u200bmin\ufeff`],
    ['blanks around', '  x ', 'x'],
    ['nothing to see', '\u200b\n', String.raw`\u200b\n`],
    ['hidden characters of four bytes', 'a\u{e0041}b', String.raw`a\udb40\udc41b`],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test('what is too long ends in an ellipsis, in whole characters', () => {
    expect(printable('abcdef', 6)).toBe('abcdef');
    expect(printable('abcdefg', 6)).toBe('abcde…');
    expect(printable('🚀'.repeat(7), 6)).toBe(`${'🚀'.repeat(5)}…`);
  });

  test('no escape is cut in two', () => {
    for (let limit = 1; limit < 20; limit += 1)
      expect(printable('a\u202e'.repeat(3), limit)).toMatch(/^(?:a|\\u202e)*…?$/);
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
    expect(printable('a\ud800b')).toBe(String.raw`a\ud800b`);
    fc.assert(
      fc.property(mixedText, (text) => {
        expect(printable(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('showHidden', () => {
  test('writes out what hides or reorders text, and leaves the layout', () => {
    expect(showHidden('a\tb\n\u202ec\r\n')).toBe('a\tb\n\\u202ec\\r\n');
  });

  test('passes over no character that hides or reorders text', () => {
    const passed = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => showHidden(character) === character && printable(`a${character}`) === `a${character}`,
    );
    expect(passed.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(passed).toContain('−');
  });

  test('keeps the value of what is JSON', () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const json = showHidden(JSON.stringify({ text }));
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
