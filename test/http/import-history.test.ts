import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type CodecovCommit, startCodecov } from '../support/coverage-service-stand-in/codecov.ts';
import { startCoveralls } from '../support/coverage-service-stand-in/coveralls.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { importFolder } from '../support/history/import-scene.ts';
import type { RestServer } from '../support/rest-stand-in/rest-server.ts';
import { runCommand } from '../support/run-command.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** The built command reads stand-ins of the other services, and the folder is imported into a real store. */

let service: Service;
let clone: GitRepo;
const servers: RestServer[] = [];
beforeAll(async () => {
  service = await startService();
  clone = createGitRepo();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const folder of ['coverage-history', 'coverage-history.part'])
    await rm(join(clone.directory, folder), { recursive: true, force: true });
});
afterAll(async () => {
  clone.remove();
  await service.stop();
});

const [MINUTE, DAY] = [60_000, 86_400_000];
const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString();
const folder = (): string => join(clone.directory, 'coverage-history');

/** Newest first: the newest with lines of two flags and three partly covered lines. */
const COMMITS: readonly CodecovCommit[] = [
  {
    sha: shaOf('codecov 4'),
    at: dayAgo(2),
    message: 'Take coupons\n\nSigned-off-by: Ann <ann@example.org>',
    reports: {
      unit: { 'src/cart.js': ['hit', 'hit', 'partial', 'miss'] },
      pages: { 'src/cart.js': ['miss', undefined, 'miss', 'miss'], 'src/page.js': ['hit', 'partial'] },
    },
  },
  { sha: shaOf('codecov 3'), at: dayAgo(10), state: 'pending', reports: {} },
  { sha: shaOf('codecov 2'), at: dayAgo(20), reports: { '': { 'src/cart.js': ['hit', 'miss', 'partial', 'miss'] } } },
  { sha: shaOf('codecov 1'), at: dayAgo(40), reports: { '': { 'src/cart.js': ['hit', 'miss'] } } },
];

async function ask(url: string, name: string, ...args: readonly string[]) {
  const given = ['--repo=github/acme/shop', `--as=manual/${name}`, `--url=${url}`, '--requests-per-minute=60000'];
  return runCommand(['import-history', ...given, ...args], { folder: clone.directory });
}

describe('from Codecov', () => {
  const start = async (token?: string) => {
    const server = await startCodecov(COMMITS, token === undefined ? {} : { token });
    servers.push(server);
    return server;
  };

  test('a dry run says what would come', async () => {
    const { url } = await start();
    const { code, stdout } = await ask(url, 'acme/trial', '--from=codecov', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('Builds   3 of main');
    expect(stdout).toContain('1 with lines, 2 with counts only, 0 with a percentage only');
    expect(stdout).toContain('Flags    pages, unit');
    expect(stdout).toContain('Left out 1: it is "pending" at Codecov');
    expect(stdout).toContain('Only the responses were saved');
  });

  test('a run that is asked to wait waits; one that is refused continues where it was', async () => {
    const codecov = await start();
    codecov.faults.next(1, { kind: 'secondary-limit', status: 429, retryAfterSeconds: 1 });
    const first = await ask(codecov.url, 'acme/waits', '--from=codecov', '--dry-run');
    expect(first.stderr).toContain('Status 429');
    expect(first.code).toBe(0);
    const before = codecov.requests().length;
    codecov.faults.when(({ path }) => (path.includes('/report/') ? { kind: 'status', status: 403 } : undefined));
    const refused = await ask(codecov.url, 'acme/waits', '--from=codecov');
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toContain('COVERAGE_IMPORT_TOKEN');
    codecov.faults.clear();
    codecov.faults.next(1, { kind: 'status', status: 400 });
    const odd = await ask(codecov.url, 'acme/waits', '--from=codecov');
    expect(odd.stderr).toMatch(/Codecov answers 400 to .*\. Check --repo and --url\./);
    const done = await ask(codecov.url, 'acme/waits', '--from=codecov', '--lines=2');
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('Read 1 of 3 commits so far.');
    const lists = codecov
      .requests()
      .slice(before)
      .filter(({ path }) => path.includes('/commits/?'));
    expect(lists).toEqual([]);
    const again = await ask(codecov.url, 'acme/waits', '--from=codecov');
    expect(again.stderr).toContain('has a complete history already');
  });

  test('no request goes out before the answer to the one before it', async () => {
    const codecov = await start();
    const underWay: number[] = [];
    codecov.faults.when(() => {
      underWay.push(codecov.requests().filter(({ status }) => status === undefined).length);
      return { kind: 'slow', delayMs: 20 };
    });
    expect(await ask(codecov.url, 'acme/single', '--from=codecov')).toMatchObject({ code: 0 });
    expect(underWay.length).toBeGreaterThan(4);
    expect(new Set(underWay)).toEqual(new Set([1]));
  });

  test('the token of the other service is sent there alone', async () => {
    const { url } = await start('secret-of-codecov');
    const without = await ask(url, 'acme/private', '--from=codecov');
    expect(without.stderr).toContain('Give a token that may read the repo in the variable COVERAGE_IMPORT_TOKEN.');
    const env = { COVERAGE_IMPORT_TOKEN: 'secret-of-codecov' };
    const args = ['import-history', '--from=codecov', '--repo=github/acme/shop', `--url=${url}`];
    expect(await runCommand(args, { folder: clone.directory, env })).toMatchObject({ code: 0 });
    for (const name of ['manifest.json', 'builds.jsonl', 'SHA256SUMS'])
      expect(await readFile(join(folder(), name), 'utf8')).not.toContain('secret-of-codecov');
  });

  test('the repo has its past, and the next pull request a base with lines', async () => {
    const codecov = await start();
    const repo = await service.newRepo({ name: 'acme/moved' });
    const pull = (number: string, hits: (number | null)[]) =>
      service.uploadAlone(
        job({
          repo_token: repo.token,
          service_number: number,
          service_pull_request: '7',
          commit_sha: shaOf(`head ${number}`),
          git: { branch: 'topic', head: { id: shaOf(`head ${number}`) } },
          source_files: [sourceFile('src/cart.js', hits), sourceFile('src/page.js', [1, 1])],
        }),
      );
    const before = await pull('1', [1, 1, 0, 0]);
    expect(before.base).toBeNull();

    const { stdout, stderr, code } = await ask(codecov.url, 'acme/moved', '--from=codecov');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { history } = JSON.parse(await readFile(join(folder(), 'manifest.json'), 'utf8'));
    expect(history).toMatchObject({ from: 'codecov', leftOut: [{ why: 'it is "pending" at Codecov', commits: 1 }] });
    expect(history.requests).toBeGreaterThan(1);
    // 4 hits, 2 partial and 1 missed line of 6: hit, hit, partial, miss, hit, partial.
    expect(codecov.shown).toBe(50);
    expect(stderr).toContain('Codecov shows 50%, counted here it is 70.00%');
    expect(stdout).toContain('Nothing was sent to your server.');
    expect(await importFolder(service, folder())).toEqual({ added: 3, skipped: { own: 0, again: 0, between: 0 } });

    const newest = await service.build(shaOf('codecov 4'));
    expect(newest).toMatchObject({
      commit_sha: shaOf('codecov 4'),
      branch: 'main',
      commit_message: 'Take coupons',
      covered_lines: 5,
      relevant_lines: 6,
      covered_branches: 2,
      relevant_branches: 4,
      verdict: { state: 'success' },
      imported: { from: 'codecov', detail: 'lines', shown_percent: 50, partial_lines: 2 },
      is_base: { may_be: 'yes' },
    });
    expect((newest.flags as readonly { name: string }[]).map(({ name }) => name)).toEqual(['pages', 'unit']);
    expect(await service.build(shaOf('codecov 2'))).toMatchObject({
      covered_lines: 2,
      relevant_lines: 4,
      imported: { detail: 'counts', shown_percent: 25 },
    });

    // The open pull request is judged again, without a push.
    // The server looks by itself for what another process has left.
    await service.time.pass(MINUTE);
    const isJudged = async () => (await service.build(before.id)).base?.commit_sha === shaOf('codecov 4');
    await waitFor(isJudged, { what: 'the new base of the pull request' });
    const next = await pull('2', [1, 1, 0, 0]);
    expect(next.base).toMatchObject({ commit_sha: shaOf('codecov 4'), rule: 'default-branch' });

    // Nothing is closed again, and nothing is new the second time.
    expect(await importFolder(service, folder())).toEqual({ added: 0, skipped: { own: 0, again: 3, between: 0 } });
    const stored = await service.store.builds.list({ repoId: repo.id, branch: 'main', offset: 0, limit: 9 });
    expect(stored.builds.map(({ sequence, due }) => [sequence, due.length])).toEqual([
      [0, 0],
      [-1, 0],
      [-2, 0],
    ]);
    const own = await service.uploadAlone(
      job({
        repo_token: repo.token,
        commit_sha: shaOf('own'),
        service_branch: 'main',
        source_files: [sourceFile('src/cart.js', [1])],
      }),
    );
    expect((await service.store.builds.find(Number(own.id)))?.sequence).toBe(3);
  });
});

describe('from Coveralls', () => {
  const builds = Array.from({ length: 25 }, (_, at) => ({
    sha: shaOf(`coveralls ${at}`),
    at: dayAgo(2 + at),
    branch: at % 5 === 4 ? 'topic' : 'main',
    percent: 90 - at,
  }));

  test('a percentage alone continues in trend and badge, and is no base', async () => {
    const coveralls = await startCoveralls(builds);
    servers.push(coveralls);
    const repo = await service.newRepo({ name: 'acme/percent' });
    const { code, stdout, stderr } = await ask(coveralls.url, 'acme/percent', '--from=coveralls');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Run the command in a clone');
    expect(stdout).toContain('Builds   20 of main');
    expect(await importFolder(service, folder())).toMatchObject({ added: 20 });
    const newest = await service.build(shaOf('coveralls 0'));
    expect(newest).toMatchObject({
      covered_percent: 90,
      covered_lines: null,
      imported: { from: 'coveralls', detail: 'percentage', shown_percent: 90 },
      is_base: { may_be: 'no', reason: 'no-percentage' },
    });
    const { api } = service;
    const badge = await api.send<unknown>(`/${repo.service}/acme/percent/badge.svg`, asAdmin());
    expect(badge.text).toContain('90.00%');
    const trend = await api.send<{ points: readonly { covered_percent: number; imported_from?: string }[] }>(
      `/${repo.service}/acme/percent/trend.json?days=90`,
      asAdmin(),
    );
    expect(trend.json.points.at(-1)).toMatchObject({ covered_percent: 90, imported_from: 'coveralls' });
    // Addresses of Coveralls' shape, as tools and bookmarks have them.
    const page = await api.send<{ total: number; builds: readonly { covered_percent: number }[] }>(
      `/${repo.service}/acme/percent.json?page=1`,
      asAdmin(),
    );
    expect(page.json.builds[0]).toMatchObject({ covered_percent: 90, commit_sha: shaOf('coveralls 0') });
    const html = await api.send<unknown>(`/${repo.service}/acme/percent?days=90`, asAdmin());
    expect(html.text).toContain('from Coveralls');
    expect(html.text).toContain('curve was');
    const build = await api.send<unknown>(`/builds/${newest.id}?jobs=1`, asAdmin());
    expect(build.text).toContain('imported without its reports');
  });

  test('in a clone the newest build has its lines', async () => {
    const commit = clone.commit('Add the cart', { 'src/cart.js': 'one();\ntwo();\n', 'README.md': 'read\n' });
    const lines = { 'src/cart.js': [3, 0] };
    const coveralls = await startCoveralls([{ sha: commit, at: dayAgo(1), percent: 50, files: lines }, ...builds]);
    servers.push(coveralls);
    await service.newRepo({ name: 'acme/lines' });
    expect(await ask(coveralls.url, 'acme/lines', '--from=coveralls')).toMatchObject({ code: 0 });
    await importFolder(service, folder());
    const build = await service.build(commit);
    expect(build).toMatchObject({ covered_lines: 1, relevant_lines: 2, imported: { detail: 'lines' } });
    expect(build.covered_percent).toBe(50);
  });
});
