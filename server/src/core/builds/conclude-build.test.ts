import { describe, expect, test } from 'vitest';
import { baseWith, CLOSED_AT, composed, conclude } from '../../../../test/support/close-findings.ts';
import { aBuild, aClosedBuild, aFlag, aJob, aResult, sha, totals } from '../../../../test/support/records.ts';
import { inWords } from '../../../../test/support/verdict-words.ts';
import { describeCloseWarnings } from '../../wording/build-warnings.ts';
import { DEFAULT_REPO_SETTINGS } from '../repo/settings.ts';
import type { Build, CarriedPick } from './build.ts';
import type { Findings } from './conclude-build.ts';

const pick: CarriedPick = { flag: 'ui', buildId: 60, number: '60', commit: sha('a'), closedAt: 9, closeCount: 1 };
const uploaded = { name: 'ui', kind: 'uploaded', totals: totals(70, 100) } as const;

describe('concludeBuild', () => {
  test('a first build: its numbers, its jobs, no base', () => {
    const result = conclude({ jobs: [aJob({ number: 1 }), aJob({ number: 3 })] });
    expect(result).toMatchObject({
      closeCount: 1,
      closedAt: CLOSED_AT,
      closedBy: 'webhook',
      totals: totals(80, 100),
      files: 3,
      base: undefined,
      baseTotals: undefined,
      flags: [],
      countedJobs: [1, 3],
      warnings: [],
      verdict: { state: 'success', rule: 'first-build' },
    });
  });

  test('each close has the next count', () => {
    expect(conclude({ build: aBuild({ result: aResult({ closeCount: 4 }) }) }).closeCount).toBe(5);
  });

  test('the base’s last close is what it is judged against', () => {
    const result = conclude({ base: baseWith([], { totals: totals(90, 100) }) });
    expect(result).toMatchObject({
      base: { number: '70', rule: 'previous-on-branch' },
      baseTotals: totals(90, 100),
      verdict: { state: 'failure', rule: 'no-decrease' },
    });
    expect(inWords(result.verdict).explanation).toBe(
      'Coverage is 80.00%, −10.00 points from 90.00% in bbbbbbb: no decrease allowed.',
    );
  });

  test('a flag is judged against the same flag of the base', () => {
    const result = conclude({
      composed: composed({ flags: [uploaded] }),
      base: baseWith([aFlag('ui', { totals: totals(75, 100) }), aFlag('UI', { totals: totals(1, 100) })]),
    });
    expect(result.flags[0]).toMatchObject({
      name: 'ui',
      kind: 'uploaded',
      totals: totals(70, 100),
      baseTotals: totals(75, 100),
      verdict: { state: 'failure', rule: 'no-decrease' },
    });
  });

  test('a flag that the base itself lacked has nothing to compare with', () => {
    const missing = aFlag('ui', { kind: 'missing', totals: undefined, baseTotals: totals(75, 100) });
    const result = conclude({ composed: composed({ flags: [uploaded] }), base: baseWith([missing]) });
    expect(result.flags).toHaveLength(1);
    expect(result.flags[0]).toMatchObject({
      baseTotals: undefined,
      verdict: { state: 'success', rule: 'first-build' },
    });
  });

  test('rule 16: a carried flag names its origin', () => {
    const flags = [{ ...uploaded, kind: 'carried' } as const];
    const result = conclude({ composed: composed({ flags }), carried: [{ ...pick, flag: 'api' }, pick] });
    expect(result.flags[0]).toMatchObject({ kind: 'carried', carried: pick });
    expect(result.carried).toEqual([{ ...pick, flag: 'api' }, pick]);
  });
});

describe('flags that the base has and the build lacks (rules 13 and 17)', () => {
  const base = baseWith([aFlag('api'), aFlag('ui', { kind: 'carried', carried: pick, totals: totals(812, 1_000) })]);
  const recent: readonly Build[] = [aClosedBuild({ result: aResult({ flags: [aFlag('ui')] }) })];
  const only = composed({ flags: [{ ...uploaded, name: 'api', totals: totals(80, 100) }] });

  test('after an ordinary close: a success without a share, where it was seen last', () => {
    const result = conclude({ composed: only, base, recent });
    expect(result.verdict).toMatchObject({ state: 'success', rule: 'no-decrease' });
    const [, ui] = result.flags;
    expect({ ...ui, verdict: ui && inWords(ui.verdict) }).toEqual({
      name: 'ui',
      kind: 'missing',
      totals: undefined,
      baseTotals: totals(812, 1_000),
      carried: undefined,
      lastSeen: { number: '60', commit: expect.any(String), totals: totals(812, 1_000) },
      verdict: {
        state: 'success',
        rule: 'not-reported',
        explanation: 'Not reported; last 81.20% in aaaaaaa.',
        summary: 'not reported; last 81.20% in aaaaaaa',
      },
    });
  });

  test('last seen in the base itself, where it was uploaded there', () => {
    const result = conclude({ base: baseWith([aFlag('api')]) });
    expect(result.flags[0]).toMatchObject({ name: 'api', kind: 'missing', lastSeen: { number: '70' } });
  });

  test('after a deadline: the build is incomplete, and names what did not report', () => {
    const result = conclude({ composed: only, base, recent, closedBy: 'deadline' });
    expect(result.verdict).toMatchObject({ state: 'incomplete', rule: 'incomplete' });
    expect(inWords(result.verdict).summary).toBe('incomplete: ui did not report before the build was closed');
    expect(result.flags[1]).toMatchObject({ kind: 'missing', verdict: { state: 'incomplete', rule: 'incomplete' } });
  });

  test('after a deadline, of a flag that nobody uploads any more: as after an ordinary close', () => {
    const result = conclude({ composed: only, base, recent: [base.build], closedBy: 'deadline' });
    expect(result.verdict.state).toBe('success');
    expect(result.flags[1]).toMatchObject({ kind: 'missing', verdict: { rule: 'not-reported' } });
  });

  test('after a deadline, of a flag that the repo does not expect: as after an ordinary close', () => {
    const settings = { ...DEFAULT_REPO_SETTINGS, expectedFlags: ['api'] };
    expect(conclude({ composed: only, base, recent, closedBy: 'deadline', settings }).verdict.state).toBe('success');
  });

  test('a carried flag is not missing, also after a deadline', () => {
    const flags = [...only.flags, { ...uploaded, kind: 'carried' } as const];
    const result = conclude({ composed: composed({ flags }), carried: [pick], base, recent, closedBy: 'deadline' });
    expect(result.verdict.state).toBe('success');
    expect(result.flags.map((flag) => flag.kind)).toEqual(['uploaded', 'carried']);
  });
});

describe('warnings of a close', () => {
  test.each<[string, Partial<Findings>, RegExp]>([
    [
      'a flag that no build holds (rule 16)',
      { notFound: ['docs'] },
      /^Flag docs should have been carried forward, but it has no stored/,
    ],
    [
      'changed files of carried flags (rule 16)',
      { composed: composed({ leftOutFiles: 2 }) },
      /^2 files of carried flags changed since/,
    ],
    ['one such file', { composed: composed({ leftOutFiles: 1 }) }, /^1 file of carried flags/],
    [
      'different texts in different jobs',
      { composed: composed({ digestConflicts: 1 }) },
      /^1 file had different texts/,
    ],
    [
      'nothing relevant at all',
      { composed: composed({ totals: totals(0, 0) }) },
      /^None of the jobs reported a relevant line\.$/,
    ],
  ])('%s', (_, findings, expected) => {
    const warnings = describeCloseWarnings(conclude(findings));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(expected);
  });
});
