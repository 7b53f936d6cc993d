import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommand } from '../support/built-command.ts';
import { type Service, startService } from '../support/service.ts';

const run = promisify(execFile);

let service: Service;
beforeAll(async () => {
  await builtCommand();
  service = await startService();
});
afterAll(() => service.stop());

test('a server hands out the command, whole, and asks for it again cheaply', async () => {
  const answer = await fetch(`${service.url}/cli.mjs`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const digest = createHash('sha256').update(bytes);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${digest.copy().digest('base64')}:`);
  const again = await fetch(`${service.url}/cli.mjs`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  const beside = await fetch(`${service.url}/cli.mjs.sha256`);
  expect(await beside.text()).toBe(`${digest.digest('hex')}  coverage.mjs\n`);
});

test('what was downloaded passes the digest, and runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'command-file-'));
  try {
    const [file, digest] = await Promise.all(
      ['cli.mjs', 'cli.mjs.sha256'].map(async (name) => (await fetch(`${service.url}/${name}`)).text()),
    );
    await writeFile(join(folder, 'coverage.mjs'), file ?? '');
    await writeFile(join(folder, 'digest'), digest ?? '');
    const checked = await run('sha256sum', ['--check', 'digest'], { cwd: folder });
    expect(checked.stdout).toBe('coverage.mjs: OK\n');
    const shown = await run(process.execPath, ['coverage.mjs', '--version'], { cwd: folder });
    expect(shown.stdout).toMatch(/^coverage \d+\.\d+\.\d+\n$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
