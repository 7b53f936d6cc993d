import { expect, test } from 'vitest';
import { decodeXmlText } from './xml-attributes.ts';

test.each([
  ['plain', 'plain'],
  ['&lt;init&gt; &amp; &quot;x&quot; &apos;', '<init> & "x" \''],
  ['&#65;&#x42;&#X43;', 'ABC'],
  ['&amp;lt;', '&lt;'],
])('%s', (text, decoded) => {
  expect(decodeXmlText(text)).toBe(decoded);
});

test.each(['&nbsp;', '&own;', '&constructor;', '&#0;', '&#xd800;', '&#1114112;', '&#99999999;', '& b', '&amp'])(
  '%s stays as it is',
  (text) => {
    expect(decodeXmlText(text)).toBe(text);
  },
);
