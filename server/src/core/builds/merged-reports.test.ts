import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aJob } from '../../../../test/support/records.ts';
import type { Job } from './job.ts';
import { isMergeWorthALook, type MergedReport, nextToMerge, piecesOf, unusedReports } from './merged-reports.ts';

const jobsOf = (count: number, flagOf: (id: number) => string | undefined = () => undefined): readonly Job[] =>
  Array.from({ length: count }, (_, index) => aJob({ id: index + 1, facts: { flag: flagOf(index + 1) } }));
const merged = (key: string, jobs: readonly number[], flag?: string): MergedReport => ({ key, jobs, flag });
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the pieces of a build', () => {
  test('each job is in one, in as few as there are', () => {
    const stored = [merged('a', [1, 2]), merged('b', [1, 2, 3]), merged('c', [3, 4])];
    const pieces = piecesOf(jobsOf(5), stored);
    expect(pieces.map(({ key, jobs }) => [key, ...jobs])).toEqual([
      ['b', 1, 2, 3],
      [undefined, 4],
      [undefined, 5],
    ]);
    expect(unusedReports(stored, pieces)).toEqual(['a', 'c']);
  });

  test('none holds a job that does not count, or one of another flag', () => {
    const flags = (id: number): string | undefined => (id % 2 === 0 ? 'even' : undefined);
    const jobs = jobsOf(6, flags).filter(({ id }) => id !== 3);
    const stored = [merged('replaced', [1, 3]), merged('even', [2, 4, 6], 'even'), merged('odd', [2, 4], 'odd')];
    const pieces = piecesOf(jobs, stored);
    expect(pieces.map(({ key, flag, jobs: held }) => [flag, key, ...held])).toEqual([
      [undefined, undefined, 1],
      [undefined, undefined, 5],
      ['even', 'even', 2, 4, 6],
    ]);
  });
});

describe('what is merged next', () => {
  test('eight jobs of one flag, then eight of what that made', () => {
    const byFlag = jobsOf(15, (id) => (id % 2 === 0 ? 'even' : undefined));
    expect(nextToMerge(piecesOf(byFlag, []))?.flatMap(({ jobs }) => jobs)).toEqual([1, 3, 5, 7, 9, 11, 13, 15]);
    expect(nextToMerge(piecesOf(byFlag.slice(0, 14), []))).toBeUndefined();
    const eights = range(0, 7).map((n) => merged(`${n}`, range(8 * n + 1, 8 * n + 8)));
    expect(nextToMerge(piecesOf(jobsOf(64), eights))?.flatMap(({ jobs }) => jobs)).toEqual(range(1, 64));
    expect(nextToMerge(piecesOf(jobsOf(72), eights))?.flatMap(({ jobs }) => jobs)).toEqual(range(65, 72));
    expect(nextToMerge(piecesOf(jobsOf(71), [...eights.slice(1), merged('all', range(1, 8))]))).toHaveLength(8);
  });

  test('in the end few pieces are left, however the jobs came', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 3 }), (count, flags) => {
        const jobs = jobsOf(count, (id) => `flag ${id % flags}`);
        let stored: readonly MergedReport[] = [];
        for (let group = nextToMerge(piecesOf(jobs, stored)); group; group = nextToMerge(piecesOf(jobs, stored))) {
          const held = group.flatMap((piece) => piece.jobs);
          stored = [...stored, merged(held.join(), held, group[0]?.flag)];
        }
        const pieces = piecesOf(jobs, stored);
        expect(pieces.flatMap((piece) => piece.jobs).toSorted((a, b) => a - b)).toEqual(range(1, count));
        // Seven of each of the sizes 1, 8, 64 and 512.
        expect(pieces.length).toBeLessThanOrEqual(flags * 28);
      }),
      { numRuns: numRuns(20) },
    );
  });
});

test('a build with many jobs is looked at less often', () => {
  const looks = (max: number): readonly number[] => range(1, max).filter(isMergeWorthALook);
  expect(looks(128)).toEqual(
    range(1, 15)
      .map((n) => 8 * n)
      .concat(128),
  );
  expect(looks(300).filter((jobs) => jobs > 128)).toEqual([144, 160, 176, 192, 208, 224, 240, 256, 288]);
  expect(looks(40_000).length).toBeLessThan(150);
});
