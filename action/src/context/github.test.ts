import { describe, expect, test } from 'vitest';
import type { Git } from './git.ts';
import { type BuildInputs, type Runner, readBuildContext } from './github.ts';

const HEAD = 'a'.repeat(40);
const MERGE = 'b'.repeat(40);
const BASE = 'c'.repeat(40);
const PARENT = 'd'.repeat(40);

const NO_GIT: Git = {
  listFiles: async () => [],
  headSha: async () => undefined,
  hasCommit: async () => false,
  completeSha: async () => undefined,
  readCommit: async () => undefined,
  remotes: async () => [],
};

const runner: Runner = {
  eventName: 'pull_request',
  sha: MERGE,
  ref: 'refs/pull/7/merge',
  refName: '7/merge',
  headRef: 'feat/x',
  repository: 'octo/repo',
  runId: '4711',
  runAttempt: '2',
  job: 'test',
  serverUrl: 'https://github.com',
  workspace: '/w',
  event: {
    pull_request: { number: 7, title: 'Add x', head: { sha: HEAD, ref: 'feat/x' }, base: { sha: BASE, ref: 'main' } },
  },
};
const inputs: BuildInputs = {
  buildNumber: '',
  flagName: '',
  basePath: '',
  files: [],
  matrix: 'null',
  gitBranch: '',
  gitCommit: '',
  compareRef: '',
  compareSha: '',
};
const merged = (...parents: string[]): Git => ({
  ...NO_GIT,
  headSha: async () => MERGE,
  readCommit: async (_, sha) => (sha === MERGE ? { parents, message: 'Merge' } : undefined),
});

const JOB_NUMBER = /^[0-9a-f]{16}$/;

test('a pull request without git', async () => {
  expect(await readBuildContext(runner, inputs, NO_GIT)).toEqual({
    service_name: 'github',
    repo_name: 'octo/repo',
    service_number: '4711',
    service_job_id: '4711-test',
    service_job_number: expect.stringMatching(JOB_NUMBER),
    service_attempt: 2,
    service_pull_request: '7',
    service_branch: 'feat/x',
    service_build_url: 'https://github.com/octo/repo/actions/runs/4711',
    service_job_url: 'https://github.com/octo/repo/actions/runs/4711',
    service_event_type: 'pull_request',
    service_base_branch: 'main',
    service_base_sha: BASE,
    service_tested_sha: MERGE,
    commit_sha: HEAD,
    git: { head: { id: HEAD, message: 'Add x' }, branch: 'feat/x' },
  });
});

describe('the base of a pull request', () => {
  test('is the first parent of the merge commit that was tested', async () => {
    const context = await readBuildContext(runner, inputs, merged(PARENT, HEAD));
    expect(context).toMatchObject({ service_base_sha: PARENT, service_tested_sha: MERGE });
  });

  test('is the event’s where the checked out commit is no merge of the head', async () => {
    expect(await readBuildContext(runner, inputs, merged(PARENT))).toMatchObject({ service_base_sha: BASE });
    expect(await readBuildContext(runner, inputs, merged(PARENT, PARENT))).toMatchObject({ service_base_sha: BASE });
  });

  test('is the event’s, and no other commit was tested, where the head was checked out', async () => {
    const context = await readBuildContext(runner, inputs, { ...merged(PARENT, HEAD), headSha: async () => HEAD });
    expect(context).toMatchObject({ commit_sha: HEAD, service_base_sha: BASE });
    expect(context).not.toHaveProperty('service_tested_sha');
  });
});

test('git tells more of the commit than the event', async () => {
  const git: Git = {
    ...NO_GIT,
    readCommit: async (_, sha) =>
      sha === HEAD
        ? { parents: [], authorName: 'A', authorEmail: 'a@x', committerName: 'C', committerEmail: 'c@x', message: 'M' }
        : undefined,
    remotes: async () => [{ name: 'origin', url: 'https://github.com/octo/repo' }],
  };
  expect((await readBuildContext(runner, inputs, git)).git).toEqual({
    head: {
      id: HEAD,
      author_name: 'A',
      author_email: 'a@x',
      committer_name: 'C',
      committer_email: 'c@x',
      message: 'M',
    },
    branch: 'feat/x',
    remotes: [{ name: 'origin', url: 'https://github.com/octo/repo' }],
  });
});

test('inputs win', async () => {
  const given = {
    ...inputs,
    buildNumber: 'n1',
    flagName: 'unit',
    gitBranch: 'b',
    gitCommit: PARENT,
    compareRef: 'main',
    compareSha: BASE,
  };
  expect(await readBuildContext(runner, given, NO_GIT)).toMatchObject({
    service_number: 'n1',
    flag_name: 'unit',
    service_branch: 'b',
    commit_sha: PARENT,
    compare_ref: 'main',
    compare_sha: BASE,
    git: { head: { id: PARENT }, branch: 'b' },
  });
});

describe('a sha that is given in short', () => {
  const known = (...shas: string[]): Git => ({
    ...NO_GIT,
    completeSha: async (_, start) => shas.find((sha) => sha.startsWith(start)),
  });
  const given = (gitCommit: string, compareSha = ''): BuildInputs => ({ ...inputs, gitCommit, compareSha });

  test('is completed from the event or the checkout', async () => {
    const short = given('d'.repeat(7), 'c'.repeat(10));
    const whole = { commit_sha: PARENT, git: { head: { id: PARENT } }, compare_sha: BASE };
    expect(await readBuildContext(runner, short, known(PARENT))).toMatchObject(whole);
  });

  test('to compare with is left to the server where the checkout does not have it', async () => {
    const context = await readBuildContext(runner, given('', 'f'.repeat(10)), known());
    expect(context).toMatchObject({ commit_sha: HEAD, compare_sha: 'f'.repeat(10) });
  });

  test('of the commit itself is left to the server as well', async () => {
    const context = await readBuildContext(runner, given('f'.repeat(7)), known());
    expect(context).toMatchObject({ commit_sha: 'f'.repeat(7), git: { head: { id: 'f'.repeat(7) } } });
  });
});

test('where the runner says nothing, nothing is said', async () => {
  const nothing = {
    eventName: '',
    sha: '',
    ref: '',
    refName: '',
    headRef: '',
    repository: '',
    runId: '',
    runAttempt: '',
    job: '',
  };
  expect(await readBuildContext({ ...runner, ...nothing, event: {} }, inputs, NO_GIT)).toEqual({
    service_name: 'github',
    service_job_number: expect.stringMatching(JOB_NUMBER),
    git: { head: {} },
  });
});

describe('the job number', () => {
  const jobNumber = async (of: BuildInputs) => (await readBuildContext(runner, of, NO_GIT)).service_job_number;

  test('is the same for a re-run', async () => {
    expect(await jobNumber({ ...inputs, matrix: ' {"os":"linux"}\n' })).toBe(
      await jobNumber({ ...inputs, matrix: '{"os":"linux"}' }),
    );
    expect(await jobNumber(inputs)).toMatch(JOB_NUMBER);
  });

  test('differs with the matrix, the files, the flag and the base path', async () => {
    const variants: BuildInputs[] = [
      inputs,
      { ...inputs, matrix: '{"os":"linux"}' },
      { ...inputs, files: ['a'] },
      { ...inputs, files: ['a', 'b'] },
      { ...inputs, flagName: 'a' },
      { ...inputs, basePath: 'a' },
    ];
    expect(new Set(await Promise.all(variants.map(jobNumber))).size).toBe(variants.length);
  });
});
