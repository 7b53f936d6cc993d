import { describe, expect, test } from 'vitest';
import { aBuild } from '../../../../test/support/records.ts';
import type { BuildFacts } from '../builds/build-facts.ts';
import {
  findStatusNamesProblems,
  hadFormerNames,
  nameContext,
  STATUS_NAME_SETS,
  serverStatusNames,
} from './contexts.ts';

describe('hadFormerNames: whether a pull request’s build tells that it was opened before a rename', () => {
  const renamed = { names: STATUS_NAME_SETS.codecov, formerNames: serverStatusNames('coverage'), at: 2_000 };
  const ofBuild = { context: 'coverage', flag: undefined };

  test.each([
    ['made before', { createdAt: 1_999 }, true],
    ['made after', { createdAt: 2_000 }, false],
    [
      'made after, of a pull request that was opened before',
      { createdAt: 3_000, facts: { pull: { openedAt: 1_999 } } as BuildFacts },
      true,
    ],
    [
      'made after, of one that was opened after',
      { createdAt: 3_000, facts: { pull: { openedAt: 2_001 } } as BuildFacts },
      false,
    ],
    ['made after, going on with both names', { createdAt: 3_000, openedContexts: [ofBuild] }, true],
    ['by the name of a flag', { createdAt: 3_000, openedContexts: [{ context: 'Coverage (ui)', flag: 'ui' }] }, true],
    [
      'by the name of the changed lines',
      { createdAt: 3_000, openedContexts: [{ ...ofBuild, context: 'coverage/patch', patch: true }] },
      true,
    ],
    [
      'under the new names alone',
      { createdAt: 3_000, openedContexts: [{ ...ofBuild, context: 'codecov/project' }] },
      false,
    ],
    ['under another name', { createdAt: 3_000, openedContexts: [{ ...ofBuild, context: 'other' }] }, false],
  ] as const)('%s: %s', (_, build, expected) => {
    expect(hadFormerNames(aBuild(build), renamed)).toBe(expected);
  });

  test('a name that stayed the same tells nothing', () => {
    const formerNames = { ...renamed.names, flag: 'old <flag>' };
    const build = aBuild({ createdAt: 3_000, openedContexts: [{ context: renamed.names.build, flag: undefined }] });
    expect(hadFormerNames(build, { ...renamed, formerNames })).toBe(false);
  });
});

describe('rule 22: contexts', () => {
  test.each([
    ['coverage', 'build', 'coverage'],
    ['coverage', 'patch', 'coverage/patch'],
    ['coverage', { flag: 'ui' }, 'coverage (ui)'],
    ['ci/coverage', { flag: 'UI tests' }, 'ci/coverage (UI tests)'],
    ['coverage', { flag: 'a\n\u202eb' }, String.raw`coverage (a\n\u202eb)`],
    ['coverage', { flag: '🚀 x' }, 'coverage (\ufffd x)'],
    ['coverage', { flag: '$& <flag>' }, 'coverage ($& <flag>)'],
    ['coverage', { flag: 'x'.repeat(200) }, `coverage (${'x'.repeat(99)}…)`],
  ] as const)('%s, %o: %s', (word, place, expected) => {
    expect(nameContext(serverStatusNames(word), place)).toBe(expected);
  });

  test.each([
    ['coveralls', 'coverage/coveralls', 'Coveralls - ui', 'coverage/coveralls/patch'],
    ['codecov', 'codecov/project', 'codecov/project/ui', 'codecov/patch'],
  ] as const)('the set %s gives the exact contexts of that service', (set, build, flag, patch) => {
    const names = STATUS_NAME_SETS[set];
    expect([nameContext(names, 'build'), nameContext(names, { flag: 'ui' }), nameContext(names, 'patch')]).toEqual([
      build,
      flag,
      patch,
    ]);
  });
});

describe('findStatusNamesProblems', () => {
  const GOOD = { build: 'cov', flag: 'cov (<flag>)', patch: 'cov/patch' };

  test.each([GOOD, STATUS_NAME_SETS.coveralls, STATUS_NAME_SETS.codecov, serverStatusNames('coverage')])(
    '%o fits',
    (names) => {
      expect(findStatusNamesProblems(names)).toEqual([]);
    },
  );

  test.each<[string, unknown, RegExp]>([
    ['no object', 'coveralls', /must be \{"build"/],
    ['null', null, /must be/],
    ['a list', [], /must be/],
    ['one lacks', { build: 'a', flag: '<flag>' }, /patch must be a text/],
    ['an unknown one', { ...GOOD, checks: 'x' }, /"checks" is unknown/],
    ['an empty one', { ...GOOD, build: '' }, /build must be a text/],
    ['a number', { ...GOOD, build: 7 }, /build must be a text, not 7/],
    ['a long one', { ...GOOD, patch: 'x'.repeat(101) }, /patch is longer than 100/],
    ['a line break', { ...GOOD, build: 'a\nb' }, /build must be printable/],
    ['a right-to-left mark', { ...GOOD, build: 'a\u202eb' }, /build must be printable/],
    ['a blank at the end', { ...GOOD, build: 'a ' }, /build must be printable/],
    ['an emoji, which GitHub refuses', { ...GOOD, build: 'a 🚀' }, /build must be printable/],
    ['no flag', { ...GOOD, flag: 'cov' }, /exactly once/],
    ['two flags', { ...GOOD, flag: '<flag><flag>' }, /exactly once/],
    ['a flag where none is', { ...GOOD, build: '<flag>' }, /build must not hold <flag>/],
    ['two alike but for case', { ...GOOD, patch: 'COV' }, /differ by more than case/],
  ])('%s', (_, names, expected) => {
    expect(findStatusNamesProblems(names).join('; ')).toMatch(expected);
  });
});
