import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFileChange, aResult, sha, totals } from '../../../test/support/records.ts';
import type { BasePick, BuildResult, FileChange } from '../core/builds/build.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { judgeChange } from '../core/verdict/judge-change.ts';
import { NO_MOVEMENT } from '../core/verdict/split-change.ts';
import { buildStatus } from './commit-status.ts';
import { verdictSentence } from './page-verdict.ts';
import { prComment } from './pr-comment.ts';

const base: BasePick = {
  buildId: 70,
  number: '9120400056',
  commit: sha('d'),
  branch: 'main',
  rule: 'merge-base',
  commitsAway: undefined,
  closeCount: 1,
};

interface Judged {
  readonly now: CoverageTotals;
  readonly before: CoverageTotals;
  readonly minimum?: number;
  readonly allowedDrop?: number;
  readonly result?: Partial<BuildResult>;
  readonly informational?: true;
}

/** What status, comment and page say of one change. */
function told({ now, before, minimum, allowedDrop, result, informational }: Judged) {
  const lost = { ...NO_MOVEMENT, before, after: now, lostLines: before.coveredLines - now.coveredLines };
  const split = {
    ...{ base: before, head: now, changed: totals(0, 0), removed: totals(0, 0) },
    ...{ outside: lost, untouched: NO_MOVEMENT, unexplained: NO_MOVEMENT, unexplainedFiles: 0 },
  };
  const { verdict, cause } = judgeChange(
    {
      totals: now,
      base: { number: base.number, commit: base.commit, totals: before },
      thresholds: { minimum: minimum ?? null, allowedDrop: allowedDrop ?? null },
      unreported: [],
    },
    split,
    {
      ignoreRemovedCode: false,
      ignoreUntouchedFiles: false,
      informational: informational === true,
      ignoreUnstableLines: false,
    },
  );
  const judged = aResult({ totals: now, baseTotals: before, base, verdict, cause, ...result });
  return {
    status: buildStatus(judged, { url: 'https://ci.example', room: 140 }).description,
    comment: prComment({
      build: aBuild({ pullRequest: 7 }),
      result: judged,
      repo: { id: 1 },
      links,
      terms: USUAL_TERMS,
    }),
    page: verdictSentence(verdict, 'the base'),
  };
}

describe('one change reads the same in status, comment and page', () => {
  test('just over the allowed drop: with the decimals that show it', () => {
    const { status, comment, page } = told({
      now: totals(77_999, 100_000),
      before: totals(80_000, 100_000),
      allowedDrop: 2,
    });
    expect(status).toContain('77.99%, −2.001 points from 80.00%: more than 2 allowed');
    expect(comment).toContain('Coverage 77.99% (−2.001 points) against');
    expect(comment).toContain('**Where the 2.001 points went:** unchanged lines of changed files −2.001.');
    expect(page).toBe('Failed. Coverage fell by 2.001 points, more than the allowed 2 points.');
  });

  test('exactly the allowed drop', () => {
    const { page } = told({ now: totals(78, 100), before: totals(80, 100), allowedDrop: 2 });
    expect(page).toBe('Passed. Coverage fell by 2.00 points, within the allowed 2 points.');
  });

  test('both rules fail: both are named, and what would pass satisfies both', () => {
    const { status, comment } = told({ now: totals(70, 100), before: totals(90, 100), minimum: 89, allowedDrop: 10 });
    expect(status).toContain('below 89%, more than 10 allowed');
    expect(comment).toContain('minimum of 89%, more than the allowed drop of 10 points');
    expect(comment).toContain('covering 19 more lines anywhere would pass');
  });

  test('the base is named by its commit, never by the number of a CI run', () => {
    const { status, comment, page } = told({ now: totals(78, 100), before: totals(80, 100) });
    for (const text of [status, comment, page]) expect(text).not.toContain(base.number);
    expect(status).toContain('(base ddddddd, merge base)');
  });
});

describe('unchanged lines that decide', () => {
  const changes = [
    aFileChange('src/u.ts', { kind: 'changed', newlyMissed: [[5, 5]], newlyMissedRanges: 1 }),
    aFileChange('src/v.ts', { kind: 'elsewhere', newlyMissed: [[7, 9]], newlyMissedRanges: 1 }),
  ];
  const fell = { now: totals(76, 100), before: totals(80, 100) };

  test('are named, the first one in the status too', () => {
    const { status, comment } = told({ ...fell, result: { fileChanges: changes, fileChangeCount: 2 } });
    expect(status).toContain('4 lines lost outside the change (first src/u.ts:5)');
    expect(comment).toMatch(
      /\*\*Lost outside the change:\*\* \[`src\/u\.ts`\]\([^)]*\) line \[5\].*\[`src\/v\.ts`\].* lines \[7–9\]/,
    );
    expect(comment).toMatch(/\[Show what was lost\]\([^)]*#elsewhere\)/);
  });

  test('a branch that was lost is named too', () => {
    const newlyPartly = { newlyPartly: [9], newlyPartlyLines: 1 };
    const ofLines = (...newlyMissed: NonNullable<FileChange['newlyMissed']>) => ({
      fileChanges: [
        aFileChange('src/u.ts', {
          kind: 'changed',
          newlyMissed,
          newlyMissedRanges: newlyMissed.length,
          ...newlyPartly,
        }),
      ],
      fileChangeCount: 1,
    });
    const armLost = { now: totals(80, 100, 1, 2), before: totals(80, 100, 2, 2) };
    const { status, comment } = told({ ...armLost, result: ofLines() });
    expect(status).toContain('. Lost at src/u.ts:9; cover 1 more line to pass');
    expect(comment).toMatch(/\*\*Lost outside the change:\*\* \[`src\/u\.ts`\]\([^)]*\) branch at \[9\]/);
    expect(comment).toMatch(/\[Show what was lost\]\([^)]*#elsewhere\)/);
    expect(told({ ...armLost, result: ofLines([5, 5]) }).status).toContain('First lost at src/u.ts:5; cover');
  });

  test('not of an incomplete build, which says what did not report', () => {
    const reason = { kind: 'incomplete', flags: ['v'] } as const;
    const gone = aFileChange('src/w.ts', { kind: 'no-longer-measured', totals: undefined });
    const { comment } = told({
      ...fell,
      result: {
        fileChanges: [...changes, gone],
        fileChangeCount: 3,
        verdict: { state: 'incomplete', rule: 'incomplete', reason, provisional: false },
      },
    });
    expect(comment).toContain('v did not report');
    expect(comment).not.toMatch(/Lost|No longer in reports/);
  });

  test('an informational status and an accepted failure ask for nothing', () => {
    expect(told({ ...fell, informational: true }).status).not.toContain('to pass');
    const acceptance = { by: 'mona', at: 1, reason: 'next week', holds: true };
    const reason = { kind: 'measured', totals: fell.now, findings: [] } as const;
    const { comment } = told({
      ...fell,
      result: {
        acceptance,
        verdict: { state: 'failure', rule: 'no-decrease', reason, accepted: true, provisional: false },
      },
    });
    expect(comment).not.toMatch(/would pass|to pass/);
  });
});
