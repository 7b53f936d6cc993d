import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { sha } from '../../../../test/support/records.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import { checkEnvelope } from './envelope.ts';
import { toJobFacts } from './job-facts.ts';

const [A, B] = [sha('a'), sha('b')];

const hosts = [GITHUB];
const read = (envelope: Readonly<Record<string, unknown>>) => toJobFacts(checkEnvelope(envelope), { hosts });
const factsOf = (envelope: Readonly<Record<string, unknown>>): JobFacts => read(envelope).facts;

describe('toJobFacts', () => {
  test('of an upload that says nothing', () => {
    const { facts, warnings } = read({});
    const { serviceName, serviceAttempt, parallel, tag, mergeQueue, trust, authors, ...others } = facts;
    expect({ serviceName, serviceAttempt, parallel, tag, mergeQueue, trust }).toEqual({
      serviceName: '',
      serviceAttempt: 1,
      parallel: false,
      tag: false,
      mergeQueue: false,
      trust: 'secret',
    });
    expect(Object.values(authors).every((author) => author === undefined)).toBe(true);
    expect(Object.entries(others).filter(([, value]) => value !== undefined)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('of our own action, for a pull request', () => {
    const { facts } = read({
      service_name: 'github',
      service_number: '4711',
      service_job_id: '99',
      service_job_number: 'linux',
      service_attempt: 2,
      service_pull_request: '7',
      service_branch: 'feat/x',
      service_base_branch: 'main',
      service_base_sha: B,
      service_tested_sha: sha('d'),
      service_event_type: 'pull_request',
      service_build_url: 'https://github.com/acme/app/actions/runs/4711',
      service_job_url: 'https://github.com/acme/app/actions/runs/4711/job/99',
      commit_sha: A,
      flag_name: 'ui',
      parallel: true,
      run_at: '2026-01-31T12:00:00Z',
    });
    expect(facts).toMatchObject({
      serviceName: 'github',
      serviceNumber: '4711',
      serviceJobId: '99',
      serviceJobNumber: 'linux',
      serviceAttempt: 2,
      serviceEventType: 'pull_request',
      pullRequest: 7,
      branch: 'feat/x',
      baseBranch: 'main',
      baseCommit: B,
      testedCommit: sha('d'),
      commit: A,
      flag: 'ui',
      parallel: true,
      runAt: Date.UTC(2026, 0, 31, 12),
      buildUrl: 'https://github.com/acme/app/actions/runs/4711',
      jobUrl: 'https://github.com/acme/app/actions/runs/4711/job/99',
    });
  });

  test('a diff is what was checked and stored, whatever else the envelope says', () => {
    const diff = { base: B, head: A, digest: 'diff-1' };
    expect(toJobFacts(checkEnvelope({ commit_sha: A, diff: { files: 7 } }), { hosts, diff }).facts.diff).toBe(diff);
    expect(factsOf({ commit_sha: A, diff }).diff).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
    ['commit_sha first', { commit_sha: A, git: { head: { id: B } }, environment: { commit_sha: sha('d') } }, A],
    ['then git.head.id', { git: { head: { id: B } }, environment: { commit_sha: sha('d') } }, B],
    ['then environment.commit_sha', { environment: { commit_sha: sha('d') } }, sha('d')],
    [
      'an empty one is none',
      { commit_sha: '', git: { head: { id: '' } }, environment: { commit_sha: ' ' } },
      undefined,
    ],
    ['in capitals', { commit_sha: A.toUpperCase() }, A],
    ['with a line end', { git: { head: { id: `${B}\n` } } }, B],
  ])('commit: %s', (_, envelope, expected) => {
    expect(factsOf(envelope).commit).toBe(expected);
  });

  test('a tested commit is one only where it is another', () => {
    expect(factsOf({ commit_sha: A, service_tested_sha: A.toUpperCase() }).testedCommit).toBeUndefined();
    expect(factsOf({ commit_sha: A, service_tested_sha: B }).testedCommit).toBe(B);
  });

  test.each<[string, Readonly<Record<string, unknown>>, Partial<JobFacts>]>([
    ['git.branch first', { git: { branch: 'x' }, service_branch: 'y' }, { branch: 'x' }],
    [
      'service_branch where git.branch gives none',
      { git: { branch: 'HEAD' }, service_branch: 'refs/heads/y' },
      { branch: 'y' },
    ],
    ['the commit’s own sha is none', { commit_sha: A, git: { branch: A }, service_branch: 'y' }, { branch: 'y' }],
    ['a tag', { git: { branch: 'refs/tags/v1' } }, { branch: 'v1', tag: true }],
    [
      'a branch is no tag whatever service_branch is',
      { git: { branch: 'main' }, service_branch: 'refs/tags/v1' },
      { branch: 'main', tag: false },
    ],
    ['a pull ref', { git: { branch: 'refs/pull/7/merge' } }, { branch: undefined, pullRequest: 7 }],
    [
      'a pull ref beside a branch',
      { git: { branch: '7/merge' }, service_branch: 'feat/x' },
      { branch: 'feat/x', pullRequest: 7 },
    ],
    [
      'service_pull_request before a pull ref',
      { service_pull_request: 8, git: { branch: '7/merge' } },
      { pullRequest: 8 },
    ],
    [
      'no number in service_pull_request',
      { service_pull_request: false, git: { branch: '7/merge' } },
      { pullRequest: 7 },
    ],
  ])('branch and pull request: %s', (_, envelope, expected) => {
    expect(factsOf(envelope)).toMatchObject(expected);
  });

  test('a merge queue’s branch names its pull request, its base branch and its base', () => {
    const branch = `gh-readonly-queue/main/pr-31-${B}`;
    expect(factsOf({ commit_sha: A, service_branch: branch, service_base_branch: 'other' })).toMatchObject({
      mergeQueue: true,
      pullRequest: 31,
      branch,
      baseBranch: 'main',
      baseCommit: B,
    });
  });

  test.each([
    ['refs/heads/main', 'main'],
    ['origin/main', 'main'],
    ['main', 'main'],
    ['refs/heads/', undefined],
  ])('base branch and compare_ref %j are %j', (raw, expected) => {
    expect(factsOf({ service_base_branch: raw, compare_ref: raw })).toMatchObject({
      baseBranch: expected,
      compareRef: expected,
    });
  });

  test.each<[unknown, number]>([
    [2, 2],
    ['3', 3],
    ['', 1],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['x', 1],
    ['1e99', 1],
  ])('service_attempt %j counts as %d', (raw, expected) => {
    expect(factsOf({ service_attempt: raw }).serviceAttempt).toBe(expected);
  });

  test.each([
    ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31T12:00:00+02:00', Date.UTC(2026, 0, 31, 10)],
    ['2026-01-31T12:00:00.123456789Z', Date.UTC(2026, 0, 31, 12, 0, 0, 123)],
    ['2026-01-31 12:00:00 +0000', Date.UTC(2026, 0, 31, 12)],
    ['2026-01-31 12:00:00 -0130', Date.UTC(2026, 0, 31, 13, 30)],
    ['2026-01-31 12:00:00 UTC', Date.UTC(2026, 0, 31, 12)],
  ])('run_at %s', (raw, expected) => {
    expect(read({ run_at: raw })).toMatchObject({ facts: { runAt: expected }, warnings: [] });
  });

  test('a run_at that is no time is a warning', () => {
    const { facts, warnings } = read({ run_at: 'yesterday' });
    expect(facts.runAt).toBeUndefined();
    expect(warnings).toEqual(['run_at could not be read as a time; the time of arrival counts.']);
  });

  test.each<[string, string | undefined]>([
    ['https://ci.example/1', 'https://ci.example/1'],
    ['http://ci.example/1?x=y#z', 'http://ci.example/1?x=y#z'],
    ['https://user:secret@ci.example/1', 'https://ci.example/1'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['ci.example/1', undefined],
    ['//ci.example/1', undefined],
  ])('rule 26: the address %s is %s', (raw, expected) => {
    expect(factsOf({ service_build_url: raw, service_job_url: raw })).toMatchObject({
      buildUrl: expected,
      jobUrl: expected,
    });
  });
});
