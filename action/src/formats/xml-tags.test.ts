import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { readXml } from './xml-tags.ts';

/** All that a document holds, as one line. */
function events(text: string, atOnce?: number): string {
  const seen: string[] = [];
  readXml(reportInMemory('a.xml', text, atOnce), {
    textOf: new Set(['t']),
    open: (tag) => seen.push(`+${tag.name}(${tag.attribute('a') ?? ''})`),
    close: (name) => seen.push(`-${name}`),
    text: (piece) => seen.push(`"${piece}"`),
  });
  return seen.join(' ');
}

test.each([
  ['<r><x a="1"/></r>', '+r() +x(1) -x -r'],
  ["<r a='2'></r>", '+r(2) -r'],
  ['<r\n  b="0"\n  a = "x>y"\n/>', '+r(x>y) -r'],
  ['<r><!-- <x> --><?pi <x> ?><![CDATA[<x>]]></r>', '+r() -r'],
  ['<r><t>a<b/>c</t></r>', '+r() +t() "a" +b() -b "c" -t -r'],
  ['<r aa="1" a="2" a="3"/>', '+r(2) -r'],
  ['<ns:r a="&lt;"/>\n<!-- after -->\n', '+ns:r(<) -ns:r'],
])('%j', (text, expected) => {
  expect(events(text)).toBe(expected);
  expect(events(text, 1).replaceAll('" "', '')).toBe(expected);
});

describe('not well formed', () => {
  test.each([
    ['', 1, 'expected an XML element, but the file has none'],
    ['<a>\n</b>', 2, 'expected </a>, got </b>'],
    ['<a/>\n</a>', 2, 'expected no </a> here'],
    ['<a/>\n<b/>', 2, 'expected nothing after the root element, got <b>'],
    ['<a>\n<b c=1/></a>', 2, 'expected a quote around the value of an attribute'],
    ['<a b="1\n<c/></a>', 1, 'expected the closing quote of an attribute before <'],
    ['<a>\n<b c/></a>', 2, 'expected name="value" in the tag'],
    ['<a>\n< b/></a>', 2, 'expected the name of an element after <'],
    ['<a>\n<b/x></a>', 2, 'expected > after / in a tag'],
    ['<a><!-- ', 1, 'but the file ends inside it'],
    ['<a><![CDATA[ ', 1, 'but the file ends inside it'],
    ['<!DOCTYPE a [ <!ENTITY b "c">', 1, 'but the file ends inside it'],
    ['<!DOCTYPE a [ <!ENTITY', 1, 'but the file ends inside it'],
  ])('%j', (text, line, expected) => {
    expect(() => events(text)).toThrow(new RegExp(`a\\.xml, line ${line}: .*${expected.replace(/[[\]/()]/g, '\\$&')}`));
    expect(() => events(text, 1)).toThrow(expected);
  });
});
