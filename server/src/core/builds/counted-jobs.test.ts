import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aJob } from '../../../../test/support/records.ts';
import { countedJobs } from './counted-jobs.ts';
import type { Job, JobFacts } from './job.ts';

type Leg = Pick<JobFacts, 'flag' | 'serviceJobNumber' | 'serviceJobId' | 'serviceAttempt'>;

const jobsOf = (legs: readonly Partial<Leg>[]): readonly Job[] =>
  legs.map((leg, index) => aJob({ number: index + 1, facts: leg }));

const leg = (serviceAttempt: number, more: Partial<Leg> = {}): Partial<Leg> => ({
  flag: 'ui',
  serviceJobNumber: 'linux',
  serviceJobId: 'run',
  serviceAttempt,
  ...more,
});

test.each<[string, readonly Partial<Leg>[], readonly number[]]>([
  ['a later attempt replaces an earlier one', [leg(1), leg(2)], [2]],
  ['also when the earlier one arrives last', [leg(2), leg(1)], [1]],
  ['all of the highest attempt count', [leg(1), leg(2), leg(2)], [2, 3]],
  ['all of the only attempt count', [leg(1), leg(1)], [1, 2]],
  ['another flag is not replaced', [leg(1), leg(2, { flag: 'api' })], [1, 2]],
  ['no flag is a flag of its own', [leg(1), leg(2, { flag: undefined }), leg(3, { flag: undefined })], [1, 3]],
  ['another job number is not replaced', [leg(1), leg(2, { serviceJobNumber: 'mac' })], [1, 2]],
  ['another job id is not replaced', [leg(1), leg(2, { serviceJobId: 'other' })], [1, 2]],
  [
    'without a job id the job number decides',
    [leg(1, { serviceJobId: undefined }), leg(2, { serviceJobId: undefined })],
    [2],
  ],
  [
    'without a job number nothing is replaced',
    [leg(1, { serviceJobNumber: undefined }), leg(2, { serviceJobNumber: undefined }), leg(3)],
    [1, 2, 3],
  ],
  ['of no jobs none count', [], []],
])('rule 10: %s', (_, legs, expected) => {
  expect(countedJobs(jobsOf(legs)).map((job) => job.number)).toEqual(expected);
});

test('rule 7: which jobs count does not depend on the order of arrival', () => {
  const legs = fc.record({
    flag: fc.constantFrom(undefined, 'ui', 'api'),
    serviceJobNumber: fc.constantFrom(undefined, '1', '2'),
    serviceJobId: fc.constantFrom(undefined, 'j'),
    serviceAttempt: fc.integer({ min: 1, max: 3 }),
  });
  const orders = fc.array(legs, { maxLength: 8 }).chain((all) => {
    const jobs = jobsOf(all);
    return fc.tuple(fc.constant(jobs), fc.shuffledSubarray([...jobs], { minLength: jobs.length }));
  });
  fc.assert(
    fc.property(orders, ([jobs, shuffled]) => {
      const ids = (counted: readonly Job[]): readonly number[] => counted.map((job) => job.id).sort((a, b) => a - b);
      expect(ids(countedJobs(shuffled))).toEqual(ids(countedJobs(jobs)));
    }),
  );
});
