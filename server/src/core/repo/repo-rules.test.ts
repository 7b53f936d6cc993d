import type { CoverageFile } from '@coverage/shared/coverage-file/declared';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveRules, NO_FLOORS, type RuleSources } from './repo-rules.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from './settings.ts';

const AT = Date.UTC(2027, 0, 15);
const rulesOf = (
  file: CoverageFile | undefined,
  settings: Partial<RepoSettings> = {},
  more: Partial<RuleSources> = {},
) =>
  effectiveRules({
    ...{ file, floors: NO_FLOORS, at: AT, branch: 'main' },
    settings: { ...DEFAULT_REPO_SETTINGS, ...settings },
    ...more,
  });

test('without a file the settings are what they are', () => {
  const settings = { minimum: 70, allowedDrop: 1, patchMinimum: 80, informational: true, annotations: true } as const;
  expect(rulesOf(undefined, settings).settings).toEqual({ ...DEFAULT_REPO_SETTINGS, ...settings });
});

test('the file goes before the settings, key by key', () => {
  const file: CoverageFile = {
    total: { minimum: 80 },
    changes: { minimum: 'base', drop: 1 },
    flags: { unit: { minimum: 90, carry: true }, e2e: { off: true } },
    comment: 'off',
    annotations: true,
    ignore_removed_code: true,
  };
  const flagSettings = [{ flag: 'unit', minimum: 10, allowedDrop: 2, informational: false }];
  const rules = rulesOf(file, { minimum: 50, allowedDrop: 3, flagSettings });
  expect(rules).toMatchObject({
    settings: {
      minimum: 80,
      allowedDrop: 3,
      patchMinimum: 'base',
      flagSettings: [
        { flag: 'unit', minimum: 90, allowedDrop: 2, informational: false },
        { flag: 'e2e', minimum: null, allowedDrop: 100, informational: false },
      ],
      commentOnPullRequests: false,
      annotations: true,
      ignoreRemovedCode: true,
    },
    changes: { allowedDrop: 1 },
    carry: ['unit'],
  });
});

describe('informational', () => {
  test.each([
    ['until a day that has not begun', { until: '2027-01-16' }, true],
    ['until a day that has begun', { until: '2027-01-15' }, false],
    ['always', { informational: true }, true],
    ['by its own word', { informational: false }, false],
  ])('%s', (_, rule, expected) => {
    expect(rulesOf({ total: rule }).total.informational).toBe(expected);
    expect(rulesOf({ changes: rule }).changes.informational).toBe(expected);
    expect(rulesOf({ groups: [{ name: 'a', paths: ['a'], total: rule }] }).groups[0]?.total?.informational).toBe(
      expected,
    );
    expect(rulesOf({ flags: { unit: rule } }).settings.flagSettings[0]?.informational).toBe(expected);
  });

  test('on base branches that are not named', () => {
    const file: CoverageFile = { branches: ['main', 'release/*'] };
    const isHint = (branch: string | undefined) => rulesOf(file, {}, { branch }).settings.informational;
    expect(['main', 'release/1', 'next', undefined].map(isHint)).toEqual([false, false, true, false]);
  });
});

test('floors of the server hold below file and settings', () => {
  const floors = { minTotal: 70, minChanges: 60 };
  expect(rulesOf({ total: { minimum: 0 }, changes: { minimum: 90 } }, {}, { floors }).settings).toMatchObject({
    minimum: 70,
    patchMinimum: 90,
  });
  expect(rulesOf({ total: { off: true } }, {}, { floors }).settings.minimum).toBe(70);
  expect(rulesOf(undefined, { minimum: 75 }, { floors }).settings).toMatchObject({ minimum: 75, patchMinimum: 60 });
});

test('a group has its id from its name, and its rules from itself', () => {
  const { groups } = rulesOf({
    untouched: 'judge',
    groups: [
      { name: 'Design system', paths: ['ui/**'], total: { drop: 0 }, informational: true, status: true },
      { owner: '@acme/pages', untouched: 'pass' },
      { each: 'packages/*', total: { off: true } },
    ],
  });
  expect(groups).toMatchObject([
    {
      id: 'design-system',
      total: { allowedDrop: 0, minimum: null, informational: true },
      hasStatus: true,
      judgesUntouched: true,
    },
    { id: 'acme-pages', name: '@acme/pages', files: { kind: 'owner', owner: '@acme/pages' }, judgesUntouched: false },
    { id: 'each:packages/*', name: '{1}', total: undefined },
  ]);
});

describe('stricter', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  const stated = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

  /** Whether a build with this total and base passes. */
  const passes = (
    { minimum, allowedDrop }: Pick<RepoSettings, 'minimum' | 'allowedDrop'>,
    total: number,
    base: number,
  ) => {
    const drop = allowedDrop ?? (minimum === null ? 0 : 100);
    return (minimum === null || total >= minimum) && base - total <= drop;
  };

  test('no build passes by a file that fails by the settings', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    const rule = fc.record({ minimum: stated, drop: stated, off: fc.boolean(), informational: fc.boolean() });
    fc.assert(
      fc.property(limit, limit, rule, percent, percent, (minimum, allowedDrop, total, now, base) => {
        const settings = { minimum, allowedDrop, configFile: 'stricter' } as const;
        const file = { total, informational: true, branches: ['none'], ignore: ['**'] } as CoverageFile;
        const rules = rulesOf(file, settings);
        expect(rules.total.informational || rules.settings.informational).toBe(false);
        expect(rules.ignore).toEqual([]);
        if (passes(rules.settings, now, base)) expect(passes(settings, now, base)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what asks for more is taken', () => {
    const file: CoverageFile = {
      total: { minimum: 90, ratchet: {} },
      changes: { minimum: 80 },
      groups: [{ name: 'a', paths: ['a'], total: { minimum: 50 } }],
      uploads: 3,
      flags: { unit: { uploads: 2, paths: ['src/**'], changes: { minimum: 60 } } },
    };
    const rules = rulesOf(file, { minimum: 70, configFile: 'stricter' });
    expect(rules).toMatchObject({ uploads: 3, ignore: [] });
    expect(rules.flags.get('unit')).toMatchObject({ uploads: 2, paths: undefined, changes: { minimum: 60 } });
    expect(rules).toMatchObject({ settings: { minimum: 90, patchMinimum: 80 }, ratchet: 0, groups: [{ id: 'a' }] });
  });
});
