import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** `npm start`, as a person or a supervisor runs it: in a process group of its own. */
async function npmStart() {
  const directory = await mkdtemp(join(tmpdir(), 'npm-start-'));
  const env = {
    ...inheritedEnvironment(),
    PORT: '0',
    DATABASE_URL: `sqlite:${directory}/coverage.db`,
    ADMIN_TOKEN: 'a'.repeat(32),
  };
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  for await (const line of createInterface(child.stdout)) {
    const url = /listening on (http:[^\s"]+)/.exec(line)?.[1];
    if (url !== undefined) return { url, pid: child.pid as number, ended };
  }
  throw new Error('npm start ended before it listened');
}

describe('npm start', () => {
  test.each([
    ['npm alone', (pid: number) => process.kill(pid, 'SIGTERM')],
    ['the whole process group, as Ctrl-C and supervisors do', (pid: number) => process.kill(-pid, 'SIGTERM')],
  ])('a SIGTERM to %s stops the server in order', async (_, kill) => {
    const { url, pid, ended } = await npmStart();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    kill(pid);
    await ended;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
