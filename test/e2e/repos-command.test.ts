import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../server/src/cli/command/command-line.ts';
import { readAsked, runRepos } from '../../server/src/cli/repos-file/repos-command.ts';
import { Failure } from '../../server/src/core/failure.ts';
import { type Service, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
  readonly stderr: string;
}

const environment = (): Record<string, string> => ({
  COVERAGE_SERVER: service.url,
  COVERAGE_TOKEN: service.adminToken,
});

/** A folder with a file of repos, and the command for it in this process. */
async function openFolder(yaml: string) {
  const folder = await mkdtemp(join(tmpdir(), 'repos-command-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, tokens] = [join(folder, 'repos.yaml'), join(folder, 'repo-tokens.txt')];
  const write = (text: string): Promise<void> => writeFile(file, text);
  await write(yaml);
  const run = async (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> => {
    const [lines, notes]: [string[], string[]] = [[], []];
    const output = { print: (line: string) => void lines.push(line), note: (line: string) => void notes.push(line) };
    const asked = readAsked(['apply', file, '--tokens', tokens, ...args], { ...environment(), ...env });
    const code = await runRepos(asked ?? expect.unreachable(), output, fetch).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Failure);
      notes.push((error as Failure).message);
      return 1;
    });
    return { code, lines, stderr: notes.join('\n') };
  };
  return { folder, tokens, write, run };
}

/** The command as a process of its own. */
function runProcess(folder: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const command = ['--conditions=source', join(root, 'server/src/cli/repos.ts'), ...args];
    execFile(process.execPath, command, { cwd: folder, env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, lines: stdout.trimEnd().split('\n'), stderr });
    });
  });
}

const listed = (names: readonly string[], more = ''): string =>
  `defaults: {service: manual, patch_status: true, quiet_period: 30m}
repos:
${names.map((name) => `  - name: ${name}\n`).join('')}${more}`;

const settingsOf = async (name: string, host = 'manual'): Promise<Record<string, unknown>> => {
  const headers = { authorization: `token ${service.adminToken}` };
  return (await service.api.send<Record<string, unknown>>(`/api/v1/repos/${host}/${name}/settings`, { headers })).json;
};

test('300 repos are made once, with their settings and a file of their tokens', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `team/part-${index}`);
  const { run, tokens, write } = await openFolder(listed(names));

  const planned = await run(['--dry-run']);
  expect(planned).toMatchObject({ code: 0, stderr: 'A dry run: nothing was changed.' });
  const first = ['create    manual/team/part-0', '    patch_status: true', '    quiet_period: "30m"'];
  expect(planned.lines.slice(0, 3)).toEqual(first);
  expect(planned.lines.at(-1)).toBe('300 repos: 300 create');
  expect(await service.store.repos.list({ after: undefined, limit: 1 })).toEqual([]);
  await expect(stat(tokens)).rejects.toThrow('ENOENT');

  const made = await run([]);
  expect(made).toMatchObject({ code: 0, stderr: `The tokens of 300 new repos are in ${tokens}.` });
  expect(made.lines.at(-1)).toBe('300 repos: 300 created');
  expect((await stat(tokens)).mode & 0o777).toBe(0o600);
  const written = (await readFile(tokens, 'utf8')).trimEnd().split('\n');
  expect(written.map((line) => line.split(' ')[0])).toEqual(names.map((name) => `manual/${name}`));
  const token = written[299]?.split(' ')[1];
  expect((await service.api.readRepo('team/part-299', 'manual')).json.token).toBe(token);
  expect(await settingsOf('team/part-299')).toMatchObject({ patch_status: true, quiet_period: '30m' });

  // The same period, written otherwise.
  await write(listed(names).replace('30m', '1800s'));
  const again = await run([]);
  expect([again.code, again.lines.at(-1), again.stderr]).toEqual([0, '300 repos: 300 unchanged', '']);
});

test('what changes is said, and done once', async () => {
  const names = ['shift/one', 'shift/two'];
  const { run, write } = await openFolder(listed(names));
  await run([]);
  await write(listed(names, '    patch_minimum: 70\n    commit_status_fail_threshold: 80\n'));
  const lines = [
    'unchanged manual/shift/one',
    'change    manual/shift/two',
    '    patch_minimum: null -> 70',
    '    commit_status_fail_threshold: null -> 80',
  ];
  expect((await run(['--dry-run'])).lines).toEqual([...lines, '2 repos: 1 unchanged, 1 change']);
  expect(await settingsOf('shift/two')).toMatchObject({ patch_minimum: null });
  expect(await run([])).toEqual({ code: 0, lines: [...lines, '2 repos: 1 unchanged, 1 changed'], stderr: '' });
  expect(await settingsOf('shift/two')).toMatchObject({ patch_minimum: 70 });
  await write(listed(names, '    patch_minimum: base\n'));
  expect((await run(['--dry-run'])).lines).toContain('    patch_minimum: 70 -> "base"');
  await write(listed(names, '    patch_minimum: 70\n    commit_status_fail_threshold: 80\n'));
  expect((await run([])).lines.at(-1)).toBe('2 repos: 2 unchanged');
});

test('one that is refused is named, and the others are made', async () => {
  const others =
    '  - {name: crew/real, service: github}\n  - {name: crew/marked, annotations: true}\n  - name: crew/last\n';
  const { run, tokens } = await openFolder(listed(['crew/one', 'crew/two'], others));
  const outcome = await run([], { COVERAGE_TOKEN: await service.tokenOf('bob') });
  expect(outcome.code).toBe(1);
  expect(outcome.lines.filter((line) => line.startsWith('    refused'))).toEqual([
    expect.stringMatching(/^ {4}refused: 403: Only an administrator can create a github repo/),
    expect.stringMatching(/^ {4}refused, after it was created: 422: annotations cannot be true/),
  ]);
  expect(outcome.lines.at(-1)).toBe('5 repos: 3 created, 2 refused');
  const written = (await readFile(tokens, 'utf8')).trimEnd().split('\n');
  expect(written.map((line) => line.split(' ')[0])).toEqual(
    ['one', 'two', 'marked', 'last'].map((name) => `manual/crew/${name}`),
  );
});

test('a file of tokens is never written over', async () => {
  const { run, tokens } = await openFolder(listed(['kept/one']));
  await writeFile(tokens, 'mine');
  const refused = await run([]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${tokens} exists already`) });
  expect((await service.api.readRepo('kept/one', 'manual')).status).toBe(404);
  expect((await run(['--tokens', `${tokens}.2`])).stderr).toBe(`The tokens of 1 new repo are in ${tokens}.2.`);
  expect(await readFile(tokens, 'utf8')).toBe('mine');
});

test('a server that goes away leaves the tokens so far', async () => {
  let made = 0;
  const server = createServer((request, response) => {
    if (request.url?.includes('per_page')) return response.end('{"pages":1,"repos":[]}');
    if (request.method === 'POST') made += 1;
    if (made > 1) return response.destroy();
    response.statusCode = request.method === 'POST' ? 201 : 200;
    return response.end(JSON.stringify({ repo: { token: 'first-token' } }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { run, tokens } = await openFolder(listed(['gone/one', 'gone/two', 'gone/three']));
  const outcome = await run(['--server', url]);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain(`The tokens of 1 new repo are in ${tokens}.\n${url} cannot be reached: `);
  expect(await readFile(tokens, 'utf8')).toBe('manual/gone/one first-token\n');
});

test.each<[readonly string[], Record<string, string>, string]>([
  [[], {}, 'Say what to do: apply, or webhooks.'],
  [['remove'], {}, 'Unknown arguments: remove'],
  [['apply'], {}, 'Say which file lists the repos: apply <file>.'],
  [['webhooks'], {}, 'Say which repos: webhooks <service>, or'],
  [['apply', 'a', 'b'], {}, 'Unknown arguments: b'],
  [['apply', 'a'], { COVERAGE_TOKEN: '' }, 'Set COVERAGE_TOKEN to a personal token'],
  [['apply', 'a'], { COVERAGE_SERVER: '' }, 'Name the server: --server <url>, or COVERAGE_SERVER.'],
  [['apply', 'a', '--server', 'ftp://x'], {}, 'The URL of the server is "ftp://x"; give an http or'],
  [['apply', 'a', '--token', 'x'], {}, "Unknown option '--token'"],
])('%j with %j is not understood', (args, env, sentence) => {
  expect(() => readAsked(args, { ...environment(), ...env })).toThrow(UsageError);
  expect(() => readAsked(args, { ...environment(), ...env })).toThrow(sentence);
});

test('a token that is unknown, and another server, end it at once', async () => {
  const { run } = await openFolder(listed(['wrong/one']));
  expect((await run([], { COVERAGE_TOKEN: 'cvp_unknown' })).stderr).toContain('does not know COVERAGE_TOKEN: ');
  const elsewhere = await run(['--dry-run', '--server', `${service.url}/a/b/c/d`]);
  expect(elsewhere).toMatchObject({
    code: 1,
    lines: [],
    stderr: expect.stringContaining('not respond like a coverage'),
  });
});

test('as a process it says what is wrong with a file, and shows how it is used', async () => {
  const { folder } = await openFolder(listed(['wrong/one'], '    patch_minimun: 5\n'));
  const wrong = 'repos.yaml:4: "patch_minimun" is unknown (did you mean patch_minimum?).\n';
  const outcome = await runProcess(folder, ['apply', 'repos.yaml'], environment());
  expect(outcome).toEqual({ code: 1, lines: [''], stderr: wrong });
  const usage = await runProcess(folder, ['--help'], {});
  expect(usage).toMatchObject({ code: 0, stderr: '' });
  expect(usage.lines.join('\n')).toContain('COVERAGE_TOKEN is a personal token');
});

test('the example of docs/monorepos.md is applied as it stands', async () => {
  const docs = await readFile(join(root, 'docs/monorepos.md'), 'utf8');
  const example = /```yaml\n(defaults:.*?)```/s.exec(docs)?.[1] ?? '';
  const { run } = await openFolder(example);
  expect((await run([])).lines.at(-1)).toBe('3 repos: 3 created');
  expect(await settingsOf('acme/shop', 'github')).toMatchObject({ patch_status: true, patch_minimum: 75 });
  expect(await settingsOf('acme/legacy', 'github')).toMatchObject({ quiet_period: '2h' });
  expect((await run(['--dry-run'])).lines.at(-1)).toBe('3 repos: 3 unchanged');
});
