import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aFlag, aResult } from '../../../../test/support/records.ts';
import type { Build, FlagResult } from './build.ts';
import type { ClosedBy } from './due-tasks.ts';
import { findMissingJobs, missingFlags, unreportedFlags } from './missing-flags.ts';

function withFlags(flags: Readonly<Record<string, FlagResult['kind']>>): Build {
  const results = Object.entries(flags).map(([name, kind]) => aFlag(name, { kind }));
  return aClosedBuild({ result: aResult({ flags: results }) });
}

describe('missingFlags', () => {
  const base = withFlags({ api: 'uploaded', ui: 'carried', old: 'missing' });

  test.each<[string, Build | undefined, readonly string[], readonly string[]]>([
    ['no base', undefined, [], []],
    ['a base without a result', aBuild(), [], []],
    ['all reported or carried', base, ['api', 'ui', 'new'], []],
    ['one lacks', base, ['api'], ['ui']],
    ['none reported: a flag that the base itself lacked is not asked for', base, [], ['api', 'ui']],
    ['names are compared as they are', base, ['API', 'ui'], ['api']],
  ])('%s', (_, from, present, expected) => {
    expect(missingFlags(from, present)).toEqual(expected);
  });
});

describe('rule 13: unreportedFlags', () => {
  const uploaded = withFlags({ api: 'uploaded', ui: 'uploaded' });
  const carried = withFlags({ api: 'carried', ui: 'missing' });
  const facts = { missing: ['api', 'ui'], closedBy: 'deadline', recent: [uploaded], expected: undefined } as const;

  test('after a deadline, what a recent build still uploaded', () => {
    expect(unreportedFlags(facts)).toEqual(['api', 'ui']);
  });

  test.each(['job', 'webhook'] as const)('a build closed by %s lacks nothing', (closedBy) => {
    expect(unreportedFlags({ ...facts, closedBy })).toEqual([]);
  });

  test.each<[ClosedBy, Build['runConclusion'], boolean]>([
    ['provider', 'cancelled', true],
    ['provider', 'failure', true],
    ['provider', 'success', false],
    ['provider', 'skipped', false],
    ['provider', undefined, false],
    // What closed it does not matter to a run that went wrong, nor the deadline to one that went well.
    ['webhook', 'failure', true],
    ['job', 'cancelled', true],
    ['webhook', 'success', false],
    ['deadline', 'failure', true],
    ['deadline', 'skipped', true],
    ['deadline', 'success', false],
  ])('a build closed by %s whose run ended in %s: %s', (closedBy, runConclusion, lacks) => {
    expect(unreportedFlags({ ...facts, closedBy, runConclusion })).toEqual(lacks ? ['api', 'ui'] : []);
  });

  test('only uploaded reports show that a flag still lives', () => {
    expect(unreportedFlags({ ...facts, recent: [carried] })).toEqual([]);
  });

  test('incomplete builds are asked too', () => {
    const incomplete = aClosedBuild({
      result: aResult({
        flags: [aFlag('api')],
        verdict: { state: 'incomplete', rule: 'incomplete', explanation: '', summary: '', provisional: false },
      }),
    });
    expect(unreportedFlags({ ...facts, recent: [incomplete] })).toEqual(['api']);
  });

  test('the fifth build back is asked, the sixth is not', () => {
    expect(unreportedFlags({ ...facts, recent: [carried, carried, carried, carried, uploaded] })).toEqual([
      'api',
      'ui',
    ]);
    expect(unreportedFlags({ ...facts, recent: [carried, carried, carried, carried, carried, uploaded] })).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['names one of them', ['ui', 'other'], ['ui']],
    ['is empty', [], []],
  ])('the list of expected flags, where it %s', (_, expected, unreported) => {
    expect(unreportedFlags({ ...facts, expected })).toEqual(unreported);
  });
});

describe('rule 13: findMissingJobs', () => {
  const withJobs = (unflaggedJobs: number): Build => aClosedBuild({ result: aResult({ unflaggedJobs }) });
  const facts = {
    arrived: 1,
    base: withJobs(2),
    closedBy: 'deadline',
    runConclusion: undefined,
    recent: [withJobs(3), withJobs(2)],
    waited: 1_800_000,
  } as const;

  test('after a deadline, or a run that went wrong: fewer than the base and than each recent build had', () => {
    const found = { arrived: 1, expected: 2, waited: 1_800_000, run: undefined };
    expect(findMissingJobs(facts)).toEqual(found);
    expect(findMissingJobs({ ...facts, recent: [] })).toEqual(found);
    for (const run of ['failure', 'cancelled'] as const)
      expect(findMissingJobs({ ...facts, closedBy: 'provider', runConclusion: run })).toEqual({ ...found, run });
  });

  test.each<[string, Partial<Parameters<typeof findMissingJobs>[0]>]>([
    ['as many arrived', { arrived: 2 }],
    ['its CI closed it', { closedBy: 'webhook' }],
    ['its run ended well', { runConclusion: 'success' }],
    ['there is no base', { base: undefined }],
    ['one of the recent builds had no more', { recent: [withJobs(2), withJobs(1)] }],
    ['it is not known how many jobs of the base had no flag', { base: withFlags({ api: 'uploaded' }) }],
  ])('nothing is claimed where %s', (_, stated) => {
    expect(findMissingJobs({ ...facts, ...stated })).toBeUndefined();
  });

  test('what its jobs said themselves needs no base; as many as they said are enough', () => {
    const stated = { jobs: 5, arrived: 3 };
    const found = { arrived: 3, expected: 5, waited: 1_800_000, run: undefined };
    expect(findMissingJobs({ ...facts, base: undefined, stated })).toEqual(found);
    expect(findMissingJobs({ ...facts, base: undefined, stated, closedBy: 'job' })).toBeUndefined();
    expect(findMissingJobs({ ...facts, base: undefined, stated: { jobs: 3, arrived: 3 } })).toBeUndefined();
  });

  test('of a result of an earlier version all jobs count that it had, where it has no flags', () => {
    const base = aClosedBuild({ result: aResult({ countedJobs: [4, 5, 6] }) });
    expect(findMissingJobs({ ...facts, base, recent: [] })).toMatchObject({ expected: 3 });
  });

  test('older builds of the branch do not matter', () => {
    const recent = [...Array.from({ length: 5 }, () => withJobs(2)), withJobs(1)];
    expect(findMissingJobs({ ...facts, recent })).toMatchObject({ arrived: 1 });
  });
});
