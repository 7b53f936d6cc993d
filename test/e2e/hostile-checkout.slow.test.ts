import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JobPayload } from '@coverage/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPlantedCheckout, PLANTED_SECRET } from '../support/attacks/planted-checkout.ts';
import { GIT_HOST_CERTIFICATE, type GitHost, startGitHost } from '../support/git-host-stand-in/git-host.ts';
import { createGitRepo, type GitRepo, runGit } from '../support/git-repo.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { type ActionResult, runAction } from '../support/runner-stand-in/run-action.ts';

/** The built action, with tokens, in checkouts that try to make git run a command. */

const REPO_TOKEN = 'repo-token-of-the-test';
const GITHUB_TOKEN = 'ghs_token-of-the-test';
const MAKE_PIPE = 'mkfifo';

let repo: GitRepo;
let host: GitHost;
let server: Server;
let folder = '';
let base = '';
let head = '';
let received: JobPayload[] = [];
let plants = 0;

beforeAll(async () => {
  repo = createGitRepo();
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  repo.git('config', 'uploadpack.allowFilter', 'true');
  base = repo.commit('One', { 'a.js': 'a();\n', '.gitattributes': '*.js diff=odd filter=odd merge=odd\n' });
  head = repo.commit('Two', { 'a.js': 'a();\nb();\n' });
  const basic = Buffer.from(`x-access-token:${GITHUB_TOKEN}`).toString('base64');
  host = await startGitHost(repo.directory, { authorization: `Basic ${basic}` });
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    // The action asks whether source is wanted; this server does not know that question.
    if (request.method === 'GET') return void response.writeHead(404).end('{}');
    received.push(JSON.parse(gunzipSync(Buffer.concat(pieces)).toString()));
    response.end(JSON.stringify({ message: 'Job #1.1', url: 'http://localhost/jobs/1' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  server?.close();
  await host?.close();
  repo?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A shallow checkout of the last commit, with a report in `out`. */
function checkOut(filter?: string): Checkout {
  const directory = mkdtempSync(join(folder, 'checkout-'));
  const git = (...args: string[]): string => runGit(directory, args);
  git('init', '-q');
  git('remote', 'add', 'origin', `file://${repo.directory}`);
  const partial = filter === undefined ? [] : [`--filter=${filter}`];
  git('fetch', '-q', '--no-tags', '--depth=1', ...partial, 'origin', head);
  git('checkout', '-q', '--detach', head);
  git('remote', 'set-url', 'origin', `${host.url}/acme/shop`);
  mkdirSync(join(directory, 'out'));
  writeFileSync(join(directory, 'out/lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
  plants += 1;
  const mark = join(folder, `mark-${plants}`);
  const program = join(folder, `program-${plants}`);
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`, { mode: 0o755 });
  return { directory, git, program, mark };
}

interface Checkout {
  readonly directory: string;
  readonly git: (...args: string[]) => string;
  /** Leaves the mark. */
  readonly program: string;
  readonly mark: string;
}

async function run(workspace: string, env: Record<string, string> = {}): Promise<ActionResult> {
  const result = await runAction({
    workspace,
    inputs: {
      'server-url': `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'repo-token': REPO_TOKEN,
      parallel: 'true',
    },
    githubToken: GITHUB_TOKEN,
    event: pushEvent({ repo: 'acme/shop', branch: 'main', sha: head, beforeSha: base }),
    env: { GITHUB_SERVER_URL: host.url, GIT_SSL_CAINFO: GIT_HOST_CERTIFICATE, ACTIONS_RUNTIME_TOKEN: 'x', ...env },
  });
  expect(result.exitCode).toBe(0);
  expect(received.map(({ source_files }) => source_files.map(({ name }) => name))).toEqual([['a.js']]);
  return result;
}

/** Settings of the checkout under which all goes as it does without them. */
const SETTINGS: Readonly<Record<string, (program: string) => Readonly<Record<string, string>>>> = {
  'a file system monitor': (program) => ({ 'core.fsmonitor': program }),
  'a folder of hooks': (program) => ({ 'core.hooksPath': `${program}-hooks` }),
  'a command for the refs of alternates': (program) => ({ 'core.alternateRefsCommand': program }),
  'a command for ssh': (program) => ({ 'core.sshCommand': program, 'ssh.variant': 'simple' }),
  'a credential helper': (program) => ({ 'credential.helper': `!${program}`, 'core.askPass': program }),
  'a program for diffs': (program) => ({ 'diff.external': program, 'diff.odd.command': program }),
  'a converter to text': (program) => ({ 'diff.odd.textconv': program }),
  'a filter': (program) => ({
    'filter.odd.clean': program,
    'filter.odd.smudge': program,
    'filter.odd.process': program,
    'filter.odd.required': 'true',
    'merge.odd.driver': program,
  }),
  'a pager and an editor': (program) => ({ 'core.pager': program, 'pager.config': program, 'core.editor': program }),
  'another address for the same remote': (program) => ({
    [`url.ext::${program} .insteadOf`]: 'https://',
    'protocol.ext.allow': 'always',
  }),
  'a remote that is partial': (program) => ({
    'remote.evil.url': `ext::${program}`,
    'remote.evil.promisor': 'true',
    'extensions.partialClone': 'evil',
    'protocol.ext.allow': 'always',
  }),
  'another program at the other end': (program) => ({
    'remote.origin.uploadpack': program,
    'uploadpack.packObjectsHook': program,
  }),
  'a check of signatures': (program) => ({ 'gpg.program': program, 'log.showSignature': 'true' }),
  'an included file': (program) => {
    const lines = [`[url "ext::${program} "]`, 'insteadOf = https://', '[protocol "ext"]', 'allow = always', ''];
    writeFileSync(`${program}.inc`, lines.join('\n'));
    return { 'include.path': `${program}.inc`, 'includeIf.gitdir:/.path': `${program}.inc` };
  },
};

/** Remotes that are not asked. */
const REMOTES: Readonly<Record<string, (program: string) => Readonly<Record<string, string>>>> = {
  'a command': (program) => ({ 'remote.origin.url': `ext::${program}`, 'protocol.ext.allow': 'always' }),
  'one behind ssh': (program) => ({ 'remote.origin.url': 'ssh://git.invalid/x', 'core.sshCommand': program }),
  'one behind a proxy of git': (program) => ({ 'remote.origin.url': 'git://git.invalid/x', 'core.gitProxy': program }),
  'a folder': (program) => ({ 'remote.origin.url': `file://${repo.directory}`, 'remote.origin.uploadpack': program }),
};

function plant({ git, directory }: Checkout, settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) git('config', name, value);
  if ('core.hooksPath' in settings) plantHooks(directory, settings['core.hooksPath']);
  if ('core.alternateRefsCommand' in settings) plantAlternate(directory, settings['core.alternateRefsCommand']);
}

function plantHooks(directory: string, folderOfHooks: string): void {
  const program = folderOfHooks.slice(0, -'-hooks'.length);
  for (const hooks of [folderOfHooks, join(directory, '.git/hooks')]) {
    mkdirSync(hooks, { recursive: true });
    for (const name of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'pre-auto-gc'])
      cpSync(program, join(hooks, name));
  }
}

/** Another repo whose objects the checkout borrows: git asks it for its refs, by a command if its settings name one. */
function plantAlternate(directory: string, program: string): void {
  const other = join(directory, '.git/other');
  runGit(directory, ['init', '-q', '--bare', other]);
  runGit(other, ['config', 'core.alternateRefsCommand', program]);
  runGit(other, ['config', 'core.fsmonitor', program]);
  writeFileSync(join(directory, '.git/objects/info/alternates'), `${other}/objects\n`);
}

describe('settings of a checkout start nothing, and the changed lines are found', () => {
  test.each(Object.keys(SETTINGS))('%s', async (name) => {
    const checkout = checkOut();
    plant(checkout, SETTINGS[name]?.(checkout.program) ?? {});
    const { stdout } = await run(checkout.directory);
    expect(existsSync(checkout.mark)).toBe(false);
    expect(stdout).toContain('The line numbers of 1 changed file');
    expect(received[0]?.diff?.files).toEqual([{ name: 'a.js', kind: 'modified', hunks: [[2, 0, 2, 1]] }]);
  });

  test('an included file that never ends, where no git may wait for it', async () => {
    const { directory, program } = checkOut();
    plantAlternate(directory, program);
    execFileSync(MAKE_PIPE, [`${program}.fifo`]);
    appendFileSync(join(directory, '.git/config'), `[include]\n\tpath = ${program}.fifo\n`);
    appendFileSync(join(directory, '.git/other/config'), `[include]\n\tpath = ${program}.fifo\n`);
    await run(directory);
    expect(received[0]?.diff?.files).toHaveLength(1);
  });

  test('all of them in a partial clone', async () => {
    const checkout = checkOut('blob:none');
    for (const settings of Object.values(SETTINGS)) plant(checkout, settings(checkout.program));
    await run(checkout.directory);
    expect(existsSync(checkout.mark)).toBe(false);
    expect(received[0]?.diff?.files).toHaveLength(1);
  });
});

test.each(Object.keys(REMOTES))('a remote that is %s is not asked', async (name) => {
  const checkout = checkOut();
  plant(checkout, REMOTES[name]?.(checkout.program) ?? {});
  const { stdout } = await run(checkout.directory);
  expect(existsSync(checkout.mark)).toBe(false);
  expect(stdout).toContain('and could not get it.');
});

describe('what only looks like a git directory', () => {
  test.each([
    ['', 'beside the report, in a checkout', true],
    ['.git', 'in the folder of the report, in a checkout', true],
    ['', 'beside the report, where there is no checkout', false],
    ['.git', 'in the folder of the report, where there is no checkout', false],
  ])('%j: %s, starts nothing', async (name, _, isCheckout) => {
    const { directory, git, program, mark } = checkOut();
    const evil = join(directory, 'out', name);
    cpSync(join(directory, '.git'), evil, { recursive: true });
    const worktree = name === '' ? '.' : '..';
    const settings = { 'core.worktree': worktree, 'core.fsmonitor': program, 'remote.origin.url': `ext::${program}` };
    for (const [key, value] of Object.entries({ ...settings, 'protocol.ext.allow': 'always' }))
      git('config', '--file', join(evil, 'config'), key, value);
    if (!isCheckout) renameSync(join(directory, '.git'), join(directory, 'not-git'));
    await run(directory);
    expect(existsSync(mark)).toBe(false);
  });

  test('a link out of the workspace is not followed', async () => {
    const { directory } = checkOut();
    const outside = mkdtempSync(join(folder, 'outside-'));
    renameSync(join(directory, '.git'), join(outside, 'git'));
    writeFileSync(join(directory, '.git'), `gitdir: ${join(outside, 'git')}\n`);
    const { stdout } = await run(directory);
    expect(stdout).toContain(`git knows no checkout at ${directory}`);
    mkdirSync(join(directory, 'sub'));
    renameSync(join(outside, 'git'), join(directory, 'sub/git'));
    writeFileSync(join(directory, '.git'), 'gitdir: sub/git\n');
    received = [];
    expect((await run(directory)).stdout).toContain('The line numbers of');
  });
});

test('a git in the workspace is not run, though its folder is on the PATH', async () => {
  const { directory, program, mark } = checkOut();
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
  cpSync(program, join(directory, 'node_modules/.bin/git'));
  const path = [join(directory, 'node_modules/.bin'), 'node_modules/.bin', process.env.PATH ?? ''].join(delimiter);
  const { stdout } = await run(directory, { PATH: path });
  expect(existsSync(mark)).toBe(false);
  expect(stdout).toContain('The line numbers of 1 changed file');
});

test('links out of the checkout and pipes are no reports, and no source that is read', async () => {
  const { directory, git } = checkOut();
  for (const name of ['coverage.info', 'other.lcov', 'cobertura.xml'])
    symlinkSync(name === 'other.lcov' ? '/dev/zero' : join(folder, 'nothing'), join(directory, name));
  execFileSync(MAKE_PIPE, [join(directory, 'lcov.more.info')]);
  rmSync(join(directory, 'a.js'));
  symlinkSync('/dev/zero', join(directory, 'a.js'));
  await run(directory);
  expect(received[0]?.source_files[0]?.source_digest).toBeUndefined();
  rmSync(join(directory, 'a.js'));
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'secret');
  symlinkSync(secret, join(directory, 'a.js'));
  received = [];
  await run(directory);
  expect(received[0]?.source_files[0]?.source_digest).toBeUndefined();
  git('checkout', '-q', '--force', head);
  received = [];
  await run(directory);
  expect(received[0]?.source_files[0]?.source_digest).toMatch(/^[0-9a-f]{32}$/);
});

test('committed links to secrets give away neither text nor digest', async () => {
  const planted = createPlantedCheckout();
  const { exitCode, stdout } = await runAction({
    workspace: planted.directory,
    inputs: {
      'server-url': `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'repo-token': REPO_TOKEN,
      'send-source': 'all',
      parallel: 'true',
    },
    event: pushEvent({ repo: 'acme/shop', branch: 'main', sha: planted.sha('HEAD'), beforeSha: base }),
  });
  planted.remove();
  expect(exitCode).toBe(0);
  const files = received[0]?.source_files ?? [];
  const read = files.filter(({ source, source_digest: digest }) => source !== undefined || digest !== undefined);
  expect([files.length, read.map(({ name }) => name)]).toEqual([7, ['src/real.js']]);
  expect(JSON.stringify(received)).not.toContain(PLANTED_SECRET);
  expect(stdout).toContain('::warning::Neither text nor digest is sent for 6 files');
});

test('git sees no input, no token and nothing of the run; only a fetch is signed in', async () => {
  const { directory } = checkOut();
  const [programs, seen] = [join(folder, 'programs'), join(folder, 'seen')];
  mkdirSync(programs);
  const path = process.env.PATH ?? '';
  const wrapper = `#!/bin/sh\n{ echo "ARGS=$*"; env; echo; } >> '${seen}'\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(programs, 'git'), wrapper, { mode: 0o755 });
  await run(directory, { PATH: `${programs}${delimiter}${path}` });
  const runs = readFileSync(seen, 'utf8')
    .split('\n\n')
    .filter((text) => text !== '');
  expect(runs.length).toBeGreaterThan(5);
  for (const text of runs) {
    expect(text).not.toMatch(/^(?:INPUT|GITHUB|ACTIONS|RUNNER)_/m);
    expect(text).not.toContain(REPO_TOKEN);
    expect(text).not.toContain(GITHUB_TOKEN);
    expect(/^GIT_CONFIG_VALUE/m.test(text)).toBe(text.startsWith('ARGS=fetch '));
    expect(text).toMatch(text.startsWith('ARGS=fetch ') ? /^GIT_ALLOW_PROTOCOL=https$/m : /^GIT_ALLOW_PROTOCOL=none$/m);
  }
});
