import { describe, expect, test } from 'vitest';
import { aBuild, aJob, facts, sha } from '../../../../test/support/records.ts';
import { acceptJob, openBuild, repeatJob, uploadKey } from './accept-job.ts';
import type { Build } from './build.ts';
import type { JobFacts } from './job.ts';

const WHEN = { at: 1_000_000, periods: { quiet: 30_000, late: 2_000 } };

/** A build with these jobs, accepted in this order. */
function buildOf(...jobs: readonly Partial<JobFacts>[]): Build {
  const opened = openBuild(facts(), { id: 5, repoId: 1, sequence: 5, at: WHEN.at });
  return jobs.reduce<Build>((build, job) => acceptJob(build, facts(job), WHEN), opened);
}

describe('the diff that a job brings', () => {
  const [HEAD, MERGE, BASE] = [sha('a'), sha('e'), sha('b')];
  const diff = (head: string, digest = 'diff-1') => ({ base: BASE, head, digest });

  test('counts where it leads to what was tested', () => {
    expect(buildOf({ commit: HEAD, diff: diff(HEAD) }).diff).toEqual(diff(HEAD));
    expect(buildOf({ commit: HEAD, testedCommit: MERGE, diff: diff(MERGE) }).diff).toEqual(diff(MERGE));
    expect(buildOf({ commit: HEAD }).diff).toBeUndefined();
  });

  test.each<[string, Partial<JobFacts>, string]>([
    ['another commit', { commit: HEAD, diff: diff(MERGE) }, `leads to ${MERGE}, but this build tests ${HEAD}`],
    [
      'the head of what was tested merged',
      { commit: HEAD, testedCommit: MERGE, diff: diff(HEAD) },
      `but this build tests ${MERGE}`,
    ],
    ['anything, where no commit is stated', { commit: undefined, diff: diff(HEAD) }, 'but this build states no commit'],
  ])('does not where it leads to %s, and the build says so', (_, stated, words) => {
    const build = buildOf(stated);
    expect(build.diff).toBeUndefined();
    expect(build.warnings).toEqual([expect.stringMatching(/^Job 1 brought a diff that .*; it is not used\.$/)]);
    expect(build.warnings[0]).toContain(words);
  });

  test('is the first that fits; another one is a warning, the same one none', () => {
    const job = { commit: HEAD };
    const build = buildOf(
      { ...job, diff: diff(MERGE) },
      { ...job, diff: diff(HEAD) },
      { ...job, diff: diff(HEAD) },
      { ...job, diff: diff(HEAD, 'diff-2') },
    );
    expect(build.diff).toEqual(diff(HEAD));
    expect(build.warnings.slice(1)).toEqual([
      'Job 4 brought another diff than an earlier job of this build; the first counts.',
    ]);
  });

  test('is given up for one that fits, where a later job says what was tested', () => {
    const build = buildOf({ commit: HEAD, diff: diff(HEAD) }, { commit: HEAD, testedCommit: MERGE, diff: diff(MERGE) });
    expect(build).toMatchObject({ testedCommit: MERGE, diff: diff(MERGE), warnings: [] });
  });

  test('is taken from a re-run that sends the same report, where the first had none', () => {
    const stored = aJob({ facts: { commit: HEAD } });
    const build = aBuild({ commit: HEAD });
    const again = repeatJob(build, stored, facts({ commit: HEAD, serviceAttempt: 2, diff: diff(HEAD) }), WHEN);
    expect([again.build.diff, again.job.facts.diff]).toEqual([diff(HEAD), diff(HEAD)]);
    expect(uploadKey(facts({ diff: diff(HEAD) }), 'c')).toBe(uploadKey(facts(), 'c'));
  });
});
