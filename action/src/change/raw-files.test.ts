import { describe, expect, test } from 'vitest';
import { parseRawFiles } from './raw-files.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const raw = (modes: string, status: string, ...names: string[]): string =>
  `:${modes} ${A} ${B} ${status}\0${names.join('\0')}\0`;

describe('what git lists', () => {
  test.each([
    ['a new file', raw('000000 100644', 'A', 'x'), [{ name: 'x', kind: 'added' }]],
    ['a removed one', raw('100644 000000', 'D', 'x'), [{ name: 'x', kind: 'removed' }]],
    ['a renamed one', raw('100644 100644', 'R087', 'old', 'x'), [{ name: 'x', previous_name: 'old', kind: 'renamed' }]],
    ['a name with a line end and a colon', raw('100644 100755', 'M', ':a\nb'), [{ name: ':a\nb', kind: 'modified' }]],
    [
      'a submodule',
      raw('160000 160000', 'M', 'sub') + raw('000000 160000', 'A', 's2') + raw('160000 000000', 'D', 's3'),
      [],
    ],
    [
      'a file that became a submodule',
      raw('100644 160000', 'T', 'x'),
      [{ name: 'x', kind: 'removed', blobs: undefined }],
    ],
    [
      'a submodule that became a file',
      raw('160000 100644', 'T', 'x'),
      [{ name: 'x', kind: 'added', blobs: undefined }],
    ],
    ['a file that became a link', raw('100644 120000', 'T', 'x'), [{ name: 'x', kind: 'modified', blobs: undefined }]],
    [
      'links: a new one, one that leads elsewhere, a renamed one',
      raw('000000 120000', 'A', 'x') + raw('120000 120000', 'M', 'y') + raw('120000 120000', 'R100', 'a', 'b'),
      [],
    ],
    ['nothing', '', []],
    ['something else', 'fatal: no\0x\0', []],
  ])('%s', (_, text, files) => expect(parseRawFiles(text)).toMatchObject(files));

  test('text that stays', () => {
    const [mode] = parseRawFiles(`:100644 100755 ${A} ${A} M\0x\0`);
    expect(mode).toMatchObject({ sameText: true, blobs: `${A}..${A}` });
  });

  test('a list that is cut off anywhere ends with its last whole file', () => {
    const text = raw('100644 100644', 'R087', 'old', 'x') + raw('100644 100644', 'M', 'y');
    const whole = parseRawFiles(text);
    for (let cut = 0; cut < text.length; cut += 1) {
      const found = parseRawFiles(text.slice(0, cut));
      expect(found).toEqual(whole.slice(0, found.length));
    }
    expect(whole).toHaveLength(2);
  });
});
