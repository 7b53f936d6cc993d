import { describe, expect, test } from 'vitest';
import { isDecidedByChanges, planUnknownChanges } from './unknown-changes.ts';

const MINUTE = 60_000;
const NONE = {
  patchStatus: false,
  patchMinimum: null,
  ignoreRemovedCode: false,
  ignoreUntouchedFiles: false,
  ignoreUnstableLines: false,
};

describe('whether a verdict needs to know what changed', () => {
  test.each([
    ['nothing asks for it', NONE, 1, false],
    ['a status of the changed lines', { ...NONE, patchStatus: true }, 1, true],
    ['their minimum', { ...NONE, patchMinimum: 0 }, 1, true],
    ['removed code is forgiven', { ...NONE, ignoreRemovedCode: true }, 1, true],
    ['untouched files are forgiven', { ...NONE, ignoreUntouchedFiles: true }, 1, true],
    ['lines that flip are forgiven', { ...NONE, ignoreUnstableLines: true }, 1, true],
    ['no job came', NONE, 0, true],
  ])('%s', (_, settings, jobs, expected) => {
    expect(isDecidedByChanges(settings, jobs)).toBe(expected);
  });
});

test('what changed is asked for after growing delays, and not forever', () => {
  const tries: number[] = [];
  for (let at: number | undefined = 0; at !== undefined; at = planUnknownChanges(0, at)) tries.push(at / MINUTE);
  expect(tries).toEqual([0, 1, 2, 4, 8, 16]);
  expect(planUnknownChanges(undefined, 5)).toBeUndefined();
});
