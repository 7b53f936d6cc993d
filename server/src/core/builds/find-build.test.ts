import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aResult, facts, sha } from '../../../../test/support/records.ts';
import type { Build } from './build.ts';
import { findBuild, type JoinCandidates } from './find-build.ts';
import type { JobFacts } from './job.ts';

const NOW = 100_000_000;
const QUIET = 1_800_000;
const [A, B, M] = [sha('a'), sha('b'), sha('d')];

/** The sequence of the build that a job joins; undefined: it opens its own. */
function joined(job: Partial<JobFacts>, candidates: Partial<JoinCandidates>): number | undefined {
  const lists = { sameNumber: [], sameJobId: [], numberless: [], openOfCommit: [], ...candidates };
  return findBuild(facts(job), lists, { now: NOW, quiet: QUIET })?.sequence;
}

const open = (sequence: number, stated: Partial<Build>): Build => aBuild({ sequence, serviceNumber: '71', ...stated });
const closed = (sequence: number, stated: Partial<Build>): Build =>
  aClosedBuild({ sequence, serviceNumber: '71', ...stated });

describe('rule 9: a job with a number', () => {
  test.each<[string, Partial<JobFacts>, readonly Build[], number | undefined]>([
    ['opens a build when there is none of that number', { commit: A }, [], undefined],
    [
      'joins the newest build of its commit',
      { commit: A },
      [open(3, { commit: B }), open(2, { commit: A }), open(1, { commit: A })],
      2,
    ],
    ['joins a closed build of its commit', { commit: A }, [closed(2, { commit: A })], 2],
    ['joins the build whose tested commit it names', { commit: M }, [closed(2, { commit: A, testedCommit: M })], 2],
    ['joins the build whose commit it tested', { commit: A, testedCommit: M }, [closed(2, { commit: M })], 2],
    [
      'joins by tested commit on both sides',
      { commit: A, testedCommit: M },
      [closed(2, { commit: B, testedCommit: M })],
      2,
    ],
    [
      'joins by commit whatever service and pull request say',
      { commit: A, serviceName: 'ci', pullRequest: 7 },
      [closed(2, { commit: A, serviceName: 'other', pullRequest: 8 })],
      2,
    ],
    [
      'prefers its commit to a newer open build of its service and pull request',
      { commit: A, pullRequest: 7 },
      [open(3, { commit: B, pullRequest: 7 }), closed(2, { commit: A, pullRequest: 7 })],
      2,
    ],
    [
      'else joins the newest open build of its service and pull request',
      { commit: A, pullRequest: 7 },
      [
        open(5, { commit: B, pullRequest: 8 }),
        open(4, { commit: B, pullRequest: 7, serviceName: 'other' }),
        open(3, { commit: B, pullRequest: 7 }),
        open(2, { commit: B, pullRequest: 7 }),
      ],
      3,
    ],
    [
      'does not re-open a build of another commit',
      { commit: A, pullRequest: 7 },
      [closed(2, { commit: B, pullRequest: 7 })],
      undefined,
    ],
    [
      'without a commit is not of the commit of a build without one',
      { commit: undefined },
      [closed(2, { commit: undefined })],
      undefined,
    ],
    ['without a commit joins the open build of its service', { commit: undefined }, [open(2, { commit: B })], 2],
    [
      'that states neither service nor pull request joins the newest open build',
      { commit: A, serviceName: '' },
      [closed(4, { commit: B }), open(3, { commit: B, pullRequest: 7 }), open(2, { commit: B })],
      3,
    ],
    [
      'joins the newest open build that states neither',
      { commit: A, pullRequest: 7 },
      [open(3, { commit: B, pullRequest: 8 }), open(2, { commit: B, serviceName: '' })],
      2,
    ],
    [
      'prefers a build of its service and pull request to a newer one that states neither',
      { commit: A, pullRequest: 7 },
      [open(3, { commit: B, serviceName: '' }), open(2, { commit: B, pullRequest: 7 })],
      2,
    ],
    [
      'of another service opens another build',
      { commit: A },
      [open(2, { commit: B, serviceName: 'other' })],
      undefined,
    ],
    [
      'of a pull request opens another build beside a push',
      { commit: A, pullRequest: 7 },
      [open(2, { commit: B })],
      undefined,
    ],
  ])('%s', (_, job, sameNumber, expected) => {
    expect(joined(job, { sameNumber })).toBe(expected);
  });

  test.each<[string, Partial<JobFacts>, Partial<Build>, number | undefined]>([
    ['another branch and another commit', { commit: A, branch: 'x' }, { commit: B, branch: 'main' }, undefined],
    ['the same branch and another commit', { commit: A, branch: 'main' }, { commit: B, branch: 'main' }, 2],
    ['another branch and the same commit', { commit: A, branch: 'x' }, { commit: A, branch: 'main' }, 2],
    ['another branch, the job without a commit', { commit: undefined, branch: 'x' }, { commit: B, branch: 'main' }, 2],
    ['a branch that the job does not state', { commit: A }, { commit: B, branch: 'main' }, 2],
    [
      'another branch of the same pull request',
      { commit: A, branch: 'x', pullRequest: 7 },
      { commit: B, branch: 'y', pullRequest: 7 },
      2,
    ],
  ])('numbers that restart on every branch: an open build with that number, on %s', (_, job, build, expected) => {
    expect(joined(job, { sameNumber: [open(2, build)] })).toBe(expected);
  });
});

describe('rule 9: a job without a number, with a job id', () => {
  const job = { serviceNumber: undefined, serviceJobId: 'j1', commit: A };

  test.each<[string, Partial<JobFacts>, readonly Build[], number | undefined]>([
    ['joins the build that holds its job id and commit', {}, [open(3, { commit: B }), open(2, { commit: A })], 2],
    ['joins it however long ago it was closed', {}, [closed(2, { commit: A })], 2],
    ['joins it when neither states a commit', { commit: undefined }, [closed(2, { commit: undefined })], 2],
    ['does not join a build of another commit', {}, [open(2, { commit: B })], undefined],
    [
      'does not join a build with a commit when it states none',
      { commit: undefined },
      [open(2, { commit: B })],
      undefined,
    ],
    ['opens its own when no build holds its job id', {}, [], undefined],
  ])('%s', (_, more, sameJobId, expected) => {
    const numberless = [open(9, { commit: A, serviceNumber: undefined })];
    expect(joined({ ...job, ...more }, { sameJobId, numberless })).toBe(expected);
  });
});

describe('rule 9: a job without number and job id', () => {
  const job = { serviceNumber: undefined, serviceJobId: undefined, commit: A };
  const closedAgo = (ms: number): Partial<Build> => ({ commit: A, result: aResult({ closedAt: NOW - ms }) });
  const numberless = (build: Build): Build => ({ ...build, serviceNumber: undefined });

  test.each<[string, Partial<JobFacts>, Build, number | undefined]>([
    ['parallel: joins an open build of its service and commit', {}, numberless(open(2, { commit: A })), 2],
    ['parallel: joins one that was closed within the quiet period', {}, numberless(closed(2, closedAgo(QUIET))), 2],
    ['parallel: not one that was closed before that', {}, numberless(closed(2, closedAgo(QUIET + 1))), undefined],
    ['parallel: joins one that was re-opened', {}, numberless(open(2, closedAgo(QUIET * 9))), 2],
    [
      'parallel: joins when neither states a commit',
      { commit: undefined },
      numberless(open(2, { commit: undefined })),
      2,
    ],
    ['parallel: not one of another commit', {}, numberless(open(2, { commit: B })), undefined],
    ['parallel: not one of another service', {}, numberless(open(2, { commit: A, serviceName: 'other' })), undefined],
    ['parallel: not one that has a number', {}, open(2, { commit: A }), undefined],
    ['not parallel: opens its own', { parallel: false }, numberless(open(2, { commit: A })), undefined],
  ])('%s', (_, more, build, expected) => {
    expect(joined({ ...job, ...more }, { numberless: [build] })).toBe(expected);
  });

  test('joins the newest of several', () => {
    const builds = [4, 3, 2].map((sequence) => numberless(open(sequence, { commit: sequence === 4 ? B : A })));
    expect(joined(job, { numberless: builds })).toBe(3);
  });
});

describe('rule 9: clients of one run meet at its commit', () => {
  const parallel = (sequence: number, stated: Partial<Build>): Build =>
    aBuild({ sequence, serviceNumber: undefined, parallel: true, commit: A, serviceName: 'other', ...stated });
  const RUN = '4711';
  const byNumber = { serviceNumber: RUN, serviceJobId: 'x', commit: A };
  const byJobId = { serviceNumber: undefined, serviceJobId: RUN, commit: A };
  const byCommit = { serviceNumber: undefined, serviceJobId: undefined, commit: A };
  test.each<[string, Partial<JobFacts>, readonly Build[], number | undefined]>([
    ['by its job id, the build of that number', byJobId, [parallel(2, { serviceNumber: RUN })], 2],
    [
      'by its job id, the newest build of that number',
      byJobId,
      [parallel(4, {}), parallel(3, { serviceNumber: RUN }), parallel(2, { serviceNumber: RUN })],
      3,
    ],
    ['by its job id, no build of another number', byJobId, [parallel(2, { serviceNumber: '4712' })], undefined],
    ['by its job id, no build of another job id', byJobId, [parallel(2, { serviceJobId: '4712' })], undefined],
    ['by its job id, the only build that states no run', byJobId, [parallel(2, {})], 2],
    ['by its number, the build of that job id', byNumber, [parallel(3, {}), parallel(2, { serviceJobId: RUN })], 2],
    ['by its number, no build of another job id', byNumber, [parallel(2, { serviceJobId: '4712' })], undefined],
    ['by its number, the only build that states no run', byNumber, [parallel(2, {})], 2],
    ['by its number, none of two', byNumber, [parallel(3, {}), parallel(2, {})], undefined],
    ['by its commit, the only build, with a number', byCommit, [parallel(2, { serviceNumber: RUN })], 2],
    ['by its commit, the only build, with a job id', byCommit, [parallel(2, { serviceJobId: RUN })], 2],
    ['by its commit, none of two', byCommit, [parallel(3, { serviceNumber: RUN }), parallel(2, {})], undefined],
    ['by its commit, no build of another commit', byCommit, [parallel(2, { commit: B })], undefined],
    [
      'by its commit, no build of another pull request',
      { ...byCommit, pullRequest: 7 },
      [parallel(2, { pullRequest: 8 })],
      undefined,
    ],
    ['by its tested commit', { ...byCommit, commit: M }, [parallel(2, { testedCommit: M })], 2],
    ['not parallel: nothing', { ...byCommit, parallel: false }, [parallel(2, {})], undefined],
    ['not without a commit', { ...byCommit, commit: undefined }, [parallel(2, { commit: undefined })], undefined],
    ['not an unverified run', { ...byCommit, trust: 'run' }, [parallel(2, {})], undefined],
  ])('%s', (_, job, openOfCommit, expected) => {
    expect(joined({ parallel: true, ...job }, { openOfCommit })).toBe(expected);
  });

  test('before a build of its own service', () => {
    const [met, own] = [parallel(2, { serviceNumber: RUN }), parallel(1, { commit: A, state: 'closed' })];
    expect(joined({ parallel: true, ...byJobId }, { openOfCommit: [met], sameJobId: [own] })).toBe(2);
  });

  test('after the builds of its number', () => {
    const [met, own] = [parallel(2, {}), parallel(1, { serviceNumber: RUN })];
    expect(joined({ parallel: true, ...byNumber }, { openOfCommit: [met, own], sameNumber: [own] })).toBe(1);
  });

  test("a workflow's own token: the build of its run alone (rule 29)", () => {
    const vouchedRun = { id: RUN, number: '71', headCommit: A };
    const of = (job: Partial<JobFacts>, build: Build) =>
      joined({ parallel: true, ...job, vouchedRun }, { openOfCommit: [build] });
    expect(of(byNumber, parallel(2, { serviceJobId: RUN }))).toBe(2);
    expect(of({ ...byNumber, serviceNumber: 'x' }, parallel(2, { serviceJobId: 'x' }))).toBeUndefined();
    expect(of(byNumber, parallel(2, {}))).toBeUndefined();
    expect(of(byCommit, parallel(2, { serviceNumber: '4712' }))).toBeUndefined();
  });
});

describe('rule 29: unverified runs keep to themselves', () => {
  test.each([
    ['run', 'run', true],
    ['run', 'secret', false],
    ['run', 'provider', false],
    ['secret', 'run', false],
    ['provider', 'run', false],
    ['provider', 'secret', true],
    ['secret', 'provider', true],
  ] as const)('a job of trust %s and a build of trust %s: %s', (job, build, joins) => {
    const one = aBuild({ sequence: 2, trust: build });
    const own = { ...one, serviceNumber: undefined };
    const expected = joins ? 2 : undefined;
    expect(joined({ trust: job }, { sameNumber: [one] })).toBe(expected);
    expect(joined({ trust: job, serviceNumber: undefined, serviceJobId: 'j1' }, { sameJobId: [own] })).toBe(expected);
    expect(joined({ trust: job, serviceNumber: undefined }, { numberless: [own] })).toBe(expected);
  });
});

describe('rule 29: a job that a run was vouched for with', () => {
  const [R, S] = [
    { id: '900', number: '71', headCommit: A },
    { id: '901', number: '72', headCommit: B },
  ];
  const job: Partial<JobFacts> = { commit: A, serviceNumber: '71', vouchedRun: R };
  test.each<[string, Partial<JobFacts>, Partial<JoinCandidates>, number | undefined]>([
    ['never joins the open build of another commit', job, { sameNumber: [open(1, { commit: B })] }, undefined],
    ['joins a build of its run and commit', job, { sameNumber: [open(1, { commit: A })] }, 1],
    ['joins one that its run opened', { ...job, testedCommit: M }, { sameNumber: [open(1, { vouchedRun: R })] }, 1],
    [
      'never joins one that another run opened',
      job,
      { sameNumber: [open(1, { commit: A, vouchedRun: S })] },
      undefined,
    ],
    [
      "never joins its commit's build of a number that is not the run's",
      { ...job, serviceNumber: 'nightly' },
      { sameNumber: [open(1, { commit: A, serviceNumber: 'nightly' })] },
      undefined,
    ],
    [
      'joins by its job id, of its commit alone',
      { ...job, serviceNumber: undefined, serviceJobId: '900' },
      { sameJobId: [open(2, { commit: B }), open(1, { commit: A })] },
      1,
    ],
  ])('%s', (_, facts, candidates, sequence) => expect(joined(facts, candidates)).toBe(sequence));

  test('does not draw jobs of other commits into a build whose number it only claimed', () => {
    const claimed = open(1, { commit: A, vouchedRun: { ...R, number: '5' } });
    expect(joined({ commit: B, serviceNumber: '71' }, { sameNumber: [claimed] })).toBeUndefined();
    expect(joined({ commit: A, serviceNumber: '71' }, { sameNumber: [claimed] })).toBe(1);
  });
});
