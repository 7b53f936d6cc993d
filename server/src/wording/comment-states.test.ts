import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFlag, aResult, sha, totals } from '../../../test/support/records.ts';
import type { BasePick, Build, BuildResult } from '../core/builds/build.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { type JudgedBuild, judgeBuild } from '../core/verdict/judge-build.ts';
import { judgePatch } from '../core/verdict/judge-patch.ts';
import { NO_MOVEMENT } from '../core/verdict/split-change.ts';
import { prComment } from './pr-comment.ts';

const base: BasePick = {
  buildId: 70,
  number: '70',
  commit: sha('d'),
  branch: 'main',
  rule: 'merge-base',
  commitsAway: undefined,
  closeCount: 1,
};
const BASE = totals(19, 22);

/** What a reader sees first: the heading and the sentences below it. */
function seen(result: Partial<BuildResult>, build: Partial<Build> = {}): readonly string[] {
  const body = prComment({
    build: aBuild({ pullRequest: 7, ...build }),
    result: aResult(result),
    repo: { id: 1 },
    links,
    terms: USUAL_TERMS,
  });
  const shown = body.split('\n\n').slice(1, -1);
  const end = shown.findIndex((part) => part.startsWith('<details>'));
  return shown.slice(0, end < 0 ? undefined : end).map((part) => part.replaceAll(/\]\(https:[^)]*\)/g, ']'));
}

function judged(now: CoverageTotals, more: Partial<JudgedBuild> = {}): Partial<BuildResult> {
  const thresholds = { minimum: null, allowedDrop: null };
  const verdict = judgeBuild({
    totals: now,
    base: { number: '70', totals: BASE },
    thresholds,
    unreported: [],
    ...more,
  });
  return { totals: now, baseTotals: BASE, base, verdict };
}

function patchOf(sums: CoverageTotals, minimum: number | null = null): BuildResult['patch'] {
  const verdict = minimum === null ? undefined : judgePatch({ totals: sums, complete: true, minimum });
  const rest = { files: [], fileCount: 0, unmeasured: [], unmeasuredCount: 0, complete: true } as const;
  return { totals: sums, ...rest, verdict };
}

const failed = judged(totals(18, 22));
const incomplete = judged(totals(18, 22), { unreported: ['web'] });
/** One line was lost outside the change, which misses two lines. */
const cause = {
  mainPart: 'outside',
  split: {
    ...{ base: BASE, head: totals(18, 24), changed: totals(0, 2), removed: totals(0, 0) },
    outside: { ...NO_MOVEMENT, before: totals(19, 22), after: totals(18, 22), lostLines: 1 },
    ...{ untouched: NO_MOVEMENT, unexplained: NO_MOVEMENT, unexplainedFiles: 0 },
  },
  remedy: { count: 2, of: 'changed-lines' },
} as const;
const table = (row: string): string => `|Check|Coverage|Change, points|Rule|\n|:--|--:|--:|:--|\n|${row}|`;
const DROP = '### ❌ Coverage 81.81% (−4.54 points) against [ddddddd]';

describe('a comment in each state of a build begins with what it says', () => {
  test.each<[string, Partial<BuildResult>, readonly string[], Partial<Build>?]>([
    [
      'passed',
      { ...judged(totals(20, 22)), patch: patchOf(totals(6, 6)) },
      [
        '### ✅ Coverage 90.90% (+4.54 points) against [ddddddd] · changed lines 100.00%',
        'All 6 changed lines are covered.',
      ],
    ],
    [
      'unchanged',
      { ...judged(BASE), patch: patchOf(totals(0, 0)) },
      ['### ✅ Coverage 86.36%, unchanged from [ddddddd]', 'No changed lines with code.'],
    ],
    [
      'failed by changed lines',
      {
        ...failed,
        patch: patchOf(totals(1, 4)),
        cause: { mainPart: 'changed', split: undefined, remedy: { count: 1, of: 'changed-lines' } },
      },
      [
        `${DROP} · changed lines 25.00%`,
        '**No decrease allowed. Cover 1 of the 3 missed lines in this change to pass.** [Show what is missed]',
      ],
    ],
    [
      'failed by something else',
      { ...failed, cause: { mainPart: 'untouched', split: undefined, remedy: { count: 1, of: 'lines' } } },
      [DROP, '**No decrease allowed. Covering 1 more line anywhere would pass.**'],
    ],
    [
      'changed lines fall short, the total passes',
      { ...judged(totals(20, 22)), patch: patchOf(totals(5, 8), 70) },
      [
        '### ❌ Coverage: changed lines fail · total 90.90% (+4.54 points)',
        '**Cover 1 of the 3 missed changed lines to reach 70%.** [Show what is missed]',
        table('❌ [Changed lines]|62.50%||at least 70%'),
      ],
    ],
    [
      'all of the missed changed lines are wanted',
      { ...judged(totals(20, 22)), patch: patchOf(totals(5, 8), 100) },
      [
        '### ❌ Coverage: changed lines fail · total 90.90% (+4.54 points)',
        '**Cover all 3 missed changed lines to reach 100%.** [Show what is missed]',
        table('❌ [Changed lines]|62.50%||at least 100%'),
      ],
    ],
    [
      'the only missed branch of the change is wanted',
      { ...judged(totals(20, 22)), patch: patchOf(totals(8, 8, 1, 2), 100) },
      [
        '### ❌ Coverage: changed lines fail · total 90.90% (+4.54 points)',
        '**Cover the missed changed line or branch to reach 100%.** [Show what is missed]',
        table('❌ [Changed lines]|90.00%||at least 100%'),
      ],
    ],
    [
      'a flag fails, the total passes',
      { ...judged(BASE), flags: [aFlag('ui', { verdict: { ...failed.verdict, state: 'failure' } as never })] },
      ['### ❌ Coverage: flag `ui` fails · total 86.36%, unchanged', table('❌ [`ui`]|80.00%|—|no decrease allowed')],
    ],
    [
      'a flag would fail, and is informational',
      {
        ...judged(BASE),
        flags: [aFlag('ui', { verdict: { ...failed.verdict, state: 'failure', informational: true } as never })],
      },
      [
        '### ⚠️ Coverage 86.36%, unchanged · flag `ui` would fail',
        'Informational: nothing is blocked.',
        table('⚠️ [`ui`] (informational)|80.00%|—|no decrease allowed'),
      ],
    ],
    [
      'incomplete: a flag',
      incomplete,
      ['### ⚠️ Coverage is incomplete: web did not report', 'Re-run the missing job; this comment updates.'],
    ],
    [
      'incomplete: a job',
      judged(totals(18, 22), { missingJobs: { arrived: 1, expected: 2, waited: 1_800_000, run: undefined } }),
      [
        '### ⚠️ Coverage is incomplete: 1 of 2 jobs arrived',
        'The build was closed after 30 min without the closing call. Re-run the missing job; this comment updates.',
      ],
    ],
    [
      'incomplete: a flag; another would fail, and is informational',
      {
        ...incomplete,
        verdict: { ...incomplete.verdict, informational: true } as never,
        flags: [aFlag('ui', { verdict: { ...failed.verdict, state: 'failure', informational: true } as never, cause })],
      },
      [
        '### ⚠️ Coverage is incomplete: web did not report',
        'Re-run the missing job; this comment updates. Informational: nothing is blocked.',
        `${table('⚠️ [`ui`] (informational)|80.00%|—|no decrease allowed; 1 line lost outside the change')}\n` +
          '|⚠️ [Total] (informational)|81.81%||must report|',
      ],
    ],
    [
      'a flag fails by lines outside the change; what would pass is said once',
      { ...judged(BASE), flags: [aFlag('ui', { verdict: { ...failed.verdict, state: 'failure' } as never, cause })] },
      [
        '### ❌ Coverage: flag `ui` fails · total 86.36%, unchanged',
        '**1 line outside the change lost coverage. Cover all 2 missed changed lines in `ui` to pass.**',
        table(
          '❌ [`ui`]|80.00%|—|no decrease allowed; 1 line lost outside the change; cover 2 more changed lines to pass',
        ),
      ],
    ],
    [
      'informational',
      { ...failed, verdict: { ...failed.verdict, informational: true } as never },
      [DROP.replace('❌', '⚠️'), 'Would fail (informational): no decrease allowed.'],
    ],
    [
      'accepted',
      {
        ...failed,
        verdict: { ...failed.verdict, accepted: true } as never,
        patch: patchOf(totals(1, 4)),
        acceptance: { by: 'mona', at: 5, reason: 'it <b>goes</b> next week.', holds: true },
      },
      [
        `${DROP.replace('❌', '✅')} · changed lines 25.00%`,
        'Accepted by mona: it &#60;b&#62;goes&#60;/b&#62; next week. Would fail: no decrease allowed.',
      ],
    ],
    [
      'accepted, and worse since',
      { ...failed, acceptance: { by: 'mona', at: 5, reason: '@all', holds: false } },
      [DROP, '**Accepted by mona: @&#8203;all. It does not cover everything that fails now. No decrease allowed.**'],
    ],
    [
      'the first build',
      { ...judged(totals(18, 22), { base: undefined }), base: undefined, baseTotals: undefined },
      ['### ✅ Coverage 81.81%', 'No earlier build to compare with.'],
    ],
    [
      'nothing relevant',
      { ...judged(totals(0, 0), { base: undefined }), base: undefined, baseTotals: undefined },
      ['### ✅ No relevant lines'],
    ],
    [
      'provisional',
      { ...judged(BASE), provisionalSince: 5 },
      [
        '### ✅ Coverage 86.36%, unchanged from [ddddddd]',
        expect.stringMatching(/^⏳ Provisional: the git host has not said yet which commit to compare with\./) as never,
      ],
    ],
    [
      'unverified',
      { ...judged(totals(18, 22), { base: undefined }), base: undefined, baseTotals: undefined },
      [
        '### ✅ Coverage 81.81%',
        'No earlier build to compare with.',
        '⚠️ Unverified: it was uploaded without a token for this repo.',
      ],
      { trust: 'run' },
    ],
    ['open again: the last result', failed, [DROP, '**No decrease allowed.**'], { state: 'open' }],
  ])('%s', (_, result, expected, build) => {
    expect(seen(result, build)).toEqual(expected);
  });
});

test('a carried flag says from where, and how old it was at the close', () => {
  const carried = { flag: 'api', buildId: 60, number: '60', commit: sha('e'), closeCount: 1 };
  const rowAt = (closedAt: number): string | undefined => {
    const flag = aFlag('api', { kind: 'carried', carried: { ...carried, closedAt } });
    const result = aResult({ closedAt: Date.UTC(2026, 0, 9), flags: [flag] });
    return /^\|✅ \[`api`\].*$/m.exec(
      prComment({ build: aBuild({ pullRequest: 7 }), result, repo: { id: 1 }, links, terms: USUAL_TERMS }),
    )?.[0];
  };
  expect(rowAt(Date.UTC(2026, 0, 7))).toBe(
    '|✅ [`api`](https://ci.example/builds/71?check=flag:api) carried from eeeeeee, 2 days old|80.00%|—|',
  );
  expect(rowAt(Date.UTC(2026, 0, 8))).toContain('1 day old');
  expect(rowAt(Date.UTC(2026, 0, 8, 1))).toContain('under a day old');
});
