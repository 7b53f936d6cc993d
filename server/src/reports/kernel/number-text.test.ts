import { expect, it } from 'vitest';
import { describePacked } from '../../../../test/support/packed-reports.ts';
import { buildReport } from '../ingest/build-report.ts';
import { parseJob, parseSlowly } from '../ingest/parse-job.ts';
import { TEXT_BYTES } from './kernel.ts';
import { NumberText } from './number-text.ts';

const LIMIT = 2 ** 24;

/** What is read and packed by the kernel, and what JSON.parse and the codec make of the same job. */
function expectSame(job: unknown, space = ''): void {
  const bytes = Buffer.from(JSON.stringify(job).replaceAll(',', `,${space}`));
  const [packed, expected] = [parseJob, parseSlowly].map((read) =>
    describePacked(buildReport(read(bytes, LIMIT).job).report),
  );
  expect(packed).toEqual(expected);
}

const open = (text: string): NumberText => new NumberText(Buffer.from(text));

it('reads an array wherever the window of its memory ends', () => {
  const hits = '[7,7,7,null,null,12,123456789,0,300,300]';
  const branches = '[1,0,0,5,1,0,1,0,12,0,0,123456789,12,1,0,77]';
  for (let before = 0; before < hits.length + branches.length + 20; before += 1) {
    const padding = ' '.repeat(TEXT_BYTES - before - 4);
    const text = open(`[1]${padding}${hits}${branches}`);
    expect([text.takeHits(0), text.end]).toEqual([1, 3]);
    const at = 3 + padding.length;
    expect([text.takeHits(at), text.end]).toEqual([10, at + hits.length]);
    const next = at + hits.length;
    expect([text.takeBranches(next), text.end]).toEqual([4, next + branches.length]);
    expect([0, 1, 2, 3].map((index) => text.result(index as 0))).toEqual([4, 4, 4, 3]);
  }
});

it.each(['[', '[1', '[1,', '[1,2', '[1,0,0', '[1,0,0,', '[1,0,0,5', '[1,0,0,5,'])(
  'stops where the text %s ends',
  (cut) => {
    const text = open(cut);
    expect([text.takeHits(0), text.takeBranches(0)]).toEqual([-1, -1]);
  },
);

it.each([
  ['one number for all lines', () => 0],
  ['a run for each line', (index: number) => index % 2],
  ['a value for each line', (index: number) => 2 + (index % 2)],
  ['long values', (index: number) => 383 + (index % 500)],
  ['the longest values', (index: number) => 999_999_999 - (index % 500)],
])('packs as many as its memory holds, and more: %s', (_, hitsOf) => {
  const width = String(hitsOf(1)).length + 1;
  const max = Math.floor((TEXT_BYTES - 1) / width);
  for (const count of [max - 1, max, max + 1]) {
    const coverage = Array.from({ length: count }, (_, index) => hitsOf(index));
    expectSame({
      source_files: [
        { name: 'a', coverage: [null] },
        { name: 'b', coverage },
      ],
    });
  }
});

it.each(['', ' '])('packs branches of every kind of key, with "%s" behind a comma', (space) => {
  const branches = [
    ...[1, 0, 0, 300, 1, 0, 1, 0],
    ...[2, 0, 0, 1, 2, 1, 0, 70_000, 2, 1, 1, 9_999_999],
    ...[127, 2, 0, 1, 253, 3, 0, 1, 380, 10, 0, 5, 380, 10, 1, 254, 380, 10, 10, 255, 380, 10, 11, 256],
  ];
  const source_files = branches.flatMap((_, at) =>
    at % 4 === 0 ? [{ name: `to-${at}`, coverage: [], branches: branches.slice(0, at) }] : [],
  );
  const largest = [5, 2_147_483_647, 0, 1, 6, 2_147_483_648, 0, 1];
  expectSame({ source_files: [...source_files, { name: 'z', coverage: [], branches: largest }] }, space);
});
