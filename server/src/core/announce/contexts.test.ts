import { describe, expect, test } from 'vitest';
import { aBuild } from '../../../../test/support/records.ts';
import type { BuildFacts } from '../builds/build-facts.ts';
import { hadFormerNames } from './contexts.ts';
import { STATUS_NAME_SETS, serverStatusNames } from './status-names.ts';

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
