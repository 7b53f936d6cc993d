import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** A merge of LARGE may take more than 1 MiB; one of SMALL is far below. */
const SMALL = [1, 0];
const LARGE = Array.from({ length: 100_000 }, () => 1);
const NARROW = { MAX_MERGE_MEMORY: '1MiB' };

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github, env: NARROW });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

async function newRepo(): Promise<Repo> {
  repos += 1;
  const name = `octo/merging-${repos}`;
  github.addRepo(name);
  for (const commit of ['one', 'two', 'three']) github.addCommit(name, { sha: shaOf(commit), branch: 'main' });
  return service.newRepo({ service: 'github', name });
}

const upload = (repo: Pick<Repo, 'token'>, lines: number[], commit: string, fields: object = {}) => ({
  ...job({
    repo_token: repo.token,
    commit_sha: shaOf(commit),
    service_number: commit,
    flag_name: 'ui',
    source_files: [sourceFile('src/a.ts', lines)],
  }),
  service_branch: 'main',
  git: { branch: 'main' },
  ...fields,
});

describe('a build that can never be merged', () => {
  test('is closed as an error that says why, and is no base', async () => {
    const repo = await newRepo();
    const build = await service.uploadAlone(upload(repo, LARGE, 'one'));
    expect(build).toMatchObject({ state: 'closed', covered_percent: null, base: null, flags: [] });
    expect(build.verdict).toMatchObject({ state: 'error', rule: 'cannot-merge', provisional: false });
    expect(build.verdict?.explanation).toMatch(/^Cannot be merged: it may take \d+ MiB of memory; MAX_MERGE_MEMORY/);
    expect(build.is_base).toMatchObject({ may_be: 'no', reason: 'cannot-merge' });
    expect(warningsOf(build)).toEqual([expect.stringContaining('`rerun_build` recalculates it')]);
    const asAdmin = { headers: { authorization: `token ${service.adminToken}` } };
    const page = await service.api.send(build.url, asAdmin);
    expect(page.text).toContain('MAX_MERGE_MEMORY is 1 MiB');
    const exported = await service.api.send(`/builds/${build.id}/lcov.info`, asAdmin);
    expect([exported.status, exported.text]).toEqual([
      404,
      expect.stringContaining('has no report: its jobs could not be merged.'),
    ]);
    const next = await service.uploadAlone(upload(repo, SMALL, 'two'));
    expect(next).toMatchObject({ base: null, verdict: { state: 'success', rule: 'first-build' } });
    expect(service.log.lines.filter(({ sentence }) => sentence === 'a build can never be merged')).toHaveLength(1);
  });

  test('ends every status that was opened in error, with the sentence', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, SMALL, 'one'));
    await service.upload(upload(repo, LARGE, 'two', { parallel: true }));
    const states = () => [...github.lastStatuses(repo.name, shaOf('two')).values()];
    await waitFor(() => states().length === 2 && states().every(({ state }) => state === 'pending'), {
      what: 'the pending statuses',
    });
    await service.close(repo.token, 'two');
    await waitFor(() => states().every(({ state }) => state === 'error'), { what: 'the final statuses' });
    expect(states().map(({ context }) => context)).toEqual(expect.arrayContaining(['coverage', 'coverage (ui)']));
    for (const { description } of states()) expect(description).toMatch(/^cannot be merged: it may take .* is 1 MiB$/);
  });

  test('keeps the numbers of the close before, and carries nothing to others', async () => {
    const repo = await newRepo();
    const first = await service.uploadAlone(upload(repo, SMALL, 'one', { parallel: false }));
    expect(first.covered_percent).toBe(50);
    const late = await service.uploadAlone(upload(repo, LARGE, 'one', { flag_name: 'late' }));
    expect(late).toMatchObject({
      id: first.id,
      covered_percent: 50,
      verdict: { state: 'error' },
      coverage_change: null,
    });
    expect(warningsOf(late)[0]).toContain('from the previous close');
    await service.upload(upload(repo, SMALL, 'two', { flag_name: 'other', parallel: true }));
    const closed = await service.close(repo.token, 'two', 'ui');
    expect(closed.flags.map(({ name }) => name)).toEqual(['other']);
  });

  test('is worked out by a rerun, once the limit was raised', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'merging-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const DATABASE_URL = `sqlite:${join(folder, 'c.db')}`;
    const before = await startService({ env: { DATABASE_URL, ...NARROW } });
    const repo = await before.newRepo();
    const { id, verdict } = await before.uploadAlone(upload(repo, LARGE, 'one'));
    expect(verdict?.state).toBe('error');
    await before.stop();
    const after = await startService({ env: { DATABASE_URL } });
    onTestFinished(() => after.stop());
    const query = new URLSearchParams({ repo_token: repo.token, build_num: 'one' });
    expect((await after.api.send(`/rerun_build?${query}`)).status).toBe(200);
    expect(await after.build(id)).toMatchObject({ covered_percent: 100, verdict: { state: 'success' } });
  });
});

test('a build that was set aside says so on its page and in its JSON, and a rerun puts it back to work', async () => {
  const repo = await newRepo();
  const { build: id } = await service.upload(upload(repo, SMALL, 'one', { parallel: true }));
  const buildId = Number(id);
  const revise = (kind: 'attempt' | 'attempt-failed') =>
    service.store.builds.revise({ buildId, revision: { kind, at: 1, reason: 'The disk was full.' } });
  for (let attempt = 1; attempt <= 10; attempt += 1) await revise('attempt');
  await revise('attempt-failed');
  const aside = await service.build(id);
  expect(aside).toMatchObject({
    state: 'open',
    set_aside: { at: '1970-01-01T00:00:00.001Z', attempts: 10, reason: 'The disk was full.' },
  });
  expect(warningsOf(aside)).toEqual([
    expect.stringMatching(/^This build couldn’t be finished, after 10 attempts\. .* The disk was full\.$/),
  ]);
  const page = await service.api.send(aside.url, { headers: { authorization: `token ${service.adminToken}` } });
  expect(page.text).toContain('This build couldn’t be finished.');
  await service.api.closeBuild({ repo_token: repo.token, build_num: 'one' });
  expect((await service.build(id)).state).toBe('open');
  const query = new URLSearchParams({ repo_token: repo.token, build_num: 'one' });
  expect((await service.api.send(`/rerun_build?${query}`)).status).toBe(200);
  const closed = await service.closed(id);
  expect([closed.covered_percent, 'set_aside' in closed]).toEqual([50, false]);
});
