import { describe, expect, test } from 'vitest';
import { aResult, totals } from '../../../test/support/records.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { patchStatus } from './commit-status.ts';

const PAGE = 'https://ci.example/builds/71';

describe('the changed lines’ status', () => {
  const failure = { state: 'failure', rule: 'patch-minimum', explanation: '' } as const;
  const patch = (stated: Partial<PatchResult> = {}): PatchResult => ({
    totals: totals(5, 8),
    files: [],
    fileCount: 0,
    unmeasured: [],
    unmeasuredCount: 0,
    complete: true,
    verdict: undefined,
    ...stated,
  });
  const say = (stated: Partial<PatchResult> | undefined) => {
    const { state, description } = patchStatus(aResult(stated === undefined ? {} : { patch: patch(stated) }), {
      url: PAGE,
      room: 140,
    });
    return `${state}: ${description}`;
  };

  test.each<[string, Partial<PatchResult> | undefined, string]>([
    ['no diff: it never hangs', undefined, 'success: the change is not known: no diff of it could be had'],
    ['its verdict', { verdict: { ...failure, summary: '62.50%, too low' } }, 'failure: 62.50%, too low'],
    ['asked for no more', {}, 'success: 62.50% of the change covered (5 of 8 lines)'],
    ['nothing relevant', { totals: totals(0, 0) }, 'success: no changed lines with code'],
    [
      'not all is known',
      { complete: false },
      'success: 62.50% of the change covered (5 of 8 lines); not every changed file is known',
    ],
    [
      'informational',
      { verdict: { ...failure, summary: '62.50%', informational: true } },
      'success: 62.50% (informational)',
    ],
  ])('%s', (_, stated, expected) => {
    expect(say(stated)).toBe(expected);
  });
});
