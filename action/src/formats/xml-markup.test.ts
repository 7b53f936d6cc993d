import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cobertura } from './cobertura.ts';
import { recognize } from './formats.ts';
import { readFirstTag } from './xml-markup.ts';

describe('the first tag', () => {
  test.each([
    ['<a>', { name: 'a', attributes: '', rest: '' }],
    [' \n<a b="1"/>x', { name: 'a', attributes: ' b="1"/', rest: 'x' }],
    ['<a b=', { name: 'a', attributes: ' b=', rest: undefined }],
    ['<?xml version="1.0"?><!-- <b> -->\n<!DOCTYPE a [<!ENTITY c "]>">]><a>', { name: 'a', attributes: '', rest: '' }],
    ['<!-- <b>', undefined],
    ['<!DOCTYPE a', undefined],
    ['text <a>', undefined],
    ['', undefined],
  ])('of %j', (text, expected) => expect(readFirstTag(text)).toEqual(expected));
});

test.each([
  ['<!-- generated -->\n<!DOCTYPE coverage [<!ELEMENT a (b)>]>\n<COVERAGE line-rate="1">', true],
  ['<coverage><!-- a --> <!-- b --><sources>', true],
  ['<coverage><!-- a --> <!-- b --><file>', false],
  ['<coverages line-rate="1">', false],
  ['<coverage line-rate="1"', false],
])('%j is Cobertura: %s', (head, expected) => expect(cobertura.matches(head)).toBe(expected));

// Each of these would keep a pattern that goes back over what it has read busy for hours: that the test ends is enough.
describe('64 KiB that were made to be read again and again', () => {
  const HEAD_LENGTH = 64 << 10;
  const filled = (start: string, piece: string): string => start + piece.repeat(Math.ceil(HEAD_LENGTH / piece.length));
  test.each([
    ['comments', filled('', '<!---->\n')],
    ['comments below a root', filled('<coverage>', '<!---->\t')],
    ['comments below a root of rates', filled('<coverage a="1">', '\t<!---->')],
    ['instructions', filled('', '<?a?>  ')],
    ['declarations', filled('', '<!DOCTYPE a>\n')],
    ['brackets that stay open', filled('', '--><!DOCTYPE[O')],
    ['brackets in a comment', filled('<!--', '--><!DOCTYPE[O')],
    ['roots that are cut off', filled('', '<coverage ')],
    ['blanks', filled('', ' ')],
    ['attributes', filled('<coverage', ' generated')],
  ])('%s', (_, head) => expect(recognize(head).format).toBeUndefined());

  test('any sequence of such pieces', () => {
    const piece = fc.constantFrom(
      '<!--',
      '-->',
      '<?',
      '?>',
      '<!DOCTYPE',
      '[',
      ']',
      '>',
      '"',
      ' ',
      '<coverage',
      '<file',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        (start, again) => {
          recognize(filled(start.join(''), again.join('')));
        },
      ),
    );
  });
});
