import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aFile, aReport, aResult, sha } from '../../../../test/support/records.ts';
import type { CarryforwardRequest } from './build.ts';
import { flagsToCarry, newerBuild, restrictCarried, toCarriedPick } from './carryforward.ts';

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

describe('rule 16: a carried file that has changed since', () => {
  const branches = [1, 0, 0, 4, 2, 0, 0, 0, 3, 0, 0, 7];
  const carried = aFile('a.ts', [4, 0, 9, -1, 5], { branches, digest: 'old' });
  const current = aFile('a.ts', [-1, 3, 0, 2], { digest: 'new' });

  test('counts only on lines that the build’s own jobs call relevant, branches alike', () => {
    const { report, restricted } = restrictCarried(aReport(carried), aReport(current));
    expect(restricted).toBe(1);
    expect(report).toEqual(aReport(aFile('a.ts', [-1, 0, 9, -1], { branches: [2, 0, 0, 0, 3, 0, 0, 7], digest: 'new' })));
  });

  test.each([
    ['the same text', aFile('a.ts', [-1, 3, 0, 2], { digest: 'old' })],
    ['no digest in this build', aFile('a.ts', [-1, 3, 0, 2])],
    ['another file', aFile('b.ts', [-1, 3, 0, 2], { digest: 'new' })],
  ])('%s: stays as it was', (_, own) => {
    expect(restrictCarried(aReport(carried), aReport(own))).toEqual({ report: aReport(carried), restricted: 0 });
  });

  test('no digest in the carried report: stays as it was', () => {
    const unknown = aFile('a.ts', [4, 0, 9]);
    expect(restrictCarried(aReport(unknown), aReport(current))).toEqual({ report: aReport(unknown), restricted: 0 });
  });

  test('counts every such file, and leaves the others', () => {
    const other = aFile('b.ts', [1], { digest: 'same' });
    const third = aFile('c.ts', [1, 1], { digest: 'old' });
    const own = aReport(current, other, aFile('c.ts', [-1, -1], { digest: 'new' }));
    const { report, restricted } = restrictCarried(aReport(carried, other, third), own);
    expect(restricted).toBe(2);
    expect(report.files[1]).toBe(other);
    expect([...(report.files[2]?.hits ?? [])]).toEqual([-1, -1]);
  });

  test('columns stay as narrow as their values', () => {
    const large = 2 ** 40;
    const wide = aFile('a.ts', [large, 5], { branches: [1, 0, 0, large, 2, 0, 0, 1], digest: 'old' });
    const { report } = restrictCarried(aReport(wide), aReport(aFile('a.ts', [-1, 1], { digest: 'new' })));
    expect(report).toEqual(aReport(aFile('a.ts', [-1, 5], { branches: [2, 0, 0, 1], digest: 'new' })));
  });
});
