import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFileChange, aFlag, aResult, sha, totals } from '../../../test/support/records.ts';
import type { BasePick, Build, BuildResult, CarriedPick, FileChange, FlagResult } from '../core/builds/build.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { judgeBuild, judgeFlag, judgeMissingFlag } from '../core/verdict/judge-build.ts';
import { deservesComment, prComment } from './pr-comment.ts';

const NONE = { minimum: null, allowedDrop: null };
const base: BasePick = {
  buildId: 70,
  number: '70',
  commit: sha('b'),
  branch: 'main',
  rule: 'base-branch',
  commitsAway: undefined,
  closeCount: 1,
};
const origin: CarriedPick = {
  flag: 'e2e',
  buildId: 60,
  number: '60',
  commit: sha('a'),
  closedAt: Date.UTC(2026, 0, 31, 23, 59),
  closeCount: 1,
};

function comment(result: Partial<BuildResult>, build: Partial<Build> = {}): string {
  const whole = aResult(result);
  return prComment({
    build: aBuild({ pullRequest: 7, commit: sha('c'), ...build }),
    result: whole,
    repo: { id: 1 },
    links,
    terms: USUAL_TERMS,
  });
}

test('of a build that cannot be merged says why, and no numbers', () => {
  const obstacle = { kind: 'limit', what: 'source files', seen: 600_000, limit: 500_000 } as const;
  const reason = { kind: 'cannot-merge', obstacle } as const;
  const verdict = { state: 'error', rule: 'cannot-merge', reason, provisional: false } as const;
  const warnings = [{ kind: 'cannot-merge', keepsNumbers: true }] as const;
  const text = comment({ verdict, warnings, base: undefined, baseTotals: undefined });
  expect(text).toContain('### ⛔ Coverage could not be calculated');
  expect(text).toContain('Cannot be merged: 600000 source files, and a report holds at most');
  expect(text).toContain('numbers shown are from the previous close');
  expect(text).not.toMatch(/%|compared|compare with/i);
});

/** 78 of 100 lines and 5 of 8 branches after 80 of 100 lines: a drop. */
function dropping(stated: Partial<BuildResult> = {}): Partial<BuildResult> {
  const [now, before] = [totals(78, 100, 5, 8), totals(80, 100)];
  const verdict = judgeBuild({
    totals: now,
    base: { number: '70', totals: before },
    thresholds: NONE,
    unreported: [],
  });
  return { totals: now, baseTotals: before, base, verdict, ...stated };
}

const uploaded = (name: string, covered: number, before: number): FlagResult => {
  const [now, then] = [totals(covered, 100), totals(before, 100)];
  const verdict = judgeFlag({ totals: now, base: { number: '70', totals: then }, thresholds: NONE });
  return aFlag(name, { totals: now, baseTotals: then, verdict });
};

describe('prComment', () => {
  test('a first build', () => {
    expect(comment({})).toMatchInlineSnapshot(`
      "<!-- coverage: https://ci.example repo 1 -->

      ### ✅ Coverage 80.00%

      No earlier build to compare with.

      <details><summary>Counts</summary>

      80 of 100 lines.

      </details>

      <sub>For [ccccccc](https://ci.example/builds/71).</sub>"
    `);
  });

  test('a failing drop, with everything there is to show, in the order of rule 25', () => {
    const missing = aFlag('docs', {
      kind: 'missing',
      totals: undefined,
      baseTotals: totals(812, 1_000),
      lastSeen: { number: '66', totals: totals(812, 1_000) },
      verdict: judgeMissingFlag({ number: '66', totals: totals(812, 1_000) }, false),
    });
    const carried = aFlag('e2e', { kind: 'carried', carried: origin, totals: totals(1, 2), baseTotals: totals(1, 2) });
    const body = comment(
      dropping({
        flags: [uploaded('api', 70, 75), missing, carried, uploaded('ui', 90, 85)],
        carried: [origin],
        fileChanges: [
          aFileChange('src/a.ts'),
          aFileChange('src/new.ts', { kind: 'added', baseTotals: undefined, uncovered: [], uncoveredRanges: 0 }),
          aFileChange('src/old.ts', { kind: 'removed', totals: undefined, uncovered: [], uncoveredRanges: 0 }),
          aFileChange('lib/far.ts', { kind: 'elsewhere' }),
        ],
        fileChangeCount: 4,
        warnings: ['None of the jobs is odd.'],
      }),
      { target: sha('d') },
    );
    expect(body).toMatchInlineSnapshot(`
      "<!-- coverage: https://ci.example repo 1 -->

      ### ❌ Coverage 76.85% (−3.14 points) · flag \`api\` fails too

      **No decrease allowed.**

      |Check|Coverage|Change, points|Rule|
      |:--|--:|--:|:--|
      |❌ [Total](https://ci.example/builds/71?check=total)|76.85%|−3.14|no decrease allowed|
      |❌ [\`api\`](https://ci.example/builds/71?check=flag:api)|70.00%|−5.00|no decrease allowed|

      |File|Coverage (change, points)|Missing|
      |:--|--:|:--|
      |[\`a.ts\`](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/src/a.ts)|80.00% (−10.00)|[3](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/src/a.ts#L3), [7–9](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/src/a.ts#L7-L9)|

      **No longer in reports:** \`src/old.ts\`.

      <details><summary>3 checks pass · lost in other files · how this was compared · warnings</summary>

      3 flags.

      |Check|Coverage|Change, points|
      |:--|--:|--:|
      |✅ [\`docs\`](https://ci.example/builds/71?check=flag:docs) not reported, last in build 66|—|—|
      |✅ [\`e2e\`](https://ci.example/builds/71?check=flag:e2e) carried from aaaaaaa, under a day old|50.00%|unchanged|
      |✅ [\`ui\`](https://ci.example/builds/71?check=flag:ui)|90.00%|+5.00|

      **Lost in other files:** [\`lib/far.ts\`](https://ci.example/github/acme/shop/commits/dddddddddddddddddddddddddddddddddddddddd/file/lib/far.ts) 80.00% (−10.00).

      78 of 100 lines and 5 of 8 branches, from 80.00% (base branch main).

      - ⚠️ None of the jobs is odd.

      </details>

      <sub>For [ccccccc](https://ci.example/builds/71), compared with [bbbbbbb](https://ci.example/builds/70).</sub>"
    `);
  });

  test('incomplete: the flags that did not report', () => {
    const lost = { number: '70', totals: totals(85, 100) };
    const verdict = judgeBuild({ totals: totals(78, 100), base: lost, thresholds: NONE, unreported: ['ui'] });
    const missing = aFlag('ui', {
      kind: 'missing',
      totals: undefined,
      lastSeen: lost,
      verdict: judgeMissingFlag(lost, true),
    });
    expect(comment(dropping({ verdict, flags: [uploaded('api', 70, 70), missing] }))).toMatchInlineSnapshot(`
      "<!-- coverage: https://ci.example repo 1 -->

      ### ⚠️ Coverage is incomplete: ui did not report

      Re-run the missing job; this comment updates.

      |Check|Coverage|Change, points|Rule|
      |:--|--:|--:|:--|
      |⚠️ [Total](https://ci.example/builds/71?check=total)|76.85%||must report|
      |⚠️ [\`ui\`](https://ci.example/builds/71?check=flag:ui) did not report|—||must report|

      <details><summary>1 check passes · how this was compared</summary>

      1 flag.

      78 of 100 lines and 5 of 8 branches.

      </details>

      <sub>For [ccccccc](https://ci.example/builds/71).</sub>"
    `);
  });

  test('nothing relevant where the base had lines', () => {
    const now = totals(0, 0);
    const verdict = judgeBuild({
      totals: now,
      base: { number: '70', totals: totals(80, 100) },
      thresholds: NONE,
      unreported: [],
    });
    expect(comment(dropping({ totals: now, verdict }))).toMatchInlineSnapshot(`
      "<!-- coverage: https://ci.example repo 1 -->

      ### ❌ No relevant lines

      **No coverage was uploaded; the base (build 70) had 100 relevant lines.**

      <details><summary>How this was compared</summary>

      0 of 0 lines, from 80.00% (base branch main).

      </details>

      <sub>For [ccccccc](https://ci.example/builds/71), compared with [bbbbbbb](https://ci.example/builds/70).</sub>"
    `);
  });

  test('rule 25: the first line is the marker and nothing else', () => {
    expect(comment({}).split('\n')[0]).toBe('<!-- coverage: https://ci.example repo 1 -->');
  });

  test('rule 25: total, change and base come first', () => {
    const [, heading] = comment(dropping()).split('\n\n');
    expect(heading).toMatch(/76\.85%/);
    expect(heading).toMatch(/−3\.14 points/);
    expect(heading).toMatch(/against \[bbbbbbb\]\(https:\/\/ci\.example\/builds\/70\)/);
  });

  test('rule 5: a change of nothing reads "unchanged"', () => {
    const same = totals(80, 100);
    expect(comment(dropping({ totals: same, baseTotals: same }))).toContain('80.00%, unchanged from [bbbbbbb]');
  });

  test('rule 19: how the base was chosen, and how far it is', () => {
    const body = comment(dropping({ base: { ...base, rule: 'ancestor', commitsAway: 3 } }));
    expect(body).toContain('78 of 100 lines and 5 of 8 branches, from 80.00% (nearest ancestor, 3 commits away).');
    expect(comment({})).toContain('No earlier build to compare');
  });

  test.each<[string, Partial<Build>, string]>([
    ['its own commit', {}, sha('c')],
    ['the head of a pull request', { commit: sha('d'), target: sha('d') }, sha('d')],
    ['the head, where the upload states the merge commit', { commit: sha('e'), target: sha('d') }, sha('d')],
  ])('lines are linked on our page, under the commit that has the statuses: %s', (_, build, commit) => {
    const changes = { fileChanges: [aFileChange('a.ts')], fileChangeCount: 1 };
    const page = `https://ci.example/github/acme/shop/commits/${commit}/file/a.ts`;
    expect(comment(dropping(changes), build)).toContain(`[3](${page}#L3), [7–9](${page}#L7-L9)|`);
  });

  test('lines are no links where no commit is known', () => {
    const changes = { fileChanges: [aFileChange('a.ts')], fileChangeCount: 1 };
    expect(comment(dropping(changes), { commit: undefined })).toContain('|3, 7–9|');
  });

  test('of many uncovered ranges the first, and how many more', () => {
    const uncovered = Array.from({ length: 20 }, (_, index) => [index * 2 + 1, index * 2 + 1] as const);
    const body = comment(
      dropping({ fileChanges: [aFileChange('a.ts', { uncovered, uncoveredRanges: 33 })], fileChangeCount: 1 }),
    );
    expect(body).toContain('#L15), [25 more](https://ci.example/builds/71)|');
  });
});

describe('rule 26: hostile names', () => {
  const HOSTILE =
    '`a`|<b onclick=x>@octocat #123 <!-- x -->\n\n# Heading\u202etxt.exe [x](http://evil.example) ' +
    '![y](//evil.example/p.png) www.evil.example --> &lt;';
  const verdict = judgeBuild({ totals: totals(1, 2), base: undefined, thresholds: NONE, unreported: [HOSTILE] });
  const body = comment(
    {
      verdict,
      baseTotals: totals(9, 10),
      base: { ...base, number: HOSTILE, branch: HOSTILE, commit: HOSTILE, rule: 'compare-ref' },
      flags: [
        aFlag(HOSTILE),
        aFlag(`${HOSTILE}2`, { kind: 'carried', carried: { ...origin, number: HOSTILE } }),
        aFlag(`${HOSTILE}3`, {
          kind: 'missing',
          totals: undefined,
          lastSeen: { number: HOSTILE, totals: totals(1, 2) },
        }),
      ],
      fileChanges: [aFileChange(HOSTILE), aFileChange(HOSTILE, { kind: 'elsewhere' })],
      fileChangeCount: 2,
      warnings: [HOSTILE],
    },
    { number: HOSTILE, commit: HOSTILE },
  );
  /** The body without its code spans, where nothing has a meaning, and without the marker and the markup of our own. */
  const outside = body
    .split('\n')
    .slice(1)
    .join('\n')
    .replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, 'code')
    .replaceAll(/<\/?(details|summary|sub)>/g, '');

  test('bring no markup, no HTML, no mention, no reference, no address of their own', () => {
    expect(outside).not.toMatch(/`/);
    expect(outside).not.toMatch(/<(?!\/?(details|summary|sub)>)/);
    expect(outside).not.toMatch(/@(?!&#8203;)/);
    expect(outside.replace(/\(https:[^)]*\)/g, '')).not.toMatch(/:\/\/|www\.|evil\.example/);
    expect(outside.replace(/&#8203;/g, '\0').replace(/&#\d+;|^#+ |\(https:[^)]*\)/gm, '')).not.toMatch(/#(?!\0)/);
    expect(outside.match(/\]\((?!https:\/\/(ci|host)\.example\/)/g)).toBeNull();
  });

  test('break no line and no row', () => {
    expect(body).not.toMatch(/^# Heading/m);
    expect(body).not.toMatch(/[\u202e\r]/);
    const columns = (row: string): number => row.replace(/\\\|/g, '').split('|').length;
    for (const table of body.split('\n\n').filter((part) => part.includes('|:--|'))) {
      const rows = table.split('\n').filter((line) => line.startsWith('|'));
      expect(new Set(rows.map(columns)).size).toBe(1);
    }
  });

  test('cannot forge a marker', () => {
    expect(body.split('\n').filter((line) => line.startsWith('<!--'))).toEqual([
      '<!-- coverage: https://ci.example repo 1 -->',
    ]);
  });
});

describe('rule 25: the provider’s limit', () => {
  const LIMIT = 65_536;
  const change = (index: number, name: string, kind: FileChange['kind'] = 'changed'): FileChange =>
    aFileChange(`${index}/${name}`, {
      kind,
      uncovered: Array.from({ length: 20 }, (_, range) => [range * 2 + 1, range * 2 + 1] as const),
      uncoveredRanges: 20,
    });

  test.each([
    ['long names', 'x'.repeat(5_000)],
    ['names that grow when encoded', 'ä'.repeat(300)],
    ['names of backticks and pipes', '`|'.repeat(100)],
    ['names of emoji', '🚀'.repeat(200)],
  ])('5,000 changed files, %s: rows give way to a link', (_, name) => {
    const fileChanges = [
      ...Array.from({ length: 100 }, (__, index) => change(index, name)),
      ...Array.from({ length: 100 }, (__, index) => change(index, name, 'elsewhere')),
    ];
    const body = comment(dropping({ fileChanges, fileChangeCount: 5_000 }));
    expect(body.length).toBeLessThanOrEqual(LIMIT);
    const rows = body.match(/(?:^\||^- |:\*\* |[;,] )\[?`+ ?\d+\//gm)?.length ?? 0;
    expect(body).toContain('[90 more files](https://ci.example/builds/71#changed)');
    expect(body).toContain(`${5_000 - 90 - rows} more files on [the build’s page](https://ci.example/builds/71).`);
    expect(body).toMatch(/against \[bbbbbbb\]/);
  });

  test('10,000 changes given at once', () => {
    const fileChanges = Array.from({ length: 10_000 }, (_, index) => ({
      ...change(index, 'x'.repeat(190)),
      uncovered: [],
    }));
    expect(comment(dropping({ fileChanges, fileChangeCount: 10_000 })).length).toBeLessThanOrEqual(LIMIT);
  });

  test('a thousand flags: the first, and how many more', () => {
    const flags = Array.from({ length: 1_000 }, (_, index) => aFlag(`flag ${index}`));
    expect(comment({ flags })).toContain('[980 more checks](https://ci.example/builds/71)');
  });

  test.each(['`', '|', '@', '#', '*', '🚀', 'x'])(
    'flags, build numbers, warnings and names of nothing but %s',
    (character) => {
      const hostile = character.repeat(1_000);
      const lastSeen = { number: hostile, totals: totals(80, 100) };
      const flags = Array.from({ length: 200 }, (_, index) =>
        aFlag(`${index}${hostile}`, {
          kind: 'missing',
          totals: undefined,
          lastSeen,
          verdict: judgeMissingFlag(lastSeen, false),
        }),
      );
      const verdict = judgeBuild({ totals: totals(1, 2), base: undefined, thresholds: NONE, unreported: [hostile] });
      const body = comment(
        {
          verdict,
          flags,
          base: { ...base, number: hostile, branch: hostile },
          fileChanges: Array.from({ length: 200 }, (_, index) => change(index, hostile)),
          fileChangeCount: 200,
          warnings: Array.from({ length: 20 }, () => hostile),
        },
        { number: hostile },
      );
      expect(body.length).toBeLessThanOrEqual(LIMIT);
      expect(body).toContain('https://ci.example/builds/71');
    },
  );
});

describe('deservesComment', () => {
  const verdict = aResult().verdict;

  test.each<[string, Partial<BuildResult>, boolean]>([
    ['a percentage', {}, true],
    ['a percentage and a failed verdict', { verdict: { ...verdict, state: 'failure' } }, true],
    ['no percentage', { totals: totals(0, 0) }, false],
    ['no percentage and a failed verdict', { totals: totals(0, 0), verdict: { ...verdict, state: 'failure' } }, true],
  ])('%s: %s', (_, result, expected) => {
    expect(deservesComment(aResult(result), 'always')).toBe(expected);
  });
});

test('the marker is one per server and repo, and no address ends the comment', () => {
  const markerOf = (base: string, id: number): string | undefined => {
    const input = { build: aBuild({ pullRequest: 7 }), result: aResult(), terms: USUAL_TERMS };
    return prComment({ ...input, repo: { id }, links: { ...links, base } }).split('\n')[0];
  };
  expect(markerOf('https://ci.example/coverage', 12)).toBe('<!-- coverage: https://ci.example/coverage repo 12 -->');
  expect(markerOf('https://ci.example', 1)).not.toBe(markerOf('https://ci.example', 11));
  expect(markerOf('https://a--b.example/-->x', 1)?.slice(4, -3)).not.toMatch(/--/);
});
