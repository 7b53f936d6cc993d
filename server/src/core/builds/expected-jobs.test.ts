import { describe, expect, test } from 'vitest';
import { aBuild, aJob, facts } from '../../../../test/support/records.ts';
import { countsByAttempt, expectedAfter, haveAllArrived } from './expected-jobs.ts';

const leg = (serviceJobNumber: string, serviceAttempt = 1) => facts({ serviceJobNumber, serviceAttempt });

describe('rule 11: the jobs that a build expects', () => {
  test('the largest number counts, and first attempts are counted without a look at them', () => {
    const build = aBuild({ jobs: 2, attempt: 1, expectedJobs: { jobs: 5, arrived: 2 } });
    const job = facts({ expectedJobs: 3 });
    expect(countsByAttempt({ build, facts: job })).toBe(false);
    expect(expectedAfter({ build, facts: job }, { stored: [] })).toEqual({ jobs: 5, arrived: 3 });
    expect(expectedAfter({ build, facts: facts({ expectedJobs: 7 }) }, { stored: [] })).toMatchObject({ jobs: 7 });
  });

  test('of a build of which no job says it nothing is known', () => {
    const build = aBuild({ jobs: 2, attempt: 2 });
    expect(countsByAttempt({ build, facts: facts() })).toBe(false);
    expect(expectedAfter({ build, facts: facts() }, { stored: [] })).toBeUndefined();
    expect(haveAllArrived(undefined)).toBe(false);
  });

  test('rule 10: a replaced attempt does not count twice', () => {
    const stored = [aJob({ number: 1, facts: leg('a') }), aJob({ number: 2, facts: leg('b') })];
    const build = aBuild({ jobs: 2, attempt: 1, expectedJobs: { jobs: 3, arrived: 2 } });
    const again = { build, facts: leg('a', 2) };
    expect(countsByAttempt(again)).toBe(true);
    expect(expectedAfter(again, { stored })).toEqual({ jobs: 3, arrived: 2 });
    expect(expectedAfter({ build, facts: leg('c', 2) }, { stored })).toEqual({ jobs: 3, arrived: 3 });
    expect(expectedAfter({ build, facts: leg('b', 2) }, { stored, instead: 2 })).toEqual({ jobs: 3, arrived: 2 });
  });

  test.each([
    [2, false],
    [3, true],
    [4, true],
  ])('%d of 3: all have arrived is %s', (arrived, all) => expect(haveAllArrived({ jobs: 3, arrived })).toBe(all));
});
