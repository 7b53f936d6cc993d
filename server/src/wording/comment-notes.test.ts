import { describe, expect, test } from 'vitest';
import { links } from '../../../test/support/comment-links.ts';
import { aBuild, aFlag, aResult, totals } from '../../../test/support/records.ts';
import type { BuildResult } from '../core/builds/build.ts';
import { USUAL_TERMS } from '../core/repo/git-host.ts';
import { judgeBuild } from '../core/verdict/judge-build.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { deservesComment, prComment } from './pr-comment.ts';

const comment = (result: Partial<BuildResult>): string =>
  prComment({ build: aBuild({ pullRequest: 7 }), result: aResult(result), repo: { id: 1 }, links, terms: USUAL_TERMS });

/** 78 of 100 lines and 5 of 8 branches after 80 of 100 lines: a drop. */
function dropping(stated: Partial<BuildResult> = {}): Partial<BuildResult> {
  const [now, before] = [totals(78, 100, 5, 8), totals(80, 100)];
  const thresholds = { minimum: null, allowedDrop: null };
  const verdict = judgeBuild({ totals: now, base: { number: '70', totals: before }, thresholds, unreported: [] });
  return { totals: now, baseTotals: before, verdict, ...stated };
}

describe('deservesComment: on-change', () => {
  const same = { totals: totals(80, 100), baseTotals: totals(8, 10) };
  const failed = { ...aFlag('').verdict, state: 'failure' } as const;
  const patch = { totals: totals(0, 1), files: [], fileCount: 0, unmeasured: [], unmeasuredCount: 0, complete: true };

  test.each<[string, Partial<BuildResult>, boolean]>([
    ['unchanged', same, false],
    ['changed', { ...same, baseTotals: totals(79, 100) }, true],
    ['nothing to compare with', { ...same, baseTotals: undefined }, true],
    ['unchanged, and failing', { ...same, verdict: { ...aResult().verdict, state: 'failure' } }, true],
    ['unchanged, a flag failing', { ...same, flags: [aFlag('ui', { verdict: failed })] }, true],
    ['unchanged, the changed lines failing', { ...same, patch: { ...patch, verdict: failed } }, true],
    ['unchanged, the changed lines not judged', { ...same, patch: { ...patch, verdict: undefined } }, false],
    ['no percentage', { totals: totals(0, 0) }, false],
  ])('%s: %s', (_, result, expected) => {
    expect(deservesComment(aResult(result), 'on-change')).toBe(expected);
  });
});

describe('what a comment says besides', () => {
  const patch = {
    totals: totals(5, 8, 1, 2),
    files: [],
    fileCount: 0,
    unmeasured: [],
    unmeasuredCount: 0,
    complete: true,
  };
  const failed = { state: 'failure', rule: 'patch-minimum', explanation: 'Too few.', summary: '' } as const;

  test('the cause, once', () => {
    const cause = { sentence: '2 changed lines are not covered.', clause: undefined, parts: [] };
    const body = comment(dropping({ cause }));
    expect(body).toContain('**No decrease allowed. 2 changed lines are not covered.**\n\n');
    expect(body.split(cause.sentence)).toHaveLength(2);
  });

  test('in its row what made a failing flag fail, and nothing of one that passes', () => {
    const cause = {
      sentence: 'Two were removed.',
      clause: '2 covered lines removed',
      remedy: 'cover 1 more line',
      parts: [],
    };
    const row = (verdict: Partial<FlagVerdict>): string | undefined =>
      comment({ flags: [aFlag('ui', { cause, verdict: { ...aFlag('ui').verdict, ...verdict } })] })
        .split('\n')
        .find((line) => /^\|\S+ \[`ui`\]/.test(line))
        ?.replace(/\(https:[^)]*\)/, '');
    expect(row({ state: 'failure', rule: 'no-decrease' })).toBe(
      '|❌ [`ui`]|80.00%|—|first report; 2 covered lines removed; cover 1 more line|',
    );
    expect(row({ state: 'failure', rule: 'minimum', informational: true })).toBe(
      '|⚠️ [`ui`] (informational)|80.00%|—|first report; 2 covered lines removed; cover 1 more line|',
    );
    expect(row({ state: 'success' })).toBe('|✅ [`ui`]|80.00%|—|');
  });

  test('the changed lines, with their verdict', () => {
    expect(comment({ patch: { ...patch, verdict: undefined } })).toContain(
      '80.00% · changed lines 60.00%\n\nNo earlier build to compare with. ' +
        '5 of 8 changed lines and 1 of 2 branches are covered.',
    );
    expect(comment({ patch: { ...patch, verdict: failed } })).toMatch(
      /### ❌ Coverage: changed lines fail · total 80\.00%\n\n\*\*.*Too few\.\*\* \[Show what is missed\]/,
    );
    expect(comment({ patch: { ...patch, verdict: undefined, source: 'upload' } })).toContain(
      '\n\nChanged lines are as the upload reported them.',
    );
    expect(comment({ patch: { ...patch, totals: totals(0, 0), verdict: undefined, complete: false } })).toContain(
      'No changed lines with code.\n\nSome changed files or lines are unknown.',
    );
  });

  test('that a verdict is informational, or provisional', () => {
    const { verdict } = dropping();
    if (verdict === undefined) throw new Error('no verdict');
    expect(comment(dropping({ verdict: { ...verdict, informational: true } }))).toMatch(
      /### ⚠️ Coverage 76\.85%.*\n\nWould fail \(informational\): no decrease allowed\./,
    );
    expect(comment(dropping({ provisionalSince: 5 }))).toContain('⏳ Provisional: ');
    expect(comment(dropping())).not.toContain('Provisional');
  });
});
