import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aJob, dueTasks, facts, sha } from '../../../../test/support/records.ts';
import { acceptJob, MAX_JOBS, openBuild, refuseFullBuild, repeatJob, uploadKey } from './accept-job.ts';
import type { Build } from './build.ts';
import type { JobFacts } from './job.ts';

const PERIODS = { quiet: 30_000, late: 2_000 };
const AT = 1_000_000;
const WHEN = { at: AT, periods: PERIODS };

/** A build with these jobs, accepted in this order. */
function buildOf(...jobs: readonly Partial<JobFacts>[]): Build {
  const [first = {}] = jobs;
  const opened = openBuild(facts(first), { id: 5, repoId: 1, sequence: 5, at: AT });
  return jobs.reduce<Build>((build, job) => acceptJob(build, facts(job), WHEN), opened);
}

const unstated = { commit: undefined, branch: undefined };

describe('openBuild', () => {
  test('takes its place, its service and its trust, and no other fact: acceptJob states those', () => {
    const build = openBuild(facts({ serviceNumber: 'run-9', trust: 'run', commit: sha('a') }), {
      id: 8,
      repoId: 2,
      sequence: 4,
      at: AT,
    });
    expect(build).toMatchObject({
      id: 8,
      repoId: 2,
      sequence: 4,
      number: 'run-9',
      serviceNumber: 'run-9',
      serviceName: 'ci',
      trust: 'run',
      state: 'open',
      jobs: 0,
      createdAt: AT,
      commit: undefined,
      result: undefined,
    });
  });

  test('rule 9: without a number it is shown by the chronological number of its repo', () => {
    const build = openBuild(facts({ serviceNumber: undefined }), { id: 8, repoId: 2, sequence: 4, at: AT });
    expect(build).toMatchObject({ number: '4', serviceNumber: undefined });
  });
});

describe('rule 9: facts are set once, by the first job that states each', () => {
  const [A, B] = [sha('a'), sha('b')];

  test.each<[keyof JobFacts & keyof Build, JobFacts[keyof JobFacts], JobFacts[keyof JobFacts], string]>([
    ['commit', A, B, 'commit'],
    ['pullRequest', 7, 8, 'pull request'],
    ['branch', 'feat/x', 'feat/y', 'branch'],
    ['compareRef', 'main', 'next', 'compare_ref'],
    ['compareCommit', A, B, 'compare_sha'],
    ['message', 'Add x', 'Add y', 'commit message'],
  ])('%s: the second job states it, the third disagrees', (field, first, later, words) => {
    const build = buildOf(
      unstated,
      { ...unstated, [field]: first },
      { ...unstated, [field]: later },
      { ...unstated, [field]: first },
    );
    expect(build[field]).toBe(first);
    expect(build.warnings).toEqual([
      `Job 3 states ${words} ${later}, but an earlier job of this build stated ${first}; the first counts.`,
    ]);
  });

  test.each<[keyof JobFacts & keyof Build, string, string]>([
    ['testedCommit', A, B],
    ['baseBranch', 'main', 'next'],
    ['baseCommit', A, B],
    ['buildUrl', 'https://ci.example/1', 'https://ci.example/2'],
  ])('%s is set once too', (field, first, later) => {
    expect(buildOf({}, { [field]: first }, { [field]: later })[field]).toBe(first);
  });

  test('a job that tested the merge commit and one that names only it agree', () => {
    const build = buildOf({ commit: A, testedCommit: B }, { commit: B });
    expect(build).toMatchObject({ commit: A, testedCommit: B, warnings: [] });
  });

  test('a tested commit that is the commit itself says nothing', () => {
    // Rule 21: else the merge commit, which another client stated as the commit, would pass for a head with a commit
    // tested apart.
    expect(buildOf({ commit: B }, { commit: A, testedCommit: B })).toMatchObject({
      commit: B,
      testedCommit: undefined,
    });
  });

  test('a tag is a tag only where the branch came from that job', () => {
    expect(buildOf({ branch: 'v1', tag: true }, { branch: 'main' })).toMatchObject({ branch: 'v1', tag: true });
    expect(buildOf({ branch: 'main' }, { branch: 'v1', tag: true })).toMatchObject({ branch: 'main', tag: false });
    expect(buildOf({}, { branch: 'v1', tag: true })).toMatchObject({ branch: 'v1', tag: true });
  });

  test('authors are those of the first job that names any', () => {
    const authors = { authorName: 'Ann', authorEmail: undefined, committerName: undefined, committerEmail: undefined };
    const others = { authorName: 'Bob', authorEmail: 'b@example.org', committerName: 'Bob', committerEmail: undefined };
    expect(buildOf({}, { authors }, { authors: others }).authors).toEqual(authors);
  });

  test('a warning shows one short line of what was stated', () => {
    const { warnings } = buildOf({ message: 'Fix\n\nlong story' }, { message: `${'x'.repeat(500)}\nmore` });
    expect(warnings).toEqual([
      `Job 2 states commit message ${'x'.repeat(60)}…, but an earlier job of this build stated Fix; the first counts.`,
    ]);
  });

  test('a thousand disagreements are not a thousand warnings', () => {
    const jobs = Array.from({ length: 100 }, (_, index) => ({ branch: `b${index}` }));
    expect(buildOf(...jobs).warnings).toHaveLength(20);
  });
});

describe('what an accepted job makes due (rules 11 to 13 and 23)', () => {
  const open = aBuild({ revision: 4, due: dueTasks({ deadline: 900_000 }), jobs: 2, lastJobAt: 870_000 });
  const closed = aClosedBuild({ revision: 4, jobs: 2, attempt: 1, carryforward: ['ui'] });
  const empty = openBuild(facts(), { id: 5, repoId: 1, sequence: 5, at: AT });
  const quiet = AT + PERIODS.quiet;
  const late = AT + PERIODS.late;
  const asked = { ...open, due: dueTasks({ close: ['webhook', 1], deadline: 900_000 }) };
  const closeStaysDue = { due: dueTasks({ close: ['webhook', 1], deadline: quiet }) };

  test.each<[string, Build, Partial<JobFacts>, Partial<Build>]>([
    ['the first job, parallel', empty, {}, { due: dueTasks({ deadline: quiet, pending: AT }), parallel: true }],
    [
      'the first job, not parallel',
      empty,
      { parallel: false },
      { due: dueTasks({ close: ['job', AT], deadline: quiet }), parallel: false },
    ],
    ['a further parallel job', open, {}, { due: dueTasks({ deadline: quiet }), lastJobAt: AT }],
    [
      'a job that is not parallel, in a parallel build',
      open,
      { parallel: false },
      { due: dueTasks({ close: ['job', AT], deadline: quiet }), parallel: true },
    ],
    ['a parallel job while a close is due', asked, {}, closeStaysDue],
    ['a job that is not parallel while a close is due', asked, { parallel: false }, closeStaysDue],
    [
      'a parallel job while pending statuses are due',
      { ...open, due: dueTasks({ pending: 7 }) },
      {},
      { due: dueTasks({ deadline: quiet, pending: 7 }) },
    ],
    ['a late parallel job', closed, {}, { state: 'open', due: dueTasks({ deadline: late }) }],
    [
      'a late job that is not parallel',
      closed,
      { parallel: false },
      { state: 'open', due: dueTasks({ close: ['job', AT], deadline: late }) },
    ],
    [
      'a late job of a higher attempt',
      closed,
      { serviceAttempt: 2 },
      { state: 'open', due: dueTasks({ deadline: late, pending: AT }), attempt: 2 },
    ],
    [
      'a late job of the same attempt',
      { ...closed, attempt: 2 },
      { serviceAttempt: 2 },
      { due: dueTasks({ deadline: late }), attempt: 2 },
    ],
    [
      'a late job of an earlier attempt',
      { ...closed, attempt: 2 },
      { serviceAttempt: 1 },
      { due: dueTasks({ deadline: late }), attempt: 2 },
    ],
    [
      'a job of a higher attempt while open',
      open,
      { serviceAttempt: 3 },
      { due: dueTasks({ deadline: quiet }), attempt: 3 },
    ],
  ])('%s', (_, build, job, expected) => {
    const accepted = acceptJob(build, facts(job), WHEN);
    expect(accepted).toMatchObject({ jobs: build.jobs + 1, revision: build.revision + 1, ...expected });
  });

  test('notes the first warnings of its jobs, unless its first jobs came to an earlier version', () => {
    const odd = (build: Build, ...warnings: string[]) => acceptJob(build, facts(), { ...WHEN, warnings });
    const first = odd(odd({ ...open, jobs: 0 }, 'One.', 'Two.'));
    const noted = [
      { job: 1, sentence: 'One.' },
      { job: 1, sentence: 'Two.' },
    ];
    expect(first.jobWarnings).toEqual(noted);
    const many = Array.from({ length: 30 }, () => 'Odd.');
    expect(odd(first, ...many).jobWarnings?.slice(0, 3)).toEqual([...noted, { job: 3, sentence: 'Odd.' }]);
    expect(odd(first, ...many).jobWarnings).toHaveLength(20);
    expect(odd({ ...open, jobs: 5 }, 'Late.').jobWarnings).toBeUndefined();
  });

  test('a re-opened build is not evaluated apart from its close', () => {
    const { due } = acceptJob({ ...closed, due: dueTasks({ revisit: 7, backfill: 8 }) }, facts(), WHEN);
    expect(due).toEqual(dueTasks({ deadline: late, backfill: 8 }));
  });

  test('rule 12: a re-opened build keeps its result and its carryforward list', () => {
    const accepted = acceptJob(closed, facts(), WHEN);
    expect(accepted.result).toBe(closed.result);
    expect(accepted.carryforward).toEqual(['ui']);
  });
});

describe('rule 10: the same upload twice', () => {
  const stored = aJob({ facts: { serviceAttempt: 2 } });
  const open = aBuild({ revision: 4 });
  const closed = aClosedBuild({ revision: 4 });
  const due = { ...open, due: dueTasks({ close: ['webhook', 1] }) };

  test.each<[string, Build, Partial<JobFacts>]>([
    ['parallel, in an open build', open, { serviceAttempt: 2 }],
    ['parallel, in a closed build', closed, { serviceAttempt: 2 }],
    ['not parallel, in a closed build', closed, { serviceAttempt: 2, parallel: false }],
    ['not parallel, while a close is due', due, { serviceAttempt: 2, parallel: false }],
    ['of an earlier attempt', open, { serviceAttempt: 1 }],
  ])('%s changes nothing', (_, build, job) => {
    const repeated = repeatJob(build, stored, facts(job), WHEN);
    expect(repeated.build).toBe(build);
    expect(repeated.job).toBe(stored);
  });

  test('not parallel any more, it makes the close due', () => {
    const { build, job } = repeatJob(open, stored, facts({ serviceAttempt: 2, parallel: false }), WHEN);
    expect(build).toEqual({ ...open, revision: 5, due: dueTasks({ close: ['job', AT], deadline: 1_801_000 }) });
    expect(job).toBe(stored);
  });

  test('of a higher attempt, it counts for that attempt, and re-opens a closed build as a new job would', () => {
    const { build, job } = repeatJob(closed, stored, facts({ serviceAttempt: 3 }), WHEN);
    expect(job).toEqual({ ...stored, facts: { ...stored.facts, serviceAttempt: 3 } });
    const due = dueTasks({ deadline: AT + PERIODS.late, pending: AT });
    expect(build).toMatchObject({ state: 'open', jobs: closed.jobs, revision: 5, attempt: 3, due });
  });
});

test('a build accepts no more jobs than its limit', () => {
  refuseFullBuild({ number: 'run-9', jobs: MAX_JOBS - 1 });
  expect(() => refuseFullBuild({ number: 'run-9', jobs: MAX_JOBS })).toThrow(
    expect.objectContaining({
      code: 'payload-invalid',
      message: expect.stringContaining('Build run-9 holds 40000 jobs already, and accepts no more.'),
    }),
  );
});

describe('uploadKey', () => {
  const one = facts({ flag: 'ui', serviceJobId: 'j', serviceJobNumber: 'n' });
  const key = uploadKey(one, 'digest');

  test('run_at, attempt and URLs do not matter', () => {
    const again = {
      ...one,
      runAt: 99,
      serviceAttempt: 4,
      jobUrl: 'https://ci.example/2',
      buildUrl: 'https://ci.example/b',
    };
    expect(uploadKey(again, 'digest')).toBe(key);
  });

  test.each<[string, Partial<JobFacts>, string]>([
    ['flag', { flag: 'api' }, 'digest'],
    ['no flag', { flag: undefined }, 'digest'],
    ['service', { serviceName: 'other' }, 'digest'],
    ['number', { serviceNumber: '72' }, 'digest'],
    ['job id', { serviceJobId: 'k' }, 'digest'],
    ['job number', { serviceJobNumber: 'm' }, 'digest'],
    ['ids exchanged', { serviceJobId: 'n', serviceJobNumber: 'j' }, 'digest'],
    ['source files', {}, 'other'],
  ])('another %s is another upload', (_, change, digest) => {
    expect(uploadKey({ ...one, ...change }, digest)).not.toBe(key);
  });
});
