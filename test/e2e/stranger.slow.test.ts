import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inheritedEnvironment } from '../support/child-process.ts';
import { coverageApi, shaOf } from '../support/coverage-api.ts';
import { freePort } from '../support/free-port.ts';
import { type Archive, run, startListening, unpackArchive } from '../support/packages/archive.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { findObstacle, type ImageRoot, makeImageRoot, readDockerfile } from './image-root.ts';

/** From an archive to the first verdict on a page, as somebody goes who has nothing yet. */

const ADMIN_TOKEN = 'a-token-of-the-administrator-0123456789';
const LCOV = 'SF:price.js\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\n';
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** Where commands of the page are run, what is typed, and what is put in its place. */
interface Terminal {
  readonly cwd: string;
  readonly input?: string;
  readonly edit?: (commands: string) => string;
}

let archive: Archive;
let folder = '';
const cleanUps: (() => unknown)[] = [];
beforeAll(async () => {
  archive = await unpackArchive();
  folder = await mkdtemp(join(tmpdir(), 'stranger-'));
  await writeFile(join(folder, 'price.js'), 'a();\nb();\nc();\n');
  await writeFile(join(folder, 'lcov.info'), LCOV);
}, 300_000);
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});
afterAll(async () => {
  await archive.dispose();
  await rm(folder, { recursive: true });
});

/** The real action's run against a server that has nothing yet, up to the verdict on the page. */
async function firstVerdict(url: string): Promise<string> {
  const api = coverageApi(url, ADMIN_TOKEN);
  const { token } = await api.createRepo({ name: 'acme/shop', service: 'manual' });
  const event = pushEvent({ repo: 'acme/shop', branch: 'main', sha: shaOf('first') });
  const inputs = { 'server-url': url, 'repo-token': token };
  const { exitCode, outputs, stdout } = await runAction({ workspace: folder, inputs, event });
  expect(exitCode, stdout).toBe(0);
  expect(outputs).toMatchObject({ coverage: '66.66', verdict: 'success' });
  const page = await fetch(`${outputs['build-url']}?${new URLSearchParams({ repo_token: token })}`);
  expect(page.status).toBe(200);
  return page.text();
}

async function timed(what: string, way: () => Promise<string>): Promise<void> {
  const begin = performance.now();
  expect(await way()).toContain('66.66%');
  writeSync(2, `${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
}

/** The blocks of docs/quickstart.md in a language below a heading, for a server at this port. */
async function quickstart(heading: string, language: 'sh' | 'yaml', port: number): Promise<readonly string[]> {
  const page = await readFile(new URL('../../docs/quickstart.md', import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const here = section
    .replaceAll(/coverage-service-[\d.]+-linux-x64/g, basename(archive.folder))
    .replaceAll(/https:\/\/coverage\.example|http:\/\/127\.0\.0\.1:8080/g, `http://127.0.0.1:${port}`);
  const blocks = [...here.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, one]) => one === language);
  expect(blocks.length, heading).toBeGreaterThan(0);
  return blocks.map(([, , block = '']) => block);
}

test('from the archive, by the commands and the workflow of docs/quickstart.md', () =>
  timed('From the archive to the first verdict', async () => {
    const place = await mkdtemp(join(tmpdir(), 'stranger-archive-'));
    cleanUps.push(() => rm(place, { recursive: true }));
    const port = await freePort();
    const env = { ...inheritedEnvironment(), HOME: place, PORT: String(port), GITHUB_API_URL: 'http://127.0.0.1:9' };
    const terminal = async (heading: string, { cwd, input = '', edit = (commands: string) => commands }: Terminal) => {
      const [commands = ''] = await quickstart(heading, 'sh', port);
      return execFileSync('sh', ['-ec', edit(commands)], { cwd, input, encoding: 'utf8', env });
    };

    await copyFile(archive.file, join(place, basename(archive.file)));
    await terminal('1. Get it', { cwd: place });
    const cwd = join(place, 'coverage-service');
    const [start = ''] = await quickstart('2. Start it', 'sh', port);
    const args = ['-ec', start.replace(/^\.\/coverage-service$/m, 'exec $&')];
    const { child } = await startListening({ program: 'sh', args, cwd, env });
    cleanUps.push(() => child.signal('SIGKILL'));

    expect(await readdir(join(place, 'coverage-data'))).toContain('coverage.db');

    const said = await terminal('3. Create an administrator', { cwd, input: 'a long enough password\n' });
    expect(said).toBe('Account 1: alice, an administrator.\n');
    const { token } = JSON.parse(await terminal('5. Add a repo', { cwd })).repo;
    const [workflow = ''] = await quickstart('6. Add a workflow', 'yaml', port);
    const inputs = { ...parse(workflow).jobs.test.steps.at(-1).with, 'repo-token': token };
    const first = shaOf('first');
    const push = pushEvent({ repo: 'acme/shop', branch: 'main', sha: first });
    const { outputs } = await runAction({ workspace: folder, inputs, event: push });
    expect(outputs).toMatchObject({ coverage: '66.66', verdict: 'success' });

    const edit = (commands: string): string => commands.replace('cvr_the-token-of-the-repo', token);
    expect(await terminal('Without an address that GitHub can reach', { cwd: folder, edit })).toMatch(/\/builds\/\d+/);
    return (await fetch(`${outputs['build-url']}?${new URLSearchParams({ repo_token: token })}`)).text();
  }));

test("by the systemd unit's own command and settings", () =>
  timed("By the systemd unit's command to the first verdict", async () => {
    const place = await mkdtemp(join(tmpdir(), 'stranger-unit-'));
    cleanUps.push(() => rm(place, { recursive: true }));
    const unit = (await readFile(join(deploy, 'systemd/coverage-service.service'), 'utf8'))
      .replaceAll('/opt/coverage-service', archive.folder)
      .replaceAll('/etc/coverage-service', place)
      .replaceAll('/var/lib/coverage-service', place);
    await writeFile(join(place, 'environment'), `DATABASE_URL=sqlite:${place}/coverage.db\n`);
    const said = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const [program = '', ...args] = said('ExecStart').split(' ');
    const env = { ADMIN_TOKEN, PORT: '0' };
    const { url, child } = await startListening({ program, args, cwd: said('WorkingDirectory'), env });
    cleanUps.push(() => child.signal('SIGKILL'));
    const page = await firstVerdict(url);
    expect(await readdir(place)).toContain('coverage.db');
    child.signal('SIGTERM');
    expect(await child.end).toEqual({ code: 0, signal: null });
    return page;
  }));

const obstacle = findObstacle();
if (obstacle !== undefined) console.error(`The image's root file system was not run, since ${obstacle}.`);

describe.skipIf(obstacle !== undefined)("in the image's root file system", () => {
  test('without root, with nothing to write to but /data and /tmp, and healthy', async () => {
    const { env: imageEnv, user, command, healthcheck } = readDockerfile();
    const image: ImageRoot = makeImageRoot(archive.file);
    cleanUps.push(image.dispose);
    const env = { ...imageEnv, HOST: '127.0.0.1', PORT: String(await freePort()), ADMIN_TOKEN };
    const inImage = (args: readonly string[]) => run({ ...image.command(args), cwd: '/', env });
    expect(await inImage(healthcheck)).toMatchObject({ code: 1 });

    await timed("In the image's root file system to the first verdict", async () => {
      const { url, child } = await startListening({ ...image.command(command), cwd: '/', env });
      cleanUps.push(() => child.signal('SIGKILL'));
      const page = await firstVerdict(url);
      expect(await inImage(healthcheck)).toMatchObject({ code: 0, stderr: '' });
      child.signal('SIGTERM');
      expect(await child.end).toEqual({ code: 0, signal: null });
      return page;
    });
    const { uid, gid } = await stat(join(image.data, 'coverage.db'));
    expect(`${uid}:${gid}`).toBe(user);
    const write = await inImage(['/bin/sh', '-c', 'echo > /tmp/one && echo > /opt/coverage-service/two']);
    expect(write).toMatchObject({ code: 2, stderr: expect.stringContaining('/opt/coverage-service/two') });
  });
});
