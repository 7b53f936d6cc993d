import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coverageApi } from '../support/coverage-api.ts';
import { GIT_HOST_CERTIFICATE, type GitHost, startGitHost } from '../support/git-host-stand-in/git-host.ts';
import { createGitRepo, type GitRepo, runGit } from '../support/git-repo.ts';
import { pullRequestEvent, pushEvent, type WorkflowEvent } from '../support/runner-stand-in/event-payloads.ts';
import { type ActionResult, runAction } from '../support/runner-stand-in/run-action.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** The built action in a real checkout, as GitHub runs it, for repos whose git host the server cannot ask. */

const REPO = 'acme/shop';
const CART = ['const a = 1;', 'const b = 2;', 'const c = 3;', 'const d = 4;', ''].join('\n');
/** Line 2 is new, line 4 rewritten. */
const NEW_CART = ['const a = 1;', 'const x = 0;', 'const b = 2;', 'const C = 3;', 'const d = 4;', ''].join('\n');
const COUPON = 'one();\ntwo();\nthree();\n';

let repo: GitRepo;
let folder = '';
let server: ServerProcess;
let host: GitHost;
let commits: Readonly<Record<'base' | 'head' | 'merge', string>>;

beforeAll(async () => {
  repo = createGitRepo();
  folder = mkdtempSync(join(tmpdir(), 'checkouts-'));
  repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const base = repo.commit('Sell tea', {
    '.gitignore': 'out\n',
    'web/src/cart.js': CART,
    'web/src/still ü.js': 'same();\n',
  });
  repo.switchTo('coupons');
  repo.commit('Take coupons', { 'web/src/coupon.js': COUPON });
  const head = repo.commit('Change the cart', { 'web/src/cart.js': NEW_CART });
  repo.git('switch', '-q', '--detach', base);
  const merge = repo.merge(head, `Merge ${head} into ${base}`);
  repo.git('update-ref', 'refs/heads/merged', merge);
  commits = { base, head, merge };
  host = await startGitHost(repo.directory);
  server = await startServer();
});
afterAll(async () => {
  await server?.dispose();
  await host?.close();
  repo?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A checkout of one commit: with its history, or as actions/checkout makes it by default. */
function checkOut(commit: string, how: 'whole' | 'shallow'): string {
  const directory = mkdtempSync(join(folder, 'checkout-'));
  const git = (...args: string[]): string => runGit(directory, args);
  git('init', '-q');
  git('remote', 'add', 'origin', `file://${repo.directory}`);
  if (how === 'whole') git('fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
  else git('fetch', '-q', '--no-tags', '--depth=1', 'origin', commit);
  git('checkout', '-q', '--detach', commit);
  git('remote', 'set-url', 'origin', `${host.url}/${REPO}`);
  return directory;
}

/** Tests that ran in the folder web: names in their report begin there. */
function writeReport(directory: string, files: Readonly<Record<string, readonly number[]>>): void {
  const records = Object.entries(files).map(([name, hits]) =>
    [`SF:${name}`, ...hits.map((count, index) => `DA:${index + 1},${count}`), 'end_of_record', ''].join('\n'),
  );
  mkdirSync(join(directory, 'web/out'), { recursive: true });
  writeFileSync(join(directory, 'web/out/lcov.info'), records.join(''));
}

const BASE_REPORT = { 'src/cart.js': [1, 1, 1, 1], 'src/still ü.js': [1] };
const HEAD_REPORT = { 'src/cart.js': [1, 0, 1, 7, 1], 'src/coupon.js': [1, 0, 0], 'src/still ü.js': [1] };

describe.each([
  ['manual', 'whole'],
  ['github', 'whole'],
  ['manual', 'shallow'],
] as const)('a repo of the service %s, which has no host to ask, in a %s clone', (kind, how) => {
  const name = `${REPO}-${kind}-${how}`;
  const event = (which: 'push' | 'pull'): WorkflowEvent =>
    which === 'push'
      ? pushEvent({ repo: name, branch: 'main', sha: commits.base, beforeSha: '0'.repeat(40) })
      : pullRequestEvent({
          repo: name,
          number: 7,
          headSha: commits.head,
          headRef: 'coupons',
          baseSha: commits.base,
          mergeSha: commits.merge,
        });
  let token = '';
  let runs = 0;
  /** Runs the action and answers what it printed, with the closed build. */
  const run = async (which: 'push' | 'pull', inputs: Record<string, string> = {}, change = (_: string): void => {}) => {
    const directory = checkOut(which === 'push' ? commits.base : commits.merge, how);
    change(directory);
    writeReport(directory, which === 'push' ? BASE_REPORT : HEAD_REPORT);
    runs += 1;
    const given = { 'server-url': server.url, 'repo-token': token, 'base-path': 'web', ...inputs };
    const result: ActionResult = await runAction({
      workspace: directory,
      inputs: given,
      event: event(which),
      runId: String(runs),
      githubToken: 'ghs_workflow',
      env: { GITHUB_SERVER_URL: host.url, GIT_SSL_CAINFO: GIT_HOST_CERTIFICATE },
    });
    expect(result).toMatchObject({ exitCode: 0, warnings: [] });
    const build = await api().buildJson(result.outputs['build-url'] ?? '');
    expect(build.status).toBe(200);
    return {
      stdout: result.stdout,
      build: build.json as BuildJson,
      git: (...args: string[]) => runGit(directory, args).trim(),
    };
  };
  const api = () => coverageApi(server.url, server.adminToken);

  beforeAll(async () => {
    token = (await api().createRepo({ service: kind, name })).token;
    const { stdout } = await run('push');
    expect(stdout).toContain(`not sent with this upload, because ${commits.base} has no parent`);
  });

  test('a pull request shows exactly its changed lines', async () => {
    const { stdout, build, git } = await run('pull');
    expect(stdout).toContain(`of 2 changed files since ${commits.base} are sent`);
    expect(build).toMatchObject({
      state: 'closed',
      provisional_since: null,
      base: { commit_sha: commits.base, rule: 'merge-parent' },
      patch: {
        source: 'upload',
        complete: true,
        covered_lines: 2,
        missed_lines: 3,
        covered_percent: 40,
        files: [
          { name: 'web/src/coupon.js', covered_lines: 1, relevant_lines: 3, uncovered: [[2, 3]] },
          { name: 'web/src/cart.js', covered_lines: 1, relevant_lines: 2, uncovered: [[2, 2]] },
        ],
        unmeasured: [],
      },
    });
    expect(build.cause?.parts.map(({ part }) => part)).toContain('changed');
    expect(git('status', '--porcelain', '--ignored=no')).toBe('');
    expect(git('rev-parse', 'HEAD')).toBe(commits.merge);
    if (how === 'whole') return;
    const basic = `Basic ${Buffer.from('x-access-token:ghs_workflow').toString('base64')}`;
    expect(host.requests.length).toBeGreaterThan(0);
    expect(new Set(host.requests.map(({ authorization }) => authorization))).toEqual(new Set([basic]));
  });

  test('send-diff: false keeps them back', async () => {
    const { stdout, build } = await run('pull', { 'send-diff': 'false' });
    expect(build).toMatchObject({ state: 'closed', patch: null });
    expect(stdout).not.toMatch(/changed files|Changed lines/);
  });

  if (how === 'whole') return;

  test('where the remote is missing, the upload goes without them and says so', async () => {
    const away = (directory: string) =>
      void runGit(directory, ['remote', 'set-url', 'origin', 'https://localhost:1/gone']);
    const { stdout, build } = await run('pull', {}, away);
    expect(build).toMatchObject({ state: 'closed', patch: null, covered_percent: expect.any(Number) });
    expect(stdout).toContain(
      `Changed lines are not sent with this upload, because the clone does not hold ${commits.base}, and could ` +
        'not get it.',
    );
  });
});
