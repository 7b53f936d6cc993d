import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { cobertura } from './cobertura.ts';
import type { ParsedReport } from './coverage-format.ts';

const wrap = (classes: string, sources = '<source>/work/repo</source>'): string =>
  `<?xml version="1.0"?>\n<coverage line-rate="1" version="1"><sources>${sources}</sources>` +
  `<packages><package name="p"><classes>${classes}</classes></package></packages></coverage>\n`;
const inClass = (lines: string, filename = 'a.py', methods = '<methods/>'): string =>
  `<class name="a" filename="${filename}">${methods}<lines>${lines}</lines></class>`;
const parse = (text: string, atOnce?: number): ParsedReport =>
  cobertura.parse(reportInMemory('coverage.xml', text, atOnce));
const shown = ({ files, sources, warnings }: ParsedReport) => ({
  files: files.map((file) => ({ name: file.name, coverage: file.coverage(), branches: file.branches() })),
  sources,
  warnings,
});
const only = (text: string) => {
  const { files, warnings } = shown(parse(text));
  expect(files).toHaveLength(1);
  return { ...files[0], warnings };
};

describe('lines', () => {
  test('hits by number', () => {
    expect(only(wrap(inClass('<line number="2" hits="5"/><line number="4" hits="0"/>')))).toMatchObject({
      name: 'a.py',
      coverage: [null, 5, null, 0],
      branches: [],
    });
  });

  test('a line under its method and again under its class is one line with one count', () => {
    const methods =
      '<methods><method name="m"><lines><line number="1" hits="3"/><line number="2" ' +
      'hits="1"/></lines></method></methods>';
    expect(
      only(wrap(inClass('<line number="1" hits="3"/><line number="2" hits="2"/>', 'a.py', methods))).coverage,
    ).toEqual([3, 2]);
  });

  test('lines that stand under methods alone count', () => {
    const methods =
      '<methods><method name="m"><lines><line number="1" hits="3" condition-coverage="50% (1/2)"/></lines></method>' +
      '</methods>';
    expect(only(wrap(inClass('', 'A.java', methods)))).toMatchObject({
      coverage: [3],
      branches: [1, 0, 0, 1, 1, 0, 1, 0],
    });
  });

  // As istanbul writes `export const add = (a, b) =>\n  a + b;`: the function is declared on line 1, its line is 2.
  test('a line under a method that its class does not list is none, nor are its branches', () => {
    const methods =
      '<methods><method name="add"><lines><line number="1" hits="3" condition-coverage="0% (0/2)"/></lines></method>' +
      '</methods>';
    const lines = '<line number="2" hits="3"/>';
    const expected = { coverage: [null, 3], branches: [] };
    expect(only(wrap(inClass(lines, 'a.js', methods)))).toMatchObject(expected);
    const methodsLast = `<class name="a" filename="a.js"><lines>${lines}</lines>${methods}</class>`;
    expect(only(wrap(methodsLast))).toMatchObject(expected);
  });

  test('each class decides for itself whether the lines of its methods count', () => {
    const methods = '<methods><method name="m"><lines><line number="1" hits="3"/></lines></method></methods>';
    const classes = inClass('', 'A.java', methods) + inClass('<line number="2" hits="1"/>', 'A.java', methods);
    expect(only(wrap(classes)).coverage).toEqual([3, 1]);
  });

  test('a line repeated for each function (gcovr) is one line', () => {
    expect(only(wrap(inClass('<line number="3" hits="2"/><line number="3" hits="1"/>'))).coverage).toEqual([
      null,
      null,
      2,
    ]);
  });

  test('classes of one file are merged, hits summed', () => {
    const text = wrap(
      inClass('<line number="1" hits="1"/>') + inClass('<line number="1" hits="2"/><line number="2" hits="0"/>'),
    );
    expect(only(text).coverage).toEqual([3, 0]);
  });

  test.each([
    ['3000000000', 3_000_000_000],
    ['1e+06', 1_000_000],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
  ])('hits of %s', (hits, expected) => {
    expect(only(wrap(inClass(`<line number="1" hits="${hits}"/>`))).coverage).toEqual([expected]);
  });

  test('negative hits are 0, line 0 does not exist; both with a warning', () => {
    const { coverage, warnings } = only(wrap(inClass('<line number="0" hits="1"/><line number="1" hits="-4"/>')));
    expect(coverage).toEqual([0]);
    expect(warnings).toEqual([expect.stringContaining('1 negative'), expect.stringContaining('for line 0')]);
  });

  test('a <line> outside of a class is none', () => {
    expect(only(wrap(`<line number="9" hits="1"/>${inClass('<line number="1" hits="1"/>')}`)).coverage).toEqual([1]);
  });
});

describe('branches', () => {
  test('condition-coverage tells covered and all arms', () => {
    const line = '<line number="2" hits="1" branch="true" condition-coverage="66% (2/3)"/>';
    expect(only(wrap(inClass(line))).branches).toEqual([2, 0, 0, 1, 2, 0, 1, 1, 2, 0, 2, 0]);
  });

  test('the same condition under method and class counts once; the larger of two counts is taken', () => {
    const methods =
      '<methods><method><lines><line number="1" hits="1" condition-coverage="50% (1/2)"/></lines></method></methods>';
    const line = '<line number="1" hits="1" branch="true" condition-coverage="50,0 % (2/4)"/>';
    expect(only(wrap(inClass(line, 'a.py', methods))).branches).toEqual([
      1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 2, 0, 1, 0, 3, 0,
    ]);
  });

  test('<conditions> hold percentages only and do not count', () => {
    const line =
      '<line number="1" hits="1" branch="true" condition-coverage="50% (1/2)">' +
      '<conditions><condition number="0" type="jump" coverage="50%"/></conditions></line>';
    expect(only(wrap(inClass(line)))).toMatchObject({
      coverage: [1],
      branches: [1, 0, 0, 1, 1, 0, 1, 0],
      warnings: [],
    });
  });

  test('a condition without counts is left out with a warning', () => {
    const line =
      '<line number="1" hits="1" branch="true" condition-coverage="50%"/><line number="2" hits="1" branch="True"/>';
    const { branches, warnings } = only(wrap(inClass(line)));
    expect(branches).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('branches of 2 lines are left out')]);
  });
});

describe('names and sources', () => {
  test('several sources, with blanks, CDATA and comments', () => {
    const sources =
      '<source> /w/repo </source><source><![CDATA[/w/a&b]]></source><source>/w/<!-- x -->c</source><source></source>';
    expect(parse(wrap(inClass(''), sources)).sources).toEqual(['/w/repo', '/w/a&b', '/w/c']);
  });

  test('predefined entities and character references in names', () => {
    expect(only(wrap(inClass('', 'a&amp;b/&lt;T&gt;/&#xe9;&#128512;.cs'))).name).toBe('a&b/<T>/é😀.cs');
  });

  test('a DOCTYPE is passed over, its entities never expanded', () => {
    const bomb = '<!DOCTYPE coverage [<!ENTITY a "aaaa>"><!ENTITY b "&a;&a;"> <!-- ]> " --> ]>';
    const text = wrap(inClass('<line number="1" hits="1"/>', '&b;.py')).replace('?>', `?>${bomb}`);
    expect(only(text)).toMatchObject({ name: '&b;.py', coverage: [1] });
  });

  test('a DTD that is referred to is not fetched', () => {
    const reference = '<!DOCTYPE coverage SYSTEM "http://127.0.0.1:1/coverage-04.dtd">';
    expect(only(wrap(inClass('<line number="1" hits="1"/>')).replace('?>', `?>${reference}`)).coverage).toEqual([1]);
  });
});

describe('damage is an error with the file, the line and what was expected', () => {
  test.each([
    ['number missing', wrap(inClass('\n<line hits="1"/>')), 3, 'expected number="<line>" on <line>, got nothing'],
    ['number is text', wrap(inClass('<line number="x" hits="1"/>')), 2, 'expected number="<line>" on <line>, got "x"'],
    ['number too large', wrap(inClass('<line number="999999999" hits="1"/>')), 2, 'expected number="<line>"'],
    ['hits missing', wrap(inClass('<line number="1"/>')), 2, 'expected hits="<count>" on <line>, got nothing'],
    [
      'hits are text',
      wrap(inClass('<line number="1" hits="yes"/>')),
      2,
      'expected hits="<count>" on <line>, got "yes"',
    ],
    [
      'more arms covered than there are',
      wrap(inClass('<line number="1" hits="1" condition-coverage="1% (3/2)"/>')),
      2,
      'expected condition-coverage',
    ],
    ['class without filename', wrap('<class name="x"><lines/></class>'), 2, 'expected filename="..." on <class>'],
    ['another root', '<?xml version="1.0"?>\n\n<report/>', 3, 'expected <coverage>, got <report>'],
    ['cut off between tags', '<coverage>\n<packages>\n', 2, 'expected </packages>, but the file ends'],
    ['cut off in a tag', '<coverage>\n<packages>\n<pack', 3, 'expected the end of a tag, but the file ends inside it'],
  ])('%s', (_, text, line, expected) => {
    expect(() => parse(text)).toThrow(`coverage.xml, line ${line}: ${expected}`);
  });
});

describe('recognized by content', () => {
  test.each([
    wrap(''),
    '<coverage line-rate="0.5">',
    '<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "x.dtd"><!-- by > hand --><coverage version="1"><sources>',
    '<coverage>\n <packages>',
  ])('%j is', (head) => expect(cobertura.matches(head)).toBe(true));

  test.each([
    ['Clover', '<coverage generated="1" clover="3.2.0"><project>'],
    ['SonarQube', '<coverage version="1"><file path="a">'],
    ['JaCoCo', '<report name="x"><sessioninfo/>'],
    ['OpenCover', '<CoverageSession><Summary/>'],
    ['LCOV', 'TN:\nSF:a'],
    ['nothing', ''],
  ])('%s is not', (_, head) => expect(cobertura.matches(head)).toBe(false));
});

test('a report reads the same wherever it is cut into blocks', () => {
  const text = wrap(
    inClass(
      '<line number="1" hits="12" branch="true" condition-coverage="50% (1/2)"><conditions/></line><!-- > -->',
      'ä.py',
    ) + inClass('<line  number = \'7\'\thits=\'3\' />\n<line number="8" hits="0"></line>', 'b&amp;c.py'),
    '<source>/w/<![CDATA[x>y]]></source><source>ü</source>',
  );
  const whole = shown(parse(text));
  expect(whole.files).toHaveLength(2);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length }), (chunk) => {
      expect(shown(parse(text, chunk))).toEqual(whole);
    }),
    {
      numRuns: 60,
    },
  );
});
