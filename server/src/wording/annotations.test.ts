import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, sha, totals } from '../../../test/support/records.ts';
import { checkName } from '../core/announce/contexts.ts';
import type { Annotations, PatchResult } from '../core/builds/build-facts.ts';
import { marksCheck, unmarkedCheck } from './annotations.ts';

const build = aBuild({ pullRequest: 7, target: sha('d') });
const input = { build, links };
const PAGE = 'https://ci.example/builds/71';
const FOOT = `[Build 71](${PAGE}). This check only marks lines: the commit statuses say what passes.`;

const patchFile = (name: string, covered: number, relevant: number): PatchResult['files'][number] => ({
  name,
  totals: totals(covered, relevant),
  uncovered: [],
  uncoveredRanges: 0,
});
const aPatch = (change: Partial<PatchResult> = {}): PatchResult => ({
  totals: totals(18, 30),
  files: [patchFile('src/a.ts', 8, 18), patchFile('src/b.ts', 2, 4), patchFile('src/c.ts', 8, 8)],
  fileCount: 3,
  unmeasured: [],
  unmeasuredCount: 0,
  complete: true,
  verdict: undefined,
  ...change,
});
const marks: Annotations = {
  places: [
    { file: 'src/a.ts', first: 12, last: 18 },
    { file: 'src/b.ts', first: 3, last: 3 },
  ],
  more: 0,
  lostFiles: 0,
};
const check = (patch: PatchResult = aPatch(), more: Partial<Annotations> = {}) =>
  marksCheck(input, { patch, marks: { ...marks, ...more } });

describe('the check run that marks uncovered lines', () => {
  test('is neutral, says how many lines, and has a remark for each place', () => {
    expect(check()).toEqual({
      kind: 'check',
      conclusion: 'neutral',
      title: '12 changed lines are not covered by tests',
      summary: [
        'Tests cover 18 of 30 relevant changed lines.',
        '| File | Uncovered changed lines |\n| --- | ---: |\n| `src/a.ts` | 10 |\n| `src/b.ts` | 2 |',
        FOOT,
      ].join('\n\n'),
      detailsUrl: PAGE,
      annotations: [
        {
          file: 'src/a.ts',
          firstLine: 12,
          lastLine: 18,
          level: 'warning',
          message: 'Lines 12 to 18 are not covered by tests.',
        },
        { file: 'src/b.ts', firstLine: 3, lastLine: 3, level: 'warning', message: 'Line 3 is not covered by tests.' },
      ],
    });
  });

  test('says how many places are not marked and where they are', () => {
    expect(check(aPatch(), { more: 23 }).summary).toContain(`; [23 more places are on the build’s page](${PAGE}).`);
    expect(check(aPatch(), { more: 1 }).summary).toContain('[1 more place is on the build’s page]');
    expect(check(aPatch(), { lostFiles: 2 }).summary).toContain(
      'In 2 files missed lines could not be found in the text of this commit, so they are not marked.',
    );
    expect(check(aPatch({ complete: false })).summary).toContain('changed files or lines are unknown');
    expect(check(aPatch({ fileCount: 5 })).summary).toContain(`[2 more changed files](${PAGE})`);
  });

  test.each<[string, number, number, string]>([
    ['one line', 1, 2, '1 changed line is not covered by tests'],
    ['all covered', 2, 2, 'Every relevant changed line is covered'],
    ['none relevant', 0, 0, 'No changed lines with code'],
  ])('of %s', (_, covered, relevant, title) => {
    const found = check(aPatch({ totals: totals(covered, relevant), files: [] }), { places: [] });
    expect(found).toMatchObject({ title, conclusion: covered === relevant ? 'success' : 'neutral', annotations: [] });
  });

  test('that has nothing to mark any more says why', () => {
    expect(unmarkedCheck(input, 'switched-off')).toEqual({
      kind: 'check',
      conclusion: 'neutral',
      title: 'Annotations are switched off',
      summary: `This repo no longer marks its missed lines.\n\n${FOOT}`,
      detailsUrl: PAGE,
      annotations: [],
    });
    expect(unmarkedCheck(input, 'unknown')).toMatchObject({ conclusion: 'neutral', annotations: [] });
  });

  test('is called by the server’s word, and so as no status is', () => {
    expect(checkName('coverage')).toBe('coverage annotations');
  });
});

describe('hostile names (rule 26)', () => {
  const HOSTILE = '`|<img src=x onerror=alert(1)>|](https://evil.example) @octo/team #1\n## big';

  test('are text in the summary, whole in the remark, and nowhere in the titles', () => {
    const patch = aPatch({ files: [patchFile(HOSTILE, 0, 1)] });
    const hostileBuild = { ...build, number: HOSTILE };
    const found = marksCheck(
      { build: hostileBuild, links },
      { patch, marks: { ...marks, places: [{ file: HOSTILE, first: 1, last: 1 }] } },
    );
    // What is left without code spans and our own link.
    const outside = found.summary.replace(/``[^\n]*? ``/g, '').replaceAll(`(${PAGE})`, '');
    expect(outside).not.toMatch(/<img|\]\(|@octo|(?<!&)#1|^## /m);
    expect(found.summary.split('\n').filter((line) => line.startsWith('| ``'))).toHaveLength(1);
    expect(found.annotations[0]).toMatchObject({ file: HOSTILE, message: 'Line 1 is not covered by tests.' });
    expect(found.title).toBe('12 changed lines are not covered by tests');
  });

  test('of any kind and number keep within GitHub’s 65,535 characters', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), fc.nat({ max: 200 }), (text, count) => {
        const files = Array.from({ length: count }, (_, index) => patchFile(`${text.repeat(20)}${index}`, 0, 1));
        const { summary } = marksCheck(
          { build: { ...build, number: text.repeat(50) }, links },
          { patch: aPatch({ files }), marks },
        );
        expect(Buffer.byteLength(summary)).toBeLessThan(65_535);
      }),
      { numRuns: 50 },
    );
  });
});
