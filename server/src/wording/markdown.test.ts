import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable } from '../core/printable.ts';
import { code, codeCell, encodePath, link, prose } from './markdown.ts';

/** Text that is dense in what Markdown and GitHub give a meaning to. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\\`*_{}[]()<>~&|$^!#@:/.-+=;"\' 1aZé\n\t'),
      fc.constantFrom(
        '``',
        '~~',
        '<!--',
        '-->',
        '<b>',
        '@octocat',
        '#123',
        'GH-12',
        'https://a.example',
        'www.',
        '&lt;',
        '\u202e',
        '😀',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** What a reader sees of prose: entities read, the invisible breaks left out. */
function read(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_, point: string) =>
    point === '8203' ? '' : String.fromCodePoint(Number(point)),
  );
}

describe('prose', () => {
  test.each([
    [
      'markup',
      '*a* _b_ ~~c~~ `d` $e$ a^b',
      '&#42;a&#42; &#95;b&#95; &#126;&#126;c&#126;&#126; &#96;d&#96; &#36;e&#36; a&#94;b',
    ],
    ['HTML', '<script>x</script>', '&#60;script&#62;x&#60;/script&#62;'],
    ['a comment', '<!-- x -->', '&#60;!-- x --&#62;'],
    ['an entity', '&lt;b&gt; &#64;a', '&#38;lt;b&#38;gt; &#38;#&#8203;64;a'],
    ['a link', '[a](http://b)', '&#91;a&#93;(http&#58;//b)'],
    ['an image', '![a](b)', '!&#91;a&#93;(b)'],
    ['a table cell', 'a|b', 'a&#124;b'],
    ['a backslash', 'a\\*', 'a&#92;&#42;'],
    ['a mention', 'thanks @octocat and @org/team', 'thanks @&#8203;octocat and @&#8203;org/team'],
    ['a reference', 'fixes #123 and a/b#4', 'fixes #&#8203;123 and a/b#&#8203;4'],
    ['an address', 'www.a.example', 'www&#46;a&#46;example'],
    ['a mail address', 'a@b.example', 'a@&#8203;b&#46;example'],
    ['lines', 'a\n\n# b\n- c', 'a&#92;n&#92;n#&#8203; b&#92;n- c'],
    ['what is harmless', 'Coverage is 81.20%, down 1% (ok).', 'Coverage is 81.20%, down 1% (ok).'],
  ])('%s', (_, text, expected) => {
    expect(prose(text)).toBe(expected);
  });

  test('reads the same, as one line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(read(prose(text))).toBe(printable(text, 1_000));
      }),
    );
  });

  test('holds nothing that is markup, a tag, an address, a mention or a reference', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const bare = prose(text).replace(/&#\d+;/g, '\u0000');
        expect(bare).not.toMatch(/[\\`*_{}[\]<>~&|$^\n]/);
        expect(bare).not.toMatch(/:\/|@[^\0]|@$|#[^\0]|#$/);
      }),
    );
  });

  test('links no address of digits either', () => {
    expect(prose('www.1.2.3.4/x')).not.toMatch(/www\./);
    expect(prose('see WWW.9-a.example')).not.toMatch(/www\./i);
  });

  test('references no issue by GH-<number>', () => {
    expect(prose('closes GH-12, gh-7')).not.toMatch(/gh-\d/i);
    expect(read(prose('closes GH-12, gh-7'))).toBe('closes GH-12, gh-7');
  });

  test('cuts the text, never an entity', () => {
    expect(prose('*'.repeat(50), 10)).toBe(`${'&#42;'.repeat(9)}…`);
  });
});

/**
 * What a code span shows, by CommonMark's rule: the fence is the first run of backticks, ended by the next of equal
 * length.
 */
function readSpan(markdown: string): { readonly content: string; readonly rest: string } {
  const fence = /^`+/.exec(markdown)?.[0] ?? '';
  const inner = markdown.slice(fence.length);
  const end = [...inner.matchAll(/`+/g)].find((run) => run[0].length === fence.length);
  const raw = inner.slice(0, end?.index);
  const stripped = /^ .*[^ ].* $/.test(raw) ? raw.slice(1, -1) : raw;
  return { content: stripped, rest: end === undefined ? 'unclosed' : inner.slice(end.index + fence.length) };
}

describe('code', () => {
  test.each([
    ['src/a.ts', '`src/a.ts`'],
    ['a`b', '`` a`b ``'],
    ['``', '``` `` ```'],
    ['@user #1 <b> | *', '`@user #1 <b> | *`'],
    ['a\n`\nb', '`` a\\n`\\nb ``'],
    ['', '` `'],
    ['\u202e', '`\\u202e`'],
  ])('%j is %s', (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test('cannot be closed from within, and shows all of it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = readSpan(code(text));
        expect(span).toEqual({ content: printable(text) || ' ', rest: '' });
      }),
    );
  });
});

describe('codeCell', () => {
  test('holds no pipe that ends a cell', () => {
    expect(codeCell('a|b')).toBe('`a\\|b`');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(codeCell(text)).not.toMatch(/(?<!\\)\|/);
      }),
    );
  });

  test('holds no pipe behind two backslashes: some parsers take the second for an escape, and end the cell', () => {
    expect(codeCell('a\\|b')).not.toContain('\\\\|');
  });
});

describe('link and encodePath', () => {
  test.each([
    ['https://ci.example/builds/1', '[x](https://ci.example/builds/1)'],
    ['https://ci.example/a(b)', '[x](https://ci.example/a%28b%29)'],
    ['https://ci.example/a b\n<c>|\\', '[x](https://ci.example/a%20b%0A%3Cc%3E%7C%5C)'],
  ])('%j', (url, expected) => {
    expect(link('x', url)).toBe(expected);
  });

  test('a path keeps its slashes and nothing else that ends it', () => {
    expect(encodePath('src/ä b#1?.ts')).toBe('src/%C3%A4%20b%231%3F.ts');
    expect(encodePath('a/\ud800')).toBe('a/%EF%BF%BD');
  });

  test('an address cannot be ended by what is in it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const address = link('x', `https://ci.example/${encodePath(text)}`).slice('[x]('.length, -1);
        expect(address).not.toMatch(/[()<>|\\\s]/);
      }),
    );
  });
});
