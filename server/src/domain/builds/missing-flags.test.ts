import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aFlag, aResult } from '../../../../test/support/records.ts';
import type { Build, FlagResult } from './build.ts';
import type { ClosedBy } from './due-tasks.ts';
import { missingFlags, unreportedFlags } from './missing-flags.ts';

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
