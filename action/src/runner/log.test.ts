import { expect, test } from 'vitest';
import { oneLine } from './log.ts';

test('a name with line breaks stays on one line', () => {
  expect(oneLine('src/a\r\n::error::b\u2028c')).toBe('src/a ::error::b c');
});

test.each(['::set-env name=PATH::x', '  ::add-mask::x'])('%j is no workflow command any more', (text) => {
  expect(oneLine(text).trimStart()).not.toMatch(/^::/);
});

test('the older form of a workflow command is broken up anywhere in the line', () => {
  expect(oneLine('file ##[error]boo')).toBe('file ## [error]boo');
});

test('plain text stays as it is', () => {
  expect(oneLine('src/grüße — a::b.ts')).toBe('src/grüße — a::b.ts');
});
