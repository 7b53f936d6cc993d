import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

/** A repo here and there, with pull request 7 from `head` to main. */
async function newRepo(of: Service = service, fields: object = {}): Promise<Repo> {
  repos += 1;
  const name = `octo/announced-${repos}`;
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  github.addPullRequest(name, { number: 7, headSha: shaOf('head'), baseRef: 'main', mergeCommitSha: shaOf('merge') });
  return of.newRepo({ service: 'github', name, ...fields });
}

const part = (repo: Repo, flag: string, lines: number[], fields: object = {}) => ({
  ...job({
    repo_token: repo.token,
    parallel: true,
    flag_name: flag,
    source_files: [sourceFile(`src/${flag}.ts`, lines)],
  }),
  ...fields,
});
const BASE = { service_number: '70', commit_sha: shaOf('base') };
const PULL = {
  commit_sha: shaOf('head'),
  service_tested_sha: shaOf('merge'),
  service_pull_request: '7',
  git: { branch: 'topic' },
};

/** What a commit's contexts went through, in order, each as `state description`. */
function statesOf(repo: Repo, commit: string): Record<string, string[]> {
  const contexts: Record<string, string[]> = {};
  for (const { context, state, description } of github.statuses(repo.name, shaOf(commit))) {
    contexts[context] ??= [];
    contexts[context].push(`${state}: ${description}`);
  }
  return contexts;
}
const states = (repo: Repo, commit: string): Record<string, string> =>
  Object.fromEntries(
    [...github.lastStatuses(repo.name, shaOf(commit)).values()].map(({ context, state }) => [context, state]),
  );
const pending = (repo: Repo, commit: string) =>
  waitFor(() => states(repo, commit).coverage === 'pending', { what: 'the pending status', intervalMs: 5 });

describe('commit statuses', () => {
  test('are pending for the build and the base’s flags, then final once, and link the build’s page', async () => {
    const repo = await newRepo();
    await service.upload(part(repo, 'unit', [1, 0], BASE));
    await service.close(repo.token, '70');
    const { build } = await service.upload(part(repo, 'e2e', [1], PULL));
    await pending(repo, 'head');
    await waitFor(() => states(repo, 'head')['coverage (unit)'], { what: 'the pending flag' });
    await service.upload(part(repo, 'unit', [1, 1], PULL));
    await service.close(repo.token, 71);
    await service.delivered();
    expect(statesOf(repo, 'head')).toEqual({
      coverage: [
        'pending: Waiting for jobs',
        expect.stringMatching(/^success: 100\.00%, \+50\.00 points from 50\.00% \(base [0-9a-f]{7}, merge parent\)$/),
      ],
      'coverage (e2e)': ['success: 100.00%: no earlier report of this flag to compare with'],
      'coverage (unit)': [
        'pending: Waiting for flag `unit`',
        expect.stringMatching(/^success: 100\.00%, \+50\.00 points from 50\.00% \(base /),
      ],
    });
    const all = github.statuses(repo.name, shaOf('head'));
    expect(new Set(all.map(({ context, targetUrl }) => `${context} ${targetUrl}`))).toEqual(
      new Set([
        `coverage ${service.url}/builds/${build}`,
        `coverage (e2e) ${service.url}/builds/${build}?check=flag:e2e`,
        `coverage (unit) ${service.url}/builds/${build}?check=flag:unit`,
      ]),
    );
  });

  test('of a job that is not parallel are final at once', async () => {
    const repo = await newRepo();
    await service.uploadAlone(part(repo, 'unit', [1, 0], { ...BASE, parallel: false }));
    await service.delivered();
    expect(statesOf(repo, 'base')).toEqual({
      coverage: ['success: 50.00%: no earlier build to compare with'],
      'coverage (unit)': ['success: 50.00%: no earlier report of this flag to compare with'],
    });
  });

  test('say failure for a failed verdict, and success for a flag that did not report', async () => {
    const repo = await newRepo();
    await service.upload(part(repo, 'unit', [1, 1], BASE));
    await service.upload(part(repo, 'e2e', [1, 1], BASE));
    await service.close(repo.token, '70');
    await service.upload(part(repo, 'unit', [1, 0], PULL));
    await service.close(repo.token, 71);
    await service.delivered();
    expect(states(repo, 'head')).toEqual({
      coverage: 'failure',
      'coverage (unit)': 'failure',
      'coverage (e2e)': 'success',
    });
    expect(statesOf(repo, 'head')['coverage (e2e)']?.at(-1)).toBe(
      `success: not reported; last 100.00% in ${shaOf('base').slice(0, 7)}`,
    );
  });

  test('are not posted again where nothing changed, and stay final while a late job waits', async () => {
    const repo = await newRepo();
    const { build } = await service.upload(part(repo, 'unit', [1, 0], BASE));
    await service.close(repo.token, '70');
    await service.delivered();
    const before = statesOf(repo, 'base');
    await service.upload(part(repo, 'unit', [0, 1], BASE));
    await service.upload(part(repo, 'unit', [0, 0], BASE));
    expect((await service.build(build)).state).toBe('open');
    await service.delivered();
    expect(statesOf(repo, 'base')).toEqual(before);
    await service.close(repo.token, '70');
    await service.delivered();
    expect(statesOf(repo, 'base').coverage).toEqual([
      ...(before.coverage ?? []),
      'success: 100.00%: no earlier build to compare with',
    ]);
    await service.upload(part(repo, 'unit', [0, 2], BASE));
    const posted = github.statuses(repo.name, shaOf('base')).length;
    await service.close(repo.token, '70');
    await service.delivered();
    expect(github.statuses(repo.name, shaOf('base'))).toHaveLength(posted);
  });

  test('are pending again for a late job of a higher attempt', async () => {
    const repo = await newRepo();
    await service.upload(part(repo, 'unit', [1, 0], BASE));
    await pending(repo, 'base');
    await service.close(repo.token, '70');
    await service.delivered();
    await service.upload(part(repo, 'unit', [1, 1], { ...BASE, service_attempt: 2 }));
    await pending(repo, 'base');
    await service.close(repo.token, '70');
    await service.delivered();
    expect(statesOf(repo, 'base').coverage?.map((text) => text.split(':', 1)[0])).toEqual([
      'pending',
      'success',
      'pending',
      'success',
    ]);
  });

  test('are none with send_build_status false; those that were opened before end', async () => {
    const silent = await newRepo(service, { send_build_status: false });
    await service.upload(part(silent, 'unit', [1, 0], BASE));
    await service.close(silent.token, '70');
    const repo = await newRepo();
    await service.upload(part(repo, 'unit', [1, 0], BASE));
    await pending(repo, 'base');
    await service.change(repo, { send_build_status: false });
    await service.close(repo.token, '70');
    await service.delivered();
    expect(statesOf(silent, 'base')).toEqual({});
    expect(states(repo, 'base')).toEqual({ coverage: 'success' });
  });

  test('end as an error when the repo is removed while they are open', async () => {
    const repo = await newRepo();
    await service.upload(part(repo, 'unit', [1, 0], BASE));
    await pending(repo, 'base');
    const headers = { authorization: `token ${service.adminToken}` };
    expect((await service.api.send(`/api/v1/repos/github/${repo.name}`, { method: 'DELETE', headers })).status).toBe(
      204,
    );
    await waitFor(() => states(repo, 'base').coverage === 'error', { what: 'the last word on the context' });
    expect(statesOf(repo, 'base').coverage?.at(-1)).toBe('error: repo was removed');
  });

  test('hold hostile flags as printable text, and share one context where flags differ in case alone', async () => {
    const repo = await newRepo();
    await service.upload(part(repo, 'UI\u202e\u0000', [1, 0], BASE));
    await service.upload(part(repo, 'ui', [1], { ...BASE, source_files: [sourceFile('b.ts', [1])] }));
    await service.upload(part(repo, 'UI', [1], { ...BASE, source_files: [sourceFile('c.ts', [1])] }));
    await service.close(repo.token, '70');
    await service.delivered();
    const contexts = Object.keys(states(repo, 'base')).map((context) => context.toLowerCase());
    expect(contexts.sort()).toEqual(['coverage', 'coverage (ui)', String.raw`coverage (ui\u202e\u0000)`]);
  });
});

describe('what GitHub refuses', () => {
  test('is said on the build, and does not hold up the close', async () => {
    const repo = await newRepo();
    const build = await service.uploadAlone(
      part(repo, 'unit', [1, 0], { commit_sha: shaOf('not pushed'), parallel: false }),
    );
    const refused = 'The commit status "coverage" could not be delivered: ';
    const shown = await waitFor(
      async () => (await service.build(build.id)).warnings.find((warning) => warning.startsWith(refused)),
      { what: 'the refusal on the build' },
    );
    expect(shown).toContain('No commit found');
  });
});

describe('settings of the server', () => {
  let other: Service;
  beforeAll(async () => {
    other = await startService({ github, env: { STATUS_CONTEXT: 'ci/qa', BUILD_QUIET_PERIOD: '300ms' } });
  });
  afterAll(() => other.stop());

  test('STATUS_CONTEXT names the contexts; an incomplete build is an error that names what lacks', async () => {
    const repo = await newRepo(other);
    await other.upload(part(repo, 'unit', [1, 1], BASE));
    await other.upload(part(repo, 'e2e', [1, 1], BASE));
    await other.close(repo.token, '70');
    const { build } = await other.upload(part(repo, 'unit', [1, 0], PULL));
    expect(await other.closed(build)).toMatchObject({ closed_by: 'deadline', verdict: { state: 'incomplete' } });
    await other.delivered();
    expect(states(repo, 'head')).toEqual({ 'ci/qa': 'error', 'ci/qa (e2e)': 'error', 'ci/qa (unit)': 'failure' });
    expect(statesOf(repo, 'head')['ci/qa']?.at(-1)).toMatch(/^error: incomplete: e2e did not report/);
    expect(statesOf(repo, 'head')['ci/qa']?.at(-1)).not.toMatch(/\d%/);
  });
});

describe('where statuses go (rule 21)', () => {
  const asPull = (commit: string) => ({
    commit_sha: shaOf(commit),
    service_pull_request: '7',
    git: { branch: 'refs/pull/7/merge' },
  });

  test('commit_sha is the pull request’s merge commit: to its head', async () => {
    const repo = await newRepo();
    // Told by nothing but the pull request itself.
    github.addCommit(repo.name, { sha: shaOf('merge'), parents: [shaOf('base'), shaOf('head')], message: 'Merge' });
    const build = await service.uploadAlone(part(repo, 'unit', [1, 0], { ...asPull('merge'), parallel: false }));
    await service.delivered();
    expect(build).toMatchObject({ commit_sha: shaOf('merge'), pull_request: 7 });
    expect([states(repo, 'merge'), states(repo, 'head').coverage]).toEqual([{}, 'success']);
    expect((await service.build(shaOf('head'))).id).toBe(build.id);
  });

  test('an older merge commit, by its parents and message: to its second parent', async () => {
    const repo = await newRepo();
    const message = `Merge ${shaOf('older head')} into ${shaOf('base')}`;
    github.addCommit(repo.name, { sha: shaOf('older head'), parents: [shaOf('base')] });
    github.addCommit(repo.name, { sha: shaOf('older'), parents: [shaOf('base'), shaOf('older head')], message });
    await service.uploadAlone(part(repo, 'unit', [1, 0], { ...asPull('older'), parallel: false }));
    await service.delivered();
    expect([states(repo, 'older'), states(repo, 'older head').coverage]).toEqual([{}, 'success']);
  });

  test('any other commit: to itself', async () => {
    const repo = await newRepo();
    await service.uploadAlone(part(repo, 'unit', [1, 0], { ...asPull('head'), parallel: false }));
    await service.delivered();
    expect(states(repo, 'head').coverage).toBe('success');
  });
});
