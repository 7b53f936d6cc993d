import { describe, expect, test } from 'vitest';
import { aBuild, aFileChange, aResult, totals } from '../../../test/support/records.ts';
import type { Links } from '../domain/announce/links.ts';
import type { BuildResult } from '../domain/builds/build.ts';
import type { PatchResult } from '../domain/builds/build-facts.ts';
import { fileSections } from './comment-files.ts';
import { MAX_COMMENT, prComment } from './pr-comment.ts';

const links: Links = { base: 'https://ci.example', build: (id) => `https://ci.example/builds/${id}`, lines: undefined };

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
  return { build: aBuild({ pullRequest: 7 }), result: whole, repo: { id: 1 }, links };
};
const sections = (result: Partial<BuildResult>, room = 10_000): string =>
  fileSections(input(result), room)
    .filter((part) => part !== '')
    .join('\n\n');

describe('the parts of a comment about files', () => {
  test(
    'changed files with total and patch coverage, the worst covered change first; then losses elsewhere, then ' +
      'what is not measured',
    () => {
      const text = sections({
        fileChanges: [
          aFileChange('src/gone.ts', { kind: 'removed', totals: undefined, uncovered: [], uncoveredRanges: 0 }),
          aFileChange('src/a.ts'),
          aFileChange('src/in-diff.ts', { kind: 'elsewhere' }),
          aFileChange('lib/far.ts', { kind: 'elsewhere' }),
        ],
        patch: patch({
          files: [file('src/a.ts', 1, 4), file('src/in-diff.ts', 1, 3), file('src/only-in-diff.ts', 2, 2)],
          fileCount: 3,
          unmeasured: ['src/new.ts', 'tools/x.py'],
          unmeasuredCount: 2,
        }),
      });
      expect(text).toMatchInlineSnapshot(`
        "### Changed files

        | File | Coverage | Change | Changed lines | Uncovered lines |
        | --- | ---: | ---: | ---: | --- |
        | \`src/a.ts\` | 80.00% | −10.00 points | 25.00% | 5–6 |
        | \`src/in-diff.ts\` | 80.00% | −10.00 points | 33.33% | 5–6 |
        | \`src/gone.ts\` (no longer reported) | — | — | — |  |
        | \`src/only-in-diff.ts\` | — | — | 100.00% |  |

        Where lines of a file changed, only uncovered ones among these are listed.

        <details><summary>Lost coverage outside the change: 1</summary>

        | File | Coverage | Change |
        | --- | ---: | ---: |
        | \`lib/far.ts\` | 80.00% | −10.00 points |

        </details>

        <details><summary>Not measured, changed files that no report names: 2</summary>

        - \`src/new.ts\`
        - \`tools/x.py\`

        </details>"
      `);
    },
  );

  test('without a diff there is no column for it, and all uncovered lines are listed', () => {
    const text = sections({ fileChanges: [aFileChange('src/a.ts')] });
    expect(text).toContain('| File | Coverage | Change | Uncovered lines |');
    expect(text).toContain('| `src/a.ts` | 80.00% | −10.00 points | 3, 7–9 |');
    expect(text).not.toContain('Where lines of a file changed');
  });

  test('more than there is room for gives way to a link, in every part', () => {
    const names = Array.from({ length: 200 }, (_, index) => `src/${index}/${'x'.repeat(100)}.ts`);
    const result = {
      fileChanges: [
        ...names.map((name) => aFileChange(name)),
        ...names.map((name) => aFileChange(`${name}2`, { kind: 'elsewhere' as const })),
      ],
      fileChangeCount: 1_000,
      patch: patch({ files: [], fileCount: 0, unmeasured: names, unmeasuredCount: 500 }),
    };
    const text = sections(result, 12_000);
    expect(text.length).toBeLessThanOrEqual(12_000 + 1_000);
    const [changed = '', , elsewhere = '', , unmeasured = ''] = fileSections(input(result), 12_000);
    const rows = (part: string): number => part.split('\n').filter((line) => /^(\| `|- `)/.test(line)).length;
    expect([changed, elsewhere, unmeasured].map(rows).every((count) => count > 0)).toBe(true);
    expect(text).toContain(`${1_000 - rows(changed) - rows(elsewhere)} more files on [the build’s page]`);
    expect(unmeasured).toContain(
      `\n\n${500 - rows(unmeasured)} more on [the build’s page](https://ci.example/builds/71).`,
    );
  });

  test('without any room all of it is a link', () => {
    const text = sections(
      { fileChanges: [aFileChange('a.ts')], patch: patch({ unmeasured: ['b.ts'], unmeasuredCount: 1 }) },
      0,
    );
    expect(text).toContain('2 more files on [the build’s page]');
    expect(text).toContain('\n\n1 more on [the build’s page]');
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
    expect(body.length).toBeLessThanOrEqual(MAX_COMMENT);
    expect(body).toMatch(/- `+ u0/);
  });
});
