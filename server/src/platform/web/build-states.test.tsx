import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { aPageContext } from '../../../../test/support/page-context.ts';
import {
  aBuild,
  aClosedBuild,
  aFileChange,
  aFlag,
  aJob,
  aResult,
  sha,
  totals,
  wholeList,
} from '../../../../test/support/records.ts';
import { aShownBuild } from '../../../../test/support/shown-build.ts';
import { renderBuildPage } from '../../builds/pages/build-page.tsx';
import { BuildPercent } from '../../builds/pages/build-words.tsx';
import type { LinesToCover } from '../../builds/read-lines-to-cover.ts';
import type { ShownBuildPage } from '../../builds/show-build-page.ts';
import type { Build, BuildResult } from '../../core/builds/build.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';

const context = aPageContext();
const NOW = context.now;
const render = (build: Build, stated: Partial<ShownBuildPage> = {}): string =>
  [...renderBuildPage(aShownBuild(build, stated), context)].join('');
const read = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
/** The band on top: what is read first. */
const band = (html: string): string => /<section class="composite.*?<\/section>/s.exec(html)?.[0] ?? '';
const sectionsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<section id="([a-z]+)"/g)].map(([, id = '']) => id);

const [NOW_TOTALS, BEFORE] = [totals(131, 163, 41, 54), totals(118, 136, 34, 40)];
const base = {
  buildId: 70,
  number: '70',
  commit: sha('d'),
  branch: 'main',
  rule: 'merge-base',
  commitsAway: 0,
  closeCount: 1,
} as const;
const failed: Verdict = {
  state: 'failure',
  rule: 'no-decrease',
  provisional: false,
  reason: {
    kind: 'measured',
    totals: NOW_TOTALS,
    base: { number: '70', totals: BEFORE },
    findings: [{ kind: 'decrease', passes: false, base: { number: '70', totals: BEFORE } }],
  },
};
const passed: Verdict = {
  ...failed,
  state: 'success',
  reason: {
    kind: 'measured',
    totals: BEFORE,
    findings: [{ kind: 'decrease', passes: true, base: { number: '70', totals: BEFORE } }],
  },
};
const patch = {
  totals: totals(15, 29, 8, 13),
  files: [{ name: 'web/coupon.js', totals: totals(12, 26, 5, 8), uncovered: [[7, 8]], uncoveredRanges: 1 }],
  fileCount: 1,
  unmeasured: [],
  unmeasuredCount: 0,
  complete: true,
  verdict: undefined,
} as const;
const failing: Partial<BuildResult> = {
  totals: NOW_TOTALS,
  baseTotals: BEFORE,
  base,
  verdict: failed,
  patch,
  cause: { mainPart: 'changed', split: undefined, remedy: { count: 16, of: 'changed-code' } },
};
const good: Partial<BuildResult> = { totals: BEFORE, baseTotals: BEFORE, base, verdict: passed };
const toCover: LinesToCover = {
  left: 2,
  withheld: false,
  unreadable: false,
  files: [
    {
      file: patch.files[0],
      isNew: true,
      cut: false,
      highlights: Uint32Array.of(4, 0, 2, 0),
      removedTexts: new Map([[2, 'old <b>']]),
      texts: new Map([
        [5, 'if (a < b) {'],
        [6, '  throw'],
      ]),
      rows: [
        { kind: 'fold', first: 1, last: 4 },
        { kind: 'removed', first: 2, count: 1 },
        { kind: 'line', line: 5, hits: 2, branches: { covered: 1, all: 2 }, changed: true, toCover: true },
        { kind: 'line', line: 6, hits: 0, branches: undefined, changed: true, toCover: true },
      ],
    },
  ],
};

const closed = (result: Partial<BuildResult>, build: Partial<Build> = {}): Build =>
  aClosedBuild({ result: aResult(result), message: 'Take coupons\n\nat the till', ...build });

describe('the page of a failing build', () => {
  const html = render(
    closed(
      {
        ...failing,
        fileChanges: [
          aFileChange('web/cart.js'),
          aFileChange('price.js', { kind: 'elsewhere', newlyMissed: [[16, 20]], newlyMissedRanges: 1 }),
        ],
        fileChangeCount: 2,
        flags: [aFlag('web')],
      },
      { pullRequest: 7, branch: 'coupons', baseBranch: 'main', authors: { ...aBuild().authors, authorName: 'mona' } },
    ),
    {
      toCover: { selected: 'all', lines: toCover, changed: patch.totals, choices: [] },
      jobs: wholeList([aJob()]),
      hostFile: (file, first, last) => `https://git.example/${file}#${first}-${last}`,
    },
  );

  test('answers in this order: where am I and is it good, what do I do, what else moved, can I trust it', () => {
    expect(sectionsOf(html)).toEqual(['cover', 'changed', 'elsewhere', 'jobs', 'how']);
    const jumps = [...html.matchAll(/<li><a href="#([a-z]+)"/g)].map(([, id]) => id);
    expect(jumps).toEqual(sectionsOf(html));
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(read(html)).toContain('coupons → main #7 ccccccc M mona');
    expect(html).toContain('<h1>Take coupons</h1>');
    expect(html).toContain('<title>✗ Take coupons · #7 · octo/shop · Coverage</title>');
  });

  test('says number, change, verdict and what would pass, and leads to the lines', () => {
    expect(read(band(html))).toContain(
      '79.26 % −7.10 points from 86.36% Failed. Coverage fell by 7.10 points, and no decrease is allowed. ' +
        'Cover 16 of the 19 missed lines and branches in this change to pass. ' +
        'Changed lines 54.76% 15 of 29 lines, 8 of 13 branches All lines 131 of 163 All branches 41 of 54 ' +
        'Compared with ddddddd , the merge base',
    );
    expect(band(html)).toContain('<a href="#cover">Cover 16 of the 19 missed lines and branches</a>');
    expect(band(html)).toContain('<rect width="79.26" height="8"');
    expect(band(html)).not.toContain('data-poll');
  });

  test('shows the lines to cover as a diff: folds, removed lines, branches, and what each row is in words', () => {
    const cover = html.slice(html.indexOf('<section id="cover"'), html.indexOf('<section id="changed"'));
    expect(read(cover)).toContain(
      'web/ coupon.js new file 12 of 26 changed lines, 5 of 8 branches Open file GitHub ↗ ' +
        'Line Hits Branches Changed Source ' +
        'Lines 1–4, nothing missed − removed old &lt;b> 5 2× partly covered 1/2 + changed if (a &lt; b) { ' +
        '6 0× missed + changed throw',
    );
    expect(cover).toContain('2 more files of this change have lines to cover');
    expect(cover.match(/data-uncovered/g)).toHaveLength(1);
    expect(cover).toContain('href="https://git.example/web/coupon.js#7-8" rel="nofollow noopener"');
    expect(cover).toContain('role="region" aria-label="Excerpt of web/coupon.js"');
  });

  test('names what was newly missed elsewhere, not what was missed before', () => {
    const text = read(html);
    expect(text).toContain('Lost outside the change 1 lines that the change does not touch');
    expect(text).toMatch(/price\.js 80\.00% −10\.00 16–20 Jobs/);
  });

  test('has roles and labels by which a phone makes cards of the rows', () => {
    expect(html).toContain('<td role="cell" class="num lead">80.00%</td>');
    expect(html).toContain('data-l="newly missed"');
    const tables = html.match(/<table class="list"[^>]*>/g) ?? [];
    expect(tables.every((table) => /role="table" aria-label="/.test(table))).toBe(true);
  });
});

describe('the verdict in its states', () => {
  test('pending: what arrived and what did not, no number, and it follows by itself', () => {
    const build = aBuild({ jobs: 1, lastJobAt: NOW - 40_000, due: [{ kind: 'deadline', at: NOW + 29 * 60_000 + 1 }] });
    const job = aJob({ facts: { flag: 'web' } as JobFacts });
    const html = render(build, { jobs: wholeList([job]), awaited: ['billing'] });
    expect(read(band(html))).toContain(
      '— 1 job so far Waiting for more jobs. The closing step ends it; without one it is ' +
        'closed in 29 minutes . This page updates itself. Reload Received web, 40 seconds ago Not yet billing',
    );
    expect(band(html)).toContain('data-poll="/builds/71/mark.json" data-mark="open.0...1"');
    expect(html).toContain('<noscript><meta http-equiv="refresh" content="20"/></noscript></head>');
    expect(render(closed(good))).not.toContain('http-equiv="refresh"');
    expect(sectionsOf(html)).toEqual(['jobs', 'how']);
    expect(html).toContain('<title>… ');
  });

  test('provisional: the verdict as it stands, and what is awaited', () => {
    const html = band(render(closed({ ...good, provisionalSince: NOW - 60_000 })));
    expect(read(html)).toContain('Coverage is unchanged, as far as is known');
    expect(read(html)).toContain('provisional');
    expect(html).toContain('data-poll');
  });

  test('incomplete: the names that did not report, never a drop', () => {
    const reason = { kind: 'incomplete', flags: ['web'] } as const;
    const verdict: Verdict = { state: 'incomplete', rule: 'incomplete', provisional: false, reason };
    const html = band(render(closed({ ...failing, verdict, cause: undefined })));
    expect(html).toContain('class="verdict is-part"');
    expect(read(html)).toContain('— 79.26% of what arrived Incomplete. The flag web did not report.');
    expect(html).not.toContain('points');
  });

  test('informational: what would have failed, and that no status does', () => {
    const html = band(render(closed({ ...failing, verdict: { ...failed, informational: true } })));
    expect(read(html)).toContain('Would fail: no decrease is allowed');
    expect(read(html)).toContain('Informational: the commit status');
    expect(html).toContain('<section class="composite is-part"');
  });

  test('superseded: the verdict as it was, and a link to the one that announces', () => {
    const supersededBy = aClosedBuild({ sequence: 72, commit: sha('f') });
    const html = render(closed(good), { supersededBy });
    expect(read(band(html))).toContain('replaced by fffffff');
    expect(html).toContain('Replaced by <a href="/builds/72">fffffff</a>, which reports for this commit.');
    expect(html).toContain('href="/builds/71/source_files" data-files');
  });

  test('accepted: green like its status, and nothing is asked for; who and why stands below', () => {
    const acceptance = { by: 'mona', at: 0, reason: 'the shop closes', holds: true };
    const html = render(closed({ ...failing, acceptance, verdict: { ...failed, accepted: true } }));
    expect(html).toContain('<section class="composite is-ok"');
    expect(html).toContain('<title>✓ ');
    expect(read(band(html))).toContain('Accepted by mona: “the shop closes”');
    expect(read(band(html))).not.toContain('to pass');
    expect(read(html)).toContain('It covers the total.');
  });

  test('whose change is not known: what would pass is said once', () => {
    const cause = { mainPart: undefined, split: undefined, remedy: { count: 2, of: 'lines' } } as const;
    const html = read(band(render(closed({ ...failing, patch: undefined, cause }))));
    expect(html).toContain('Cover 2 more lines in any file');
    expect(html).not.toContain('would pass');
  });

  test('of an unverified fork: that it is no base and carries nothing', () => {
    const html = band(render(closed(good, { trust: 'run' })));
    const text = read(html);
    expect(text).toContain('Passed. Coverage is unchanged.');
    expect(text).toContain(
      'This run is unverified: it was uploaded without a token for this repo. No later build is compared with it',
    );
    expect(text.match(/is unverified/g)).toHaveLength(1);
  });

  test('first: from the next on; only a maintainer is led to the settings', () => {
    expect(read(band(render(closed({}))))).toContain('Passed. No earlier build');
    expect(render(closed({}))).not.toContain('/settings');
    expect(band(render(closed({}), { maintains: true }))).toContain(
      '<a href="/github/octo/shop/settings">Set a minimum',
    );
  });

  test('nothing arrived: the base by its commit, and where to look', () => {
    const reason = { kind: 'none-arrived', relevantLines: 136, baseNumber: '70' } as const;
    const verdict: Verdict = { state: 'failure', rule: 'no-coverage-arrived', provisional: false, reason };
    const html = render(
      closed({ totals: totals(0, 0), baseTotals: BEFORE, base, verdict, warnings: [{ kind: 'nothing-relevant' }] }),
    );
    expect(read(band(html))).toContain('No coverage was uploaded; ddddddd had 136 relevant lines');
    expect(read(band(html))).toContain('Check the step that writes the report');
    expect(html).toContain('<details class="more" open>');
  });

  test('a carried flag wherever its number stands', () => {
    const carried = {
      flag: 'billing',
      buildId: 70,
      number: '70',
      commit: sha('d'),
      closedAt: NOW - 2 * 86_400_000,
      closeCount: 1,
    };
    const html = render(closed({ ...good, flags: [aFlag('billing', { kind: 'carried', carried })] }));
    expect(read(html)).toContain('billing flag carried from ddddddd , 2 days old');
    expect(read(band(html))).toContain('The flag billing is carried from ddddddd');
  });

  test('closed and open again: the result holds until then', () => {
    const html = band(render(closed(good, { state: 'open' })));
    expect(read(html)).toContain('Recalculating. The result below');
    expect(html).toContain('data-poll');
  });

  test('set aside: why, and that nobody tries again', () => {
    const html = render(aBuild({ attempts: { count: 10, at: 1, reason: 'The disk is full.', setAside: true } }));
    expect(read(band(html))).toContain(
      'This build couldn’t be finished. It won’t be retried automatically. The disk is full.',
    );
    expect(band(html)).not.toContain('data-poll');
    expect(html).toContain('<details class="more" open>');
  });
});

test('committers’ addresses are for those who may read them', () => {
  const authors = {
    authorName: 'Mona',
    authorEmail: 'mona@example.com',
    committerName: 'Jo',
    committerEmail: 'jo@example.com',
  };
  const build = closed(good, { authors });
  expect(render(build)).not.toContain('@example.com');
  expect(read(render(build, { showEmails: true }))).toContain(
    'Author Mona &lt;mona@example.com> Committer Jo &lt;jo@example.com>',
  );
});

test('whatever an upload says is text, in the excerpt too', () => {
  const evil = '"><script>alert(1)</script>';
  const [file] = toCover.files;
  const row = { kind: 'line', line: 1, hits: 0, branches: undefined, changed: true, toCover: true } as const;
  const shown = {
    ...toCover,
    files: file && [{ ...file, file: { ...file.file, name: evil }, rows: [row], texts: new Map([[1, evil]]) }],
  };
  const html = render(closed(failing, { message: evil, commit: evil, branch: evil, target: evil }), {
    toCover: {
      selected: 'all',
      lines: shown as LinesToCover,
      changed: patch.totals,
      choices: [{ id: 'flag:web', check: undefined, missed: 2 }],
    },
  });
  expect(html.match(/&lt;script/g)?.length).toBeGreaterThanOrEqual(6);
  expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
});

test('a list shows an incomplete build without a percentage: that of a part is none of the build', () => {
  const reason = { kind: 'incomplete', flags: ['web'] } as const;
  const verdict: Verdict = { state: 'incomplete', rule: 'incomplete', provisional: false, reason };
  expect(renderToString(<BuildPercent build={{ result: aResult({ verdict }) }} />)).toBe(
    '<span class="quiet">incomplete</span>',
  );
  expect(renderToString(<BuildPercent build={{ result: aResult() }} />)).toContain('80.00%');
});
