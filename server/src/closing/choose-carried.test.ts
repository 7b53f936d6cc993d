import { describe, expect, test } from 'vitest';
import { aRepo, historyOf, telling } from '../../../test/support/build-history.ts';
import { NOTHING_MERGED } from '../../../test/support/read-pieces.ts';
import { aBuild, aClosedBuild, aFlag, aJob, aResult, providerFacts, sha } from '../../../test/support/records.ts';
import { toBasePick } from '../core/builds/base-build.ts';
import type { Build, FlagResult } from '../core/builds/build.ts';
import type { Job } from '../core/builds/job.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import type { JobStore } from '../storage/store.ts';
import { chooseCarried } from './choose-carried.ts';

/** Jobs whose report is their id in one byte. */
function jobsOf(jobs: readonly Job[]): JobStore {
  const answers: Pick<JobStore, 'ofBuild' | 'reports'> = {
    ofBuild: async (buildId) => jobs.filter((job) => job.buildId === buildId),
    reports: async (ids) => ids.map((id) => Uint8Array.of(id)),
  };
  return answers as JobStore;
}

/** `line`: what came before each commit that is asked about; absent: nobody knows. */
function chooseFrom(history: readonly Build[], stored: readonly Job[], line: readonly string[] = []) {
  const services = {
    builds: historyOf(history),
    jobs: jobsOf(stored),
    mergedReports: NOTHING_MERGED,
    ...telling(line),
  };
  return (wanted: Parameters<typeof chooseCarried>[1]) => chooseCarried(services, wanted);
}

const holding = (sequence: number, stated: Partial<Build>, kind: FlagResult['kind'] = 'uploaded'): Build =>
  aClosedBuild({ sequence, result: aResult({ flags: [aFlag('ui', { kind })], countedJobs: [1] }), ...stated });

const asked = { repo: aRepo(), base: undefined, deadline: createDeadline(systemTimers, 1_000) };

/** The build that `ui` is carried from. `known`: the base, and what came before the code that was tested. */
async function originOf(
  build: Build,
  history: readonly Build[],
  known: { readonly base?: Build; readonly line?: readonly string[] } = {},
): Promise<number | undefined> {
  const choose = chooseFrom([...history, build], [], known.line);
  const base = known.base && {
    build: known.base,
    pick: toBasePick(known.base, { rule: 'merge-base', commitsAway: 0, foundAs: undefined }),
  };
  const { carried, notFound } = await choose({ ...asked, build, base, flags: ['ui'] });
  expect(notFound).toEqual(carried.length === 0 ? ['ui'] : []);
  return carried[0]?.pick.buildId;
}

const push = aBuild({ sequence: 50, branch: 'x' });
const pull = aBuild({ sequence: 50, branch: 'x', pullRequest: 7, baseBranch: 'main' });

describe('rules 15 and 16: where a flag is carried from', () => {
  test.each<[string, Build, readonly Build[], number | undefined]>([
    ['nowhere', push, [], undefined],
    ['a push: its branch’s newest', push, [holding(4, { branch: 'x' }), holding(3, { branch: 'x' })], 4],
    [
      'a push: the default branch’s where that is newer',
      push,
      [holding(4, { branch: 'x' }), holding(5, { branch: 'main' })],
      5,
    ],
    [
      'a push: its own branch’s where that is newer',
      push,
      [holding(6, { branch: 'x' }), holding(5, { branch: 'main' })],
      6,
    ],
    ['a push: else the newest in the repo', push, [holding(9, { branch: 'y' }), holding(8, { pullRequest: 3 })], 9],
    [
      'a push: nothing of a higher sequence',
      push,
      [holding(60, { branch: 'x' }), holding(61, { branch: 'y' })],
      undefined,
    ],
    [
      'a pull request: its own history',
      pull,
      [holding(9, { pullRequest: 7 }), holding(8, { branch: 'main' }), holding(10, { branch: 'x' })],
      9,
    ],
    ['a pull request: its base branch', pull, [holding(9, { branch: 'main' }), holding(8, { pullRequest: 7 })], 9],
    ['a pull request: its own of a higher sequence too', pull, [holding(60, { pullRequest: 7 })], 60],
    [
      'a pull request without a base: no later one of its base branch',
      pull,
      [holding(60, { branch: 'main' })],
      undefined,
    ],
    [
      'only uploaded reports, never carried ones',
      push,
      [holding(9, { branch: 'x' }, 'carried'), holding(3, { branch: 'x' })],
      3,
    ],
    [
      'nothing of one that was taken out of the bases',
      push,
      [holding(9, { branch: 'x', excludedAsBase: { at: 1, by: 'alice' } }), holding(3, { branch: 'x' })],
      3,
    ],
    [
      'a tag: not what was built of a branch of its name',
      { ...push, tag: true },
      [holding(9, { branch: 'x' }), holding(8, { branch: 'main' })],
      8,
    ],
    [
      'rule 29: nothing of an unverified run',
      push,
      [holding(9, { branch: 'x', trust: 'run' }), holding(3, { branch: 'x' })],
      3,
    ],
  ])('%s', async (_, build, history, expected) => {
    expect(await originOf(build, history)).toBe(expected);
  });

  const [START, BEFORE] = [sha('a'), sha('b')];
  const main = (sequence: number, commit: string) => holding(sequence, { branch: 'main', commit });
  const tested = { ...pull, facts: providerFacts({ ancestorsOf: START }) };

  test.each<[string, readonly Build[], Parameters<typeof originOf>[2], number | undefined]>([
    ['of what was tested the newest', [main(9, BEFORE), main(8, START), main(60, sha('c'))], { line: [BEFORE] }, 9],
    ['of its start too', [main(9, START), main(60, sha('c'))], { line: [BEFORE] }, 9],
    ['none of newer code, not even as the only one', [main(60, sha('c'))], { line: [BEFORE] }, undefined],
    ['none of another branch', [holding(9, { branch: 'y', commit: BEFORE }), main(8, START)], { line: [BEFORE] }, 8],
    [
      'rule 29: none of an unverified run',
      [{ ...main(9, BEFORE), trust: 'run' }, main(8, START)],
      { line: [BEFORE] },
      8,
    ],
    ['none of code that was not tested, however old', [main(9, sha('c'))], { line: [BEFORE] }, undefined],
    [
      'of as many commits as are known, though a base is there',
      [main(8, BEFORE), main(9, sha('c'))],
      { base: aClosedBuild({ sequence: 10 }), line: Array.from({ length: 100 }, () => BEFORE) },
      8,
    ],
    [
      'where nobody knows: up to the base',
      [main(9, sha('c')), main(12, sha('d'))],
      { base: aClosedBuild({ sequence: 10 }) },
      9,
    ],
    ['of the base itself, whatever its branch', [], { base: holding(10, { branch: 'y' }), line: [BEFORE] }, 10],
    [
      'beyond as many commits as are known: up to the base',
      [main(9, sha('c')), main(12, sha('d'))],
      { base: aClosedBuild({ sequence: 10 }), line: Array.from({ length: 100 }, () => BEFORE) },
      9,
    ],
  ])('rule 15, of the base branch: %s', async (_, history, known, expected) => {
    expect(await originOf(tested, history, known)).toBe(expected);
  });

  test('rule 15: a push to the base branch carries nothing of newer code either', async () => {
    const pushed = { ...push, branch: 'main', facts: providerFacts({ ancestorsOf: START }) };
    const history = [main(9, BEFORE), main(12, sha('c')), main(60, START)];
    expect(await originOf(pushed, history, { line: [BEFORE] })).toBe(9);
  });

  test('never from the build itself', async () => {
    const own = holding(50, { pullRequest: 7, baseBranch: 'main' });
    expect(await originOf(own, [holding(3, { pullRequest: 7 })])).toBe(3);
  });

  test('rule 12: a re-opened build keeps its pick', async () => {
    const pick = { flag: 'ui', buildId: 3, number: '3', commit: undefined, closedAt: 0, closeCount: 1 };
    const reopened = { ...pull, result: aResult({ carried: [pick] }) };
    expect(await originOf(reopened, [holding(9, { branch: 'main' }), holding(3, { branch: 'y' })])).toBe(3);
    expect(await originOf(reopened, [holding(9, { branch: 'main' }), holding(3, { branch: 'y' }, 'carried')])).toBe(9);
    const onNewBase = { base: aClosedBuild({ sequence: 10 }) };
    expect(await originOf(reopened, [holding(9, { branch: 'main' }), holding(3, { branch: 'y' })], onNewBase)).toBe(9);
  });

  test('its reports are those of the flag’s jobs that counted', async () => {
    const origin = holding(3, { branch: 'x', result: aResult({ flags: [aFlag('ui')], countedJobs: [1, 3, 4] }) });
    const jobs = [1, 2, 3, 4].map((number) =>
      aJob({ number, buildId: 3, facts: { flag: number === 4 ? 'api' : 'ui' } }),
    );
    const chooseCarried = chooseFrom([origin], jobs);
    const { carried } = await chooseCarried({ ...asked, build: push, flags: ['ui'] });
    expect(carried[0]?.reports).toEqual([Uint8Array.of(1), Uint8Array.of(3)]);
  });
});
