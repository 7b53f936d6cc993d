import type { CoverageFile } from '@coverage/shared/coverage-file/declared';
import { describe, expect, test } from 'vitest';
import { baseWith, composed, conclude } from '../../../../test/support/close-findings.ts';
import { aFlag, totals } from '../../../../test/support/records.ts';
import { judgesChanges } from '../repo/effective-settings.ts';
import { effectiveRules, NO_FLOORS, type RuleFloors } from '../repo/repo-rules.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../repo/settings.ts';
import { type ChangeSums, NO_MOVEMENT } from '../verdict/split-change.ts';
import type { BuildResult } from './build.ts';
import type { Findings } from './conclude-build.ts';

const base = baseWith([aFlag('ui', { totals: totals(75, 100) })], { totals: totals(50, 100) });
const NOTHING = totals(0, 0);
const split: ChangeSums = {
  ...{ base: totals(50, 100), head: totals(49, 100), changed: NOTHING, removed: NOTHING },
  ...{ outside: NO_MOVEMENT, untouched: NO_MOVEMENT, unexplained: NO_MOVEMENT, unexplainedFiles: 0 },
};
const lost = { ...NO_MOVEMENT, before: totals(1, 1), after: totals(0, 1), lostLines: 1 };
const flags = [{ name: 'ui', kind: 'uploaded', totals: totals(75, 100) } as const];

interface Given {
  readonly file?: CoverageFile;
  readonly floors?: RuleFloors;
  readonly settings?: Partial<RepoSettings>;
}

/** A close under the repo's own file, as gather-rules gives it. */
function judged({ file, floors = NO_FLOORS, settings: own }: Given, found: Partial<Findings>): BuildResult {
  const settings = { ...DEFAULT_REPO_SETTINGS, ...own };
  const rules = effectiveRules({ settings, file, floors, at: 0, branch: 'main' });
  return conclude({ base, settings: rules.settings, rules: { rules, judged: { values: [] } }, ...found });
}

describe('elsewhere: fail', () => {
  const failing: CoverageFile = { elsewhere: 'fail' };

  test.each<[string, CoverageFile, BuildResult['verdict']['informational']]>([
    ['the total decides', failing, undefined],
    ['the total only informs', { ...failing, total: { informational: true } }, undefined],
    ['all only informs', { ...failing, informational: true }, true],
  ])('an incomplete build has lost nothing yet: %s', (_, file, informational) => {
    const late = {
      composed: composed({ flags: [], split: { ...split, untouched: lost } }),
      closedBy: 'deadline',
    } as const;
    const recent = base?.build === undefined ? [] : [base.build];
    const result = judged({ file }, { ...late, recent });
    expect(result.elsewhere?.state).toBe('incomplete');
    expect([result.verdict.state, result.verdict.informational]).toEqual(['incomplete', informational]);
    expect(result.overall?.state).toBe(informational === true ? 'success' : 'incomplete');
  });

  test.each<[string, boolean, boolean, string]>([
    ['as chance does, where that is ignored', true, true, 'success'],
    ['as chance does, where it is not', false, true, 'failure'],
    ['more than chance does', true, false, 'failure'],
  ])('lines that flip: %s', (_, ignoreUnstableLines, isUsual, state) => {
    const unstable = { ...lost, blocks: 9, missed: 1, usual: { least: 0, most: 1 }, isUsual, recorded: 64 };
    const found = { composed: composed({ flags, split: { ...split, unstable } }) };
    expect(judged({ file: failing, settings: { ignoreUnstableLines } }, found).elsewhere?.state).toBe(state);
  });
});

describe('MIN_CHANGES', () => {
  const floors = { ...NO_FLOORS, minChanges: 80 };
  const patchOf = (covered: number) => ({
    ...{ totals: totals(covered, 10), files: [], fileCount: 0, unmeasured: [], unmeasuredCount: 0, complete: true },
  });

  test.each<[number, string]>([
    [7, 'failure'],
    [8, 'success'],
  ])('holds where a repo asks for the total of its base alone: %i of 10 lines', (covered, state) => {
    const found = { composed: composed({ flags, patch: patchOf(covered) }) };
    expect(judged({ floors, settings: { patchMinimum: 'base' } }, found).patch?.verdict?.state).toBe(state);
  });

  test('has a commit status, whatever the repo says', () => {
    const sources = { settings: DEFAULT_REPO_SETTINGS, file: undefined, at: 0, branch: undefined };
    expect(judgesChanges(effectiveRules({ ...sources, floors }).settings)).toBe(true);
    expect(judgesChanges(effectiveRules({ ...sources, floors: NO_FLOORS }).settings)).toBe(false);
  });
});
