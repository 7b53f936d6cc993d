import { describe, expect, test } from 'vitest';
import { aPageContext } from '../../../../test/support/page-context.ts';
import { aClosedBuild, aFileChange, aFlag, aResult, COMMIT, sha, totals } from '../../../../test/support/records.ts';
import { A_REPO, aShownBuild } from '../../../../test/support/shown-build.ts';
import type { Build, BuildResult } from '../../core/builds/build.ts';
import type { PatchResult } from '../../core/builds/build-facts.ts';
import { renderRepoPage } from '../../repos/pages/repo-page.tsx';
import { renderBuildPage } from './build-page.tsx';

const context = aPageContext();
const EVIL = `<script>alert(1)</script>"onload="x`;

const page = (result: Partial<BuildResult>, build: Partial<Build> = {}): string =>
  [...renderBuildPage(aShownBuild(aClosedBuild({ result: aResult(result), ...build })), context)].join('');
/** The page as text: tags taken off, blanks joined. */
const read = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const patch: PatchResult = {
  totals: totals(5, 8, 1, 2),
  files: [{ name: 'src/a b.ts', totals: totals(5, 8, 1, 2), uncovered: [[5, 6]], uncoveredRanges: 4 }],
  fileCount: 3,
  unmeasured: ['tools/x.py'],
  unmeasuredCount: 2,
  complete: false,
  verdict: { state: 'failure', rule: 'minimum', explanation: 'Too few changed lines are covered.', summary: '' },
};

describe('the page of a build', () => {
  test('is named by its verdict, commit and repo; only a public one shows them where a link to it is shared', () => {
    const one = (visibility: 'private' | 'public'): string => {
      const repo = { ...A_REPO, settings: { ...A_REPO.settings, visibility } };
      return [...renderBuildPage(aShownBuild(aClosedBuild({ message: 'Take coupons' }), { repo }), context)].join('');
    };
    const [open, closed] = [one('public'), one('private')];
    for (const html of [open, closed]) {
      expect(html).toContain('<title>✓ Take coupons · octo/shop · Coverage</title>');
      expect(html).toContain('<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,');
    }
    expect(open).toContain('<meta property="og:title" content="80.00% · Take coupons ccccccc · octo/shop"');
    expect(open).toContain('<meta property="og:url" content="https://coverage.example/builds/71"');
    expect([open, closed].map((html) => [html.includes('og:'), html.includes('noindex')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('shows the changed lines: how many are covered, where not, what is not measured', () => {
    const html = page({ patch });
    const text = read(html);
    expect(text).toContain(
      '60.00% of the change covered: lines 5 of 8 (62.50%), branches 1 of 2 (50.00%). The provider did not report',
    );
    expect(text).toContain('Failed: changed lines. The total passes. Too few');
    expect(text).toContain('src/ a b.ts 60.00% — — 5–6 and 3 more');
    expect(text).toContain('2 more files moved less.');
    expect(text).toContain('2 changed files aren’t in any report tools/x.py 1 more');
    expect(html).toContain(`href="/github/octo/shop/commits/${COMMIT}/file/src/a%20b.ts#L5-L6"`);
  });

  test('lists the worst of many files that lost coverage elsewhere, and leads to all of them', () => {
    const fileChanges = Array.from({ length: 45 }, (_, n) => aFileChange(`lost-${n + 1}.ts`, { kind: 'elsewhere' }));
    const html = page({ fileChanges, fileChangeCount: 45 });
    const [, section = ''] = html.split('<section id="elsewhere">');
    expect(section.split('</section>')[0]?.match(/lost-\d+\.ts<\/a>/g)).toHaveLength(40);
    expect(read(section)).toContain('Lost outside the change 45');
    expect(read(section)).toContain('5 more files: all files that lost coverage →');
    expect(section).toContain('/tree/?show=lost&amp;sort=drop"');
  });

  test('says where the upload alone tells which lines changed', () => {
    const own = read(page({ patch: { ...patch, source: 'upload' } }));
    expect(own).toContain(
      'Changed lines are as the upload reported them. The upload did not report every changed file or line.',
    );
    expect(read(page({ patch: { ...patch, source: 'provider' } }))).not.toContain('upload states');
  });

  test('says where no changed line is relevant', () => {
    const nothing = {
      ...patch,
      totals: totals(0, 0),
      files: [],
      fileCount: 0,
      unmeasured: [],
      unmeasuredCount: 0,
      verdict: undefined,
    };
    const text = read(page({ patch: nothing }));
    expect(text).toContain('No changed lines with code.');
    expect(text).not.toContain('Not measured');
  });

  test('shows what moved the total, part by part', () => {
    const cause = {
      sentence: '2 changed lines are not covered.',
      clause: undefined,
      parts: [
        { part: 'changed', points: '-2.50' },
        { part: 'removed', points: '+0.10' },
      ],
    } as const;
    const text = read(page({ cause }));
    expect(text).toContain('What moved the total Changed lines -2.50 Removed code +0.10');
    // The verdict says the cause in words; once is enough.
    const how = text.slice(text.lastIndexOf('How this was calculated'));
    expect(how.split('2 changed lines are not covered.')).toHaveLength(2);
  });

  test('says since when a verdict is provisional, and where a build landed', () => {
    const text = read(
      page(
        { provisionalSince: Date.UTC(2026, 1, 3) },
        { landed: { branch: 'main', commit: sha('e'), how: 'same-tree', at: 0 } },
      ),
    );
    expect(text).toContain('GitHub has not answered about the base; first asked 10 months ago');
    expect(text).toContain('Counts for main as eeeeeee : the commit there has the tree that was tested here');
    expect(read(page({}))).not.toMatch(/Provisional|Counts for/);
  });

  test('says whether it is a base, and who took it out of them', () => {
    expect(read(page({}, { branch: 'main' }))).toContain(
      'For other builds: Can be used as a base for builds measured against main',
    );
    expect(read(page({}, { excludedAsBase: { by: 'mona', at: 0 } }))).toContain('mona excluded it on 1970-01-01.');
  });

  test('links a file that is still reported, and none that is gone', () => {
    const html = page({
      fileChanges: [aFileChange('a.ts'), aFileChange('gone.ts', { kind: 'removed' })],
      fileChangeCount: 2,
    });
    expect(html).toContain('/file/a.ts"');
    expect(html).not.toContain('/file/gone.ts');
    expect(html).toContain('gone.ts</span> <span class="tag">no longer in reports');
  });

  test('is rendered in pieces of some rows each, so that others are answered between them', () => {
    const build = aClosedBuild({
      result: aResult({
        flags: Array.from({ length: 100 }, (_, number) => aFlag(`flag-${number}`)),
        fileChanges: Array.from({ length: 200 }, (_, number) => aFileChange(`${number}.ts`)),
        fileChangeCount: 200,
      }),
    });
    const rows = [...renderBuildPage(aShownBuild(build), context)].map((piece) => piece.split('<tr').length - 1);
    expect(rows.reduce((sum, count) => sum + count)).toBe(304);
    expect(Math.max(...rows)).toBeLessThanOrEqual(25);
  });

  test('holds whatever comes as text', () => {
    const evil = { ...patch, files: [{ ...patch.files[0], name: EVIL }], unmeasured: [EVIL] } as PatchResult;
    const html = page(
      {
        patch: { ...evil, verdict: { state: 'failure', rule: 'minimum', explanation: EVIL, summary: '' } },
        cause: { sentence: EVIL, clause: EVIL, parts: [] },
        fileChanges: [aFileChange(EVIL)],
        fileChangeCount: 1,
      },
      {
        landed: { branch: EVIL, commit: EVIL, how: 'merge-queue', at: 0 },
        excludedAsBase: { by: EVIL, at: 0 },
      },
    );
    expect(html.match(/&lt;script/g)?.length).toBeGreaterThanOrEqual(8);
    expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|"onload=/);
  });
});

test('the page of a repo marks the newest base of each branch', () => {
  const builds = [aClosedBuild({ branch: EVIL, sequence: 9 }), aClosedBuild({ branch: 'main', sequence: 8 })];
  const listed = {
    repo: A_REPO,
    caller: { kind: 'anonymous' } as const,
    branch: undefined,
    builds,
    newest: builds[0],
    bases: new Set([9]),
    warnings: ['Look <here>'],
    page: 1,
    pages: 1,
    total: 2,
  };
  const overview = {
    repo: A_REPO,
    maintains: false,
    refused: 0,
    token: undefined,
    badgeToken: undefined,
    idTokens: undefined,
    snippets: undefined,
    provesForks: false,
    warnings: [],
    asked: undefined,
    defaultBranch: undefined,
    branch: undefined,
    branches: [EVIL],
    newest: undefined,
    flags: [EVIL],
    flag: undefined,
    days: 30,
    period: { from: 0, to: 1, bounds: [0, 1] },
    points: [],
    pulls: [],
    found: undefined,
  };
  const filter = { text: EVIL, verdict: undefined };
  const shown = { overview, listed, checks: undefined, filter, page: 1, root: 'https://coverage.example' };
  const html = [...renderRepoPage(shown, context)].join('');
  expect(html.match(/>base<\/span>/g)).toHaveLength(1);
  expect(html).toContain('Look &lt;here');
  expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|"onload=/);
});
