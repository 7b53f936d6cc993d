import { describe, expect, it } from 'vitest';
import { MAX_FILE_LINES } from '../../core/coverage/file-coverage.ts';
import { MAX_ADDED_LINES } from '../../core/diff/file-diff.ts';
import { checkDiff, MAX_DIFF_BYTES, OversizeDiff } from './diff-field.ts';

const [BASE, HEAD] = ['b'.repeat(40), 'a'.repeat(40)];
const FILE = { name: 'a.ts', kind: 'modified', hunks: [[1, 1, 1, 2]] };
const diff = (stated: object = {}): object => ({
  base_sha: BASE,
  head_sha: HEAD,
  complete: true,
  files: [FILE],
  ...stated,
});
const withFile = (stated: object): object => diff({ files: [FILE, { ...FILE, ...stated }] });
const withHunks = (...hunks: unknown[]): object => withFile({ hunks });
const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number) => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
});

describe('the diff of an upload', () => {
  it.each([[undefined], [null], ['']])('%j is none', (value) => expect(checkDiff(value)).toEqual({ warnings: [] }));

  it('is taken with clean names, lower-case shas, and what is not known', () => {
    const files = [
      {
        name: './src\\a.ts',
        kind: 'modified',
        hunks: [
          [1, 0, 1, 2],
          [2, 1, 4, 0],
          [9, 3, 10, 3],
        ],
      },
      { name: 'b.ts', previous_name: 'old//b.ts', kind: 'renamed', hunks: [] },
      { name: 'logo.png', kind: 'modified', hunks: null },
      { name: 'new.ts', kind: 'added', previous_name: 7, hunks: [[1, 0, 1, 5]], additions: 5 },
    ];
    expect(checkDiff(diff({ base_sha: BASE.toUpperCase(), complete: false, files, more: {} }))).toEqual({
      warnings: [],
      checked: {
        base: BASE,
        head: HEAD,
        diff: {
          complete: false,
          files: [
            {
              name: 'src/a.ts',
              previousName: undefined,
              kind: 'modified',
              hunks: [hunk(1, 0, 1, 2), hunk(2, 1, 4, 0), hunk(9, 3, 10, 3)],
              complete: true,
            },
            { name: 'b.ts', previousName: 'old/b.ts', kind: 'renamed', hunks: [], complete: true },
            { name: 'logo.png', previousName: undefined, kind: 'modified', hunks: [], complete: false },
            { name: 'new.ts', previousName: undefined, kind: 'added', hunks: [hunk(1, 0, 1, 5)], complete: true },
          ],
        },
      },
    });
  });

  const HUNK = 'must be [old start, old lines, new start, new lines], counted from 1';
  const BEHIND = 'must be behind the one before, with as many unchanged lines between them on both sides';
  it.each<[string, unknown, string]>([
    ['a text', 'x', 'diff must be an object, but is "x".'],
    ['a list', [], 'diff must be an object, but is [].'],
    ['a number', 7, 'diff must be an object, but is 7.'],
    ['no base', diff({ base_sha: undefined }), "diff.base_sha must be a commit's whole sha, but is undefined."],
    ['half a sha', diff({ head_sha: 'abc1234' }), 'diff.head_sha must be a commit\'s whole sha, but is "abc1234".'],
    ['a sha with more', diff({ head_sha: `${HEAD}\n` }), 'diff.head_sha must be'],
    ['no files', diff({ files: undefined }), 'diff.files must be an array, but is undefined.'],
    ['files by name', diff({ files: { a: 1 } }), 'diff.files must be an array, but is an object.'],
    [
      'no word on completeness',
      diff({ complete: undefined }),
      'diff.complete must be true or false, but is undefined.',
    ],
    ['a file that is none', diff({ files: [null] }), 'diff.files[0] must be an object, but is null.'],
    ['no name', withFile({ name: '' }), 'diff.files[1].name must be a file\'s path, but is "".'],
    ['a name that is too long', withFile({ name: 'x'.repeat(5_000) }), 'diff.files[1].name must be'],
    [
      'an unknown kind',
      withFile({ kind: 'copied' }),
      'diff.files[1].kind must be added, removed, modified or renamed, but is "copied".',
    ],
    [
      'a renamed file that was never called anything',
      withFile({ kind: 'renamed' }),
      'diff.files[1].previous_name must be',
    ],
    ['no hunks', withFile({ hunks: undefined }), 'diff.files[1].hunks must be an array, but is undefined.'],
    ['hunks that are none', withHunks(7), 'diff.files[1].hunks[0] must be an array, but is 7.'],
    ['three numbers', withHunks([1, 1, 1]), `diff.files[1].hunks[0] ${HUNK}, but is [1,1,1].`],
    ['five numbers', withHunks([1, 1, 1, 1, 1]), `${HUNK}, but is an array of 5.`],
    ['texts', withHunks(['1', 1, 1, 1]), HUNK],
    ['half lines', withHunks([1, 0.5, 1, 1]), HUNK],
    ['a line 0', withHunks([0, 1, 1, 1]), HUNK],
    ['fewer lines than none', withHunks([1, -1, 1, 1]), HUNK],
    ['nothing changed', withHunks([1, 0, 1, 0]), HUNK],
    [
      'more lines than any file has',
      withHunks([1, 1, 1, MAX_FILE_LINES + 1]),
      'hunks[0] must end within the 16777216 lines',
    ],
    [
      'more lines than any file had',
      withHunks([2, MAX_FILE_LINES, 2, 1]),
      'that a file can have, but is [2,16777216,2,1].',
    ],
    ['no safe integers', withHunks([2 ** 60, 1, 2 ** 60, 1]), HUNK],
    ['hunks in disorder', withHunks([9, 1, 9, 1], [1, 1, 1, 1]), `diff.files[1].hunks[1] ${BEHIND}, but is [1,1,1,1].`],
    ['hunks that overlap', withHunks([1, 3, 1, 3], [3, 1, 3, 1]), BEHIND],
    ['hunks that touch', withHunks([1, 1, 1, 1], [2, 1, 2, 1]), BEHIND],
    ['unequal numbers of unchanged lines', withHunks([1, 1, 1, 1], [5, 1, 6, 1]), BEHIND],
    ['unequal numbers before the first', withHunks([2, 1, 3, 1]), BEHIND],
    [
      'too many bytes',
      new OversizeDiff(MAX_DIFF_BYTES + 1),
      'it has 4194305 bytes of JSON, but at most 4194304 are allowed;',
    ],
    [
      'too many files',
      diff({ files: Array.from({ length: 10_001 }, () => FILE) }),
      'diff.files has 10001 entries, but at most 10000 are allowed.',
    ],
  ])('%s: is left out with a warning', (_, value, problem) => {
    const { checked, warnings } = checkDiff(value);
    expect(checked).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`The upload's diff was not used: `);
    expect(warnings[0]).toContain(problem);
    expect(warnings[0]?.length).toBeLessThan(400);
  });

  it('takes a file of as many lines as one may have', () => {
    const last = MAX_FILE_LINES;
    expect(checkDiff(withHunks([last, 1, last, 1])).warnings).toEqual([]);
    expect(checkDiff(withHunks([last + 1, 0, last + 1, 1])).warnings).toHaveLength(1);
  });

  it('adds up the lines that files have more, where they were there before', () => {
    const half = (stated: object) => ({ ...FILE, hunks: [[1, 0, 1, MAX_ADDED_LINES / 2]], ...stated });
    const files = [half({}), half({ kind: 'renamed', previous_name: 'b.ts' }), half({ kind: 'added' })];
    expect(checkDiff(diff({ files })).warnings).toEqual([]);
    const more = { ...FILE, hunks: [[1, 3, 1, 1]] };
    expect(checkDiff(diff({ files: [...files, more] })).warnings).toEqual([
      "The upload's diff was not used: it puts 4194305 new lines into modified and renamed files, and may put " +
        '4194304; send hunks: null for the largest.',
    ]);
  });

  it('counts the hunks of all files together', () => {
    const hunks = (count: number) => Array.from({ length: count }, (_, index) => [index * 2 + 1, 1, index * 2 + 1, 1]);
    const half = { ...FILE, hunks: hunks(50_000) };
    expect(checkDiff(diff({ files: [half, half] })).warnings).toEqual([]);
    expect(checkDiff(diff({ files: [half, half, FILE] })).warnings[0]).toContain('more than 100000 hunks in all');
  });
});
