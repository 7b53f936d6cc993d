import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFileChange, aResult, totals } from '../../../test/support/records.ts';
import type { BuildResult } from '../core/builds/build.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { fileParts } from './comment-files.ts';
import { prComment } from './pr-comment.ts';

const file = (name: string, covered: number, all: number): PatchResult['files'][number] => ({
  name,
  totals: totals(covered, all),
  uncovered: covered < all ? [[5, 6]] : [],
  uncoveredRanges: covered < all ? 1 : 0,
});
const patch = (stated: Partial<PatchResult> = {}): PatchResult => ({
  totals: totals(5, 8),
  files: [file('src/a.ts', 1, 4)],
  fileCount: 1,
  unmeasured: [],
  unmeasuredCount: 0,
  complete: true,
  verdict: undefined,
  ...stated,
});
const input = (result: Partial<BuildResult>) => {
  const whole = aResult({ fileChangeCount: result.fileChanges?.length ?? 0, ...result });
  return { build: aBuild({ pullRequest: 7 }), result: whole, repo: { id: 1 }, links, terms: USUAL_TERMS };
};
const sections = (result: Partial<BuildResult>, room = 10_000): string =>
  Object.values(fileParts(input(result), room))
    .filter((part) => part !== '')
    .join('\n\n');

describe('the parts of a comment about files', () => {
  test('what the change misses, the worst first; what came and went; losses elsewhere; what is not measured', () => {
    const text = sections({
      fileChanges: [
        aFileChange('src/gone.ts', { kind: 'removed', totals: undefined, uncovered: [], uncoveredRanges: 0 }),
        aFileChange('src/a.ts', { kind: 'added' }),
        aFileChange('src/in-diff.ts', { kind: 'elsewhere' }),
        aFileChange('lib/late.ts', { kind: 'newly-measured', baseTotals: undefined }),
        aFileChange('lib/far.ts', { kind: 'elsewhere' }),
        aFileChange('lib/lost.ts', { kind: 'elsewhere', newlyMissed: [[7, 7]], newlyMissedRanges: 1 }),
        aFileChange('lib/arm.ts', {
          kind: 'elsewhere',
          newlyMissed: [],
          newlyMissedRanges: 0,
          newlyPartly: [4],
          newlyPartlyLines: 1,
        }),
        aFileChange('src/own.ts', {
          kind: 'changed',
          newlyMissed: [
            [3, 3],
            [7, 9],
          ],
          newlyMissedRanges: 2,
          newlyPartly: [12, 14],
          newlyPartlyLines: 2,
        }),
      ],
      patch: patch({
        files: [
          file('src/in-diff.ts', 1, 3),
          { ...file('src/a.ts', 1, 4), partlyCovered: [2, 9], partlyCoveredLines: 2 },
          { ...file('src/branch.ts', 4, 4), totals: totals(4, 4, 1, 2), partlyCovered: [3], partlyCoveredLines: 1 },
          file('src/only-in-diff.ts', 2, 2),
        ],
        fileCount: 4,
        unmeasured: ['src/new.ts', 'tools/x.py'],
        unmeasuredCount: 2,
      }),
    });
    expect(text.replaceAll(/\]\(https:[^)]*\/(file|builds)\//g, '](')).toMatchInlineSnapshot(`
      "|File|Changed lines|Missing|
      |:--|--:|:--|
      |[\`a.ts\`](src/a.ts) (new)|25.00%|[5–6](src/a.ts#L5-L6), branches at [2](src/a.ts#L2) and [9](src/a.ts#L9)|
      |[\`in-diff.ts\`](src/in-diff.ts)|33.33%|[5–6](src/in-diff.ts#L5-L6)|
      |[\`branch.ts\`](src/branch.ts)|83.33%|branch at [3](src/branch.ts#L3)|

      **Lost outside the change:** [\`lib/lost.ts\`](lib/lost.ts) line [7](lib/lost.ts#L7); [\`lib/arm.ts\`](lib/arm.ts) branch at [4](lib/arm.ts#L4); [\`src/own.ts\`](src/own.ts) lines [3](src/own.ts#L3), [7–9](src/own.ts#L7-L9), branches at [12](src/own.ts#L12) and [14](src/own.ts#L14).

      **New in reports:** [\`lib/late.ts\`](lib/late.ts) 80.00%.

      **No longer in reports:** \`src/gone.ts\`.

      **Lost in other files:** [\`lib/far.ts\`](lib/far.ts) 80.00% (−10.00).

      **Changed files that aren’t in any report:** \`src/new.ts\`; \`tools/x.py\`."
    `);
  });

  test('without a diff all that is missing in files of the change, with how they moved', () => {
    const text = sections({ fileChanges: [aFileChange('src/a.ts'), aFileChange('src/b.ts', { uncoveredRanges: 0 })] });
    expect(text.replaceAll(/\]\(https:[^)]*\/file\//g, '](')).toBe(
      [
        '|File|Coverage (change, points)|Missing|',
        '|:--|--:|:--|',
        '|[`a.ts`](src/a.ts)|80.00% (−10.00)|[3](src/a.ts#L3), [7–9](src/a.ts#L7-L9)|',
      ].join('\n'),
    );
  });

  test('files whose paths end alike are shown with their whole path', () => {
    const text = sections({
      fileChanges: [aFileChange('a/index.ts'), aFileChange('b/index.ts'), aFileChange('c/d.ts')],
    });
    expect(text.match(/(?<=^\|\[`)[^`]*/gm)).toEqual(['a/index.ts', 'b/index.ts', 'd.ts']);
  });

  test('more than there is room for gives way to a link, in every part', () => {
    const names = Array.from({ length: 200 }, (_, index) => `src/${index}/${'x'.repeat(100)}.ts`);
    const result = {
      fileChanges: [
        ...names.map((name) => aFileChange(name)),
        ...names.map((name) => aFileChange(`${name}2`, { kind: 'elsewhere' as const })),
      ],
      fileChangeCount: 1_000,
      patch: patch({
        files: names.map((name) => file(name, 1, 4)),
        fileCount: 200,
        unmeasured: names,
        unmeasuredCount: 500,
      }),
    };
    const text = sections(result, 30_000);
    expect(text.length).toBeLessThanOrEqual(30_000 + 1_000);
    const { changed, elsewhere, unmeasured } = fileParts(input(result), 30_000);
    const rows = (part: string): number => part.split('\n').filter((line) => /^(\|\[`|- )/.test(line)).length;
    expect([changed, elsewhere, unmeasured].map(rows).every((count) => count > 1)).toBe(true);
    expect(changed).toMatch(/^<details><summary>Changed lines 62\.50% · 200 of 200 files have missed lines<\/summary>/);
    expect(rows(changed)).toBe(10);
    expect(changed).toContain('\n\n[190 more files](https://ci.example/builds/71#changed)\n\n</details>');
    expect(text).toContain(`${800 - rows(elsewhere)} more files on [the build’s page]`);
    expect(unmeasured).toContain(
      `- ${501 - rows(unmeasured)} more on [the build’s page](https://ci.example/builds/71)`,
    );
  });

  test('without any room all of it is a link', () => {
    const text = sections(
      { fileChanges: [aFileChange('a.ts')], patch: patch({ unmeasured: ['b.ts'], unmeasuredCount: 1 }) },
      0,
    );
    expect(text).toContain('[1 more file](https://ci.example/builds/71#changed)');
    expect(text).toContain('**Changed files that aren’t in any report:** 1 more on [the build’s page]');
  });

  test('a whole comment keeps the limit with the largest results there are', () => {
    const name = (index: number): string => `${index}/${'`|@ä'.repeat(60)}`;
    const uncovered = Array.from({ length: 20 }, (_, index) => [index * 2 + 1, index * 2 + 1] as const);
    const files = Array.from({ length: 200 }, (_, index) => ({
      name: name(index),
      totals: totals(1, 30),
      uncovered,
      uncoveredRanges: 20,
    }));
    const result = input({
      fileChanges: files.map((one) => aFileChange(one.name, { uncovered, uncoveredRanges: 20 })),
      patch: patch({ files, fileCount: 900, unmeasured: files.map((one) => `u${one.name}`), unmeasuredCount: 900 }),
    });
    const body = prComment(result);
    expect(body.length).toBeLessThanOrEqual(65_000);
    expect(body).toMatch(/- `+ u0/);
  });
});
