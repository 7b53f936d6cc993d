import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aResult, sha } from '../../../../test/support/records.ts';
import type { CarryforwardRequest } from './build.ts';
import { flagsToCarry, namedFlags, newerBuild, toCarriedPick } from './carryforward.ts';

describe('rule 15: flagsToCarry', () => {
  test.each<[string, CarryforwardRequest | undefined, readonly string[], readonly string[]]>([
    ['nothing asked for', undefined, [], []],
    ['named ones', ['ui', 'api'], [], ['ui', 'api']],
    ['named ones that no job has', ['ui', 'api'], ['api'], ['ui']],
    ['a named one that the base does not know', ['docs'], [], ['docs']],
    ['one named twice', ['ui', 'ui'], [], ['ui']],
    ['all: every flag of the base', 'all', [], ['api', 'ui']],
    ['all that no job has', 'all', ['ui', 'new'], ['api']],
  ])('%s', (_, request, uploaded, expected) => {
    expect(flagsToCarry(request, ['api', 'ui'], uploaded)).toEqual(expected);
  });
});

test.each<[readonly string[], readonly string[], readonly string[]]>([
  [['ui, api,,ui'], [], ['ui', 'api']],
  [['linux, node 24'], ['linux, node 24', 'linux'], ['linux, node 24']],
  [['unit, linux, node 24,web'], ['linux, node 24', 'linux', 'unit'], ['unit', 'linux, node 24', 'web']],
  [['a,b,c'], ['a,b', 'b,c'], ['a,b', 'c']],
  [['a,b,c'], ['a,b', 'a,b,c'], ['a,b,c']],
  [['a,b', 'a,b', 'c'], [], ['a', 'b', 'c']],
  [['a,,b'], ['a,,b'], ['a,,b']],
  [[Array(900).fill('x').join(',')], ['x,x'], ['x,x']],
])('rule 15: %j with the flags %j names %j', (entries, known, names) => {
  expect(namedFlags(entries, new Set(known))).toEqual(names);
});

test('rule 15: of two origins the newer one, by sequence', () => {
  const [older, newer] = [aBuild({ sequence: 3, createdAt: 9 }), aBuild({ sequence: 4, createdAt: 1 })];
  expect(newerBuild(older, newer)).toBe(newer);
  expect(newerBuild(newer, older)).toBe(newer);
  expect(newerBuild(undefined, older)).toBe(older);
  expect(newerBuild(older, undefined)).toBe(older);
  expect(newerBuild(undefined, undefined)).toBeUndefined();
});

test('rule 16: a carried report keeps its origin: build, commit, time', () => {
  const origin = aClosedBuild({
    sequence: 9,
    serviceNumber: 'run-9',
    commit: sha('a'),
    result: aResult({ closedAt: 5, closeCount: 2 }),
  });
  expect(toCarriedPick('ui', origin)).toEqual({
    flag: 'ui',
    buildId: 9,
    number: 'run-9',
    commit: sha('a'),
    closedAt: 5,
    closeCount: 2,
  });
});
