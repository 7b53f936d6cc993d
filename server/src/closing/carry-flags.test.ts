import { describe, expect, test } from 'vitest';
import { aRepo, historyOf } from '../../../test/support/build-history.ts';
import { piecesFrom } from '../../../test/support/read-pieces.ts';
import { aBuild, aClosedBuild, aFlag, aJob, aResult } from '../../../test/support/records.ts';
import type { Build, FlagResult } from '../domain/builds/build.ts';
import type { Job } from '../domain/builds/job.ts';
import type { JobStore } from '../ports/store.ts';
import { createChooseCarried } from './carry-flags.ts';

/** Jobs whose report is their id in one byte. */
function jobsOf(jobs: readonly Job[]): JobStore {
  const answers: Pick<JobStore, 'ofBuild' | 'reports'> = {
    ofBuild: async (buildId) => jobs.filter((job) => job.buildId === buildId),
    reports: async (ids) => ids.map((id) => Uint8Array.of(id)),
  };
  return answers as JobStore;
}

function chooseFrom(history: readonly Build[], stored: readonly Job[]) {
  const jobs = jobsOf(stored);
  return createChooseCarried({ builds: historyOf(history), jobs, readPieces: piecesFrom(jobs) });
}

const holding = (sequence: number, stated: Partial<Build>, kind: FlagResult['kind'] = 'uploaded'): Build =>
  aClosedBuild({ sequence, result: aResult({ flags: [aFlag('ui', { kind })], countedJobs: [1] }), ...stated });

/** The build that `ui` is carried from. */
async function originOf(build: Build, history: readonly Build[]): Promise<number | undefined> {
  const chooseCarried = chooseFrom([...history, build], []);
  const { carried, notFound } = await chooseCarried({ build, repo: aRepo(), flags: ['ui'] });
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
    ['a pull request: of a higher sequence too', pull, [holding(60, { branch: 'main' })], 60],
    [
      'only uploaded reports, never carried ones',
      push,
      [holding(9, { branch: 'x' }, 'carried'), holding(3, { branch: 'x' })],
      3,
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

  test('never from the build itself', async () => {
    const own = holding(50, { pullRequest: 7, baseBranch: 'main' });
    expect(await originOf(own, [holding(3, { pullRequest: 7 })])).toBe(3);
  });

  test('rule 12: a re-opened build keeps its pick', async () => {
    const pick = { flag: 'ui', buildId: 3, number: '3', commit: undefined, closedAt: 0, closeCount: 1 };
    const reopened = { ...pull, result: aResult({ carried: [pick] }) };
    expect(await originOf(reopened, [holding(9, { branch: 'main' }), holding(3, { branch: 'y' })])).toBe(3);
    expect(await originOf(reopened, [holding(9, { branch: 'main' }), holding(3, { branch: 'y' }, 'carried')])).toBe(9);
  });

  test('its reports are those of the flag’s jobs that counted', async () => {
    const origin = holding(3, { branch: 'x', result: aResult({ flags: [aFlag('ui')], countedJobs: [1, 3, 4] }) });
    const jobs = [1, 2, 3, 4].map((number) =>
      aJob({ number, buildId: 3, facts: { flag: number === 4 ? 'api' : 'ui' } }),
    );
    const chooseCarried = chooseFrom([origin], jobs);
    const { carried } = await chooseCarried({ build: push, repo: aRepo(), flags: ['ui'] });
    expect(carried[0]?.reports).toEqual([Uint8Array.of(1), Uint8Array.of(3)]);
  });
});
