import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createPlantedCheckout,
  type Listener,
  PLANTED_SECRET,
  startListener,
} from '../support/attacks/planted-checkout.ts';
import type { GitRepo } from '../support/git-repo.ts';
import { someOf } from '../support/property-runs.ts';
import { runCommand, USERS_NODE } from '../support/run-command.ts';

/** The built command, with tokens, in checkouts that a stranger wrote. */

const TOKEN = 'repo-token-of-the-test';
let repo: GitRepo;
let listener: Listener;

beforeAll(() => {
  repo = createPlantedCheckout();
});
beforeEach(async () => {
  listener = await startListener();
});
afterEach(() => {
  listener.close();
  rmSync(join(repo.directory, '.coveralls.yml'), { force: true });
});
afterAll(() => repo.remove());

const call = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runCommand(args, { folder: repo.directory, env, node: USERS_NODE });

describe('committed links to secrets', () => {
  const digestOf = (text: string): string => createHash('md5').update(text).digest('hex');
  const digests = () =>
    Object.fromEntries(
      (listener.jobs().at(-1)?.source_files ?? []).map(({ name, source_digest: digest, source }) => [
        name,
        [digest, source],
      ]),
    );
  const refused = [undefined, undefined];

  test('neither text nor digest of what they lead to is sent, and the log says so', async () => {
    const env = { COVERAGE_ENDPOINT: listener.url, COVERALLS_REPO_TOKEN: TOKEN };
    const { code, stderr } = await call(['report', '--send-source=all', '--parallel'], env);
    expect(code).toBe(0);
    const read = [digestOf('real();\n'), 'real();\n'];
    expect(digests()).toEqual({
      'src/again.js': refused,
      'src/env.js': refused,
      'src/git.js': refused,
      'src/loose.js': refused,
      'src/process.js': refused,
      'src/real.js': read,
      'src/taken.js': refused,
    });
    expect(stderr).toContain('Neither text nor digest is sent for 6 files (src/again.js, src/env.js, src/git.js,');
    for (const text of listener.received()) {
      expect(text).not.toContain(PLANTED_SECRET);
      expect(text).not.toContain(digestOf(PLANTED_SECRET));
    }
  });

  test('without git no link is followed', async () => {
    const env = { COVERAGE_ENDPOINT: listener.url, COVERALLS_REPO_TOKEN: TOKEN, PATH: '/nowhere' };
    const { code, stderr } = await call(
      ['report', '--send-source=all', '--parallel', `--git-commit=${'a'.repeat(40)}`],
      env,
    );
    expect(code).toBe(0);
    expect(Object.entries(digests()).filter(([, [digest]]) => digest !== undefined)).toEqual([
      ['src/real.js', [digestOf('real();\n'), 'real();\n']],
    ]);
    expect(stderr).toContain('without git no link is followed');
  });

  test.each([
    ['show', '--uncovered'],
    ['uncovered', '--json'],
  ])('"%s %s" shows no text of them', async (...args) => {
    writeFileSync(join(repo.directory, 'missed.info'), 'SF:src/env.js\nDA:1,0\nend_of_record\n');
    const { code, stdout } = await call([...args, 'missed.info'], {});
    expect([code, stdout.includes('src/env.js'), stdout.includes(PLANTED_SECRET)]).toEqual([0, true, false]);
  });

  test('a report and a .coveralls.yml that are links are not quoted', async () => {
    symlinkSync('.env', join(repo.directory, 'cover.out'));
    const env = { COVERAGE_ENDPOINT: listener.url, COVERALLS_REPO_TOKEN: TOKEN };
    const damaged = await call(['report', '--format=golang', 'cover.out'], env);
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('cover.out is a link to a file') });
    writeFileSync(join(repo.directory, 'loose.js'), `a: b\n"${PLANTED_SECRET}\n%TAG !! ${PLANTED_SECRET}\n- !x`);
    symlinkSync('loose.js', join(repo.directory, '.coveralls.yml'));
    const unreadable = await call(['report'], env);
    writeFileSync(join(repo.directory, 'loose.js'), PLANTED_SECRET);
    expect(unreadable).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not valid YAML: look at line \d+, column/),
    });
    for (const { stdout, stderr } of [damaged, unreadable]) expect(stdout + stderr).not.toContain('c2VjcmV0');
  });
});

describe('an address in .coveralls.yml', () => {
  const write = (...lines: readonly string[]): void =>
    writeFileSync(join(repo.directory, '.coveralls.yml'), [`endpoint: ${listener.url}`, ...lines, ''].join('\n'));
  const COMMANDS = ['report', 'report --no-fail', 'report --dry-run', 'done --build-number=7', 'doctor', 'check'];
  const ofGithub = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_RUN_ID: '7',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_REF: 'refs/heads/main',
  };

  test.each(someOf(COMMANDS))('gets no token of the CI: %s', async (line) => {
    const args = line.split(' ');
    write();
    const secrets: readonly (readonly [args: readonly string[], env: Readonly<Record<string, string>>])[] = [
      [[], { COVERALLS_REPO_TOKEN: TOKEN }],
      [[`--repo-token=${TOKEN}`], {}],
      [[], { COVERAGE_TOKEN: TOKEN }],
      [[], { ...ofGithub, ACTIONS_ID_TOKEN_REQUEST_URL: listener.url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: TOKEN }],
    ];
    // A token beside the address does not open the way for another one.
    for (const [at, [more, env]] of [...secrets, ...secrets.slice(0, 2)].entries()) {
      if (at >= secrets.length) write('repo_token: of-the-file');
      const { code, stdout, stderr } = await call([...args, ...more], env);
      expect(code).toBe(args.includes('--no-fail') ? 0 : 2);
      const said = stdout + stderr;
      expect(said).toContain(`The token is not sent to ${listener.url}: the URL comes from .coveralls.yml`);
      expect(said).toContain('COVERAGE_ENDPOINT, or give it with --endpoint');
    }
    expect(listener.received()).toEqual([]);
  });

  test('gets one where an option names the file, and its own', async () => {
    write();
    const env = { COVERALLS_REPO_TOKEN: TOKEN };
    const named = await call(['report', '--parallel', '--config-path=.coveralls.yml'], env);
    expect([named.code, listener.jobs().at(-1)?.repo_token]).toEqual([0, TOKEN]);
    write('repo_token: of-the-file');
    const own = await call(['report', '--parallel'], {});
    expect([own.code, listener.jobs().at(-1)?.repo_token]).toEqual([0, 'of-the-file']);
    const ofGithubToo = {
      ...ofGithub,
      ACTIONS_ID_TOKEN_REQUEST_URL: listener.url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: TOKEN,
    };
    await call(['report', '--parallel'], ofGithubToo);
    expect(listener.received().filter((text) => text.includes(TOKEN))).toHaveLength(2);
  });

  test('gives way to one of the CI', async () => {
    const other = await startListener();
    write();
    const sent = await call(['report', '--parallel'], { COVERAGE_ENDPOINT: other.url, COVERALLS_REPO_TOKEN: TOKEN });
    expect([sent.code, other.jobs().length, listener.received()]).toEqual([0, 1, []]);
    other.close();
  });
});
