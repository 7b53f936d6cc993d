import { expect, test } from 'vitest';
import { FileHits } from '../formats/file-hits.ts';
import { TextEnds } from './text-ends.ts';

function hitsOf(name: string, lines: readonly number[], branches: readonly number[] = []): FileHits {
  const file = new FileHits(name);
  for (const line of lines) file.addLine(line, line);
  for (const line of branches) file.addBranch(line, 0, 0, 1);
  return file;
}

test.each([
  ['a\nb\n', 2],
  ['a\nb', 2],
  ['a\r\nb\r\n', 2],
  ['a\rb\rc', 3],
  ['a\u2028b', 2],
  ['', 0],
  ['\n', 1],
  ['\n\n', 2],
])('%j ends with line %i', (text, last) => {
  const ends = new TextEnds();
  const lines = [1, 2, 3, 4];
  const kept = ends.within(hitsOf('a.js', lines, lines), Buffer.from(text));
  expect(kept.lastLine).toBe(last);
  expect(kept.branches().length).toBe(last * 4);
  const told: string[] = [];
  const log = { info: (line: string) => told.push(line), warning: (line: string) => told.push(`warning: ${line}`) };
  expect(ends.tell(log)).toEqual({ beyond_end: { lines: 4 - last, files: 1 } });
  expect(told[0]).toContain(`warning: Left out, because beyond the end of the file: ${4 - last} line`);
  expect(told[1]).toContain(`a.js has ${last} line`);
});

test('one line more than the text has is beyond its end', () => {
  expect(new TextEnds().within(hitsOf('a', [1, 2, 3]), Buffer.from('a\nb\n')).lastLine).toBe(2);
});

test('what lies within its text, or has none that is known, stays as it is', () => {
  const ends = new TextEnds();
  const [within, unknown, branches] = [hitsOf('a', [1, 2, 3]), hitsOf('b', [99]), hitsOf('c', [1], [3])];
  expect(ends.within(within, Buffer.from('a\nb\nc\n'))).toBe(within);
  expect(ends.within(unknown, undefined)).toBe(unknown);
  expect(ends.tell({ info: expect.fail, warning: expect.fail })).toEqual({});
  expect(ends.within(branches, Buffer.from('a\n')).branches()).toEqual([]);
  expect(ends.files.map(({ name, lastLine }) => [name, lastLine])).toEqual([
    ['a', 3],
    ['b', 99],
    ['c', 1],
  ]);
});
