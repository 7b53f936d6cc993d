import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { inheritedEnvironment, startChild } from '../support/child-process.ts';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import type { HostileSummary } from '../support/fuzz/hostile-client.ts';
import { peakMemory } from '../support/fuzz/run-fuzz.ts';
import { openRaw } from '../support/raw-http.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const MIB = 2 ** 20;
const hostileClient = fileURLToPath(new URL('../support/fuzz/hostile-client.ts', import.meta.url));

let server: ServerProcess;
afterEach(() => server.dispose());

async function start(env: Readonly<Record<string, string>> = {}): Promise<{ api: CoverageApi; token: string }> {
  server = await startServer({ env: { LOG_LEVEL: 'error', WORKER_THREADS: '1', ...env } });
  const api = coverageApi(server.url, server.adminToken);
  const { token } = await api.createRepo({ service: 'manual', name: 'acme/shop' });
  await uploadGood(api, token);
  return { api, token };
}

/** Uploads a small good job; answers how long that took. */
async function uploadGood(api: CoverageApi, token: string): Promise<number> {
  const begun = performance.now();
  const reply = await api.uploadJob({
    repo_token: token,
    source_files: [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }],
  });
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('Job #')]);
  return performance.now() - begun;
}

async function askHealth(api: CoverageApi): Promise<number> {
  const begun = performance.now();
  expect((await api.send('/healthz')).status).toBe(200);
  return performance.now() - begun;
}

const figures = (waits: Record<'health' | 'upload', number[]>, memory: number): string =>
  `health at most ${Math.max(...waits.health)} ms, a good upload ${Math.max(...waits.upload)} ms ` +
  `(${waits.upload.length} of them), ${memory / MIB} MiB`;

test('bombs, endless and trickling bodies and idle connections: others are answered within a second', {
  timeout: 40_000,
}, async () => {
  const { api, token } = await start();
  const args = [String(server.port), '6'];
  const attacker = startChild({ script: hostileClient, args, cwd: server.directory, env: inheritedEnvironment() });
  await waitFor(() => attacker.stdout.includes('begun'), { what: 'the attack to begin', timeoutMs: 15_000 });
  const waits = { health: [0], upload: [0] };
  while (attacker.ended() === undefined) {
    waits.health.push(await askHealth(api));
    waits.upload.push(await uploadGood(api, token));
    await wait(25);
  }
  const { bombs, stated, chunked, ...connections } = JSON.parse(attacker.stdout.at(-1) ?? '{}') as HostileSummary;
  expect(connections).toEqual({ idle: 2_000, stillIdle: 2_000, slow: 200, stillSlow: 200 });
  for (const answers of [bombs, stated, chunked]) {
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 413 Payload Too Large']));
  }
  if (process.env.HOSTILE_FIGURES) console.log(figures(waits, peakMemory(server.pid() ?? 0)));
  expect(Math.max(...waits.health)).toBeLessThan(1_000);
  expect(Math.max(...waits.upload)).toBeLessThan(1_000);
  // docs/operating.md, "Memory".
  expect(peakMemory(server.pid() ?? 0)).toBeLessThan(1_536 * MIB);
});

test('bodies that fill the memory and stand still make way for others', { timeout: 40_000 }, async () => {
  const { api, token } = await start({ MAX_UPLOAD_BYTES: '16MiB', MAX_UPLOADS_MEMORY: '64MiB' });
  const before = peakMemory(server.pid() ?? 0);
  const stalled = await Promise.all(Array.from({ length: 60 }, () => openRaw(server.port)));
  const most = Buffer.alloc(15 * MIB, 0x20);
  for (const [index, { send }] of stalled.entries()) {
    const framing = index % 2 === 0 ? `Content-Length: ${16 * MIB}` : 'Transfer-Encoding: chunked';
    send(
      `POST /api/v1/jobs HTTP/1.1\r\nHost: ` +
        `x\r\n${framing}\r\n\r\n${index % 2 === 0 ? '' : `${most.length.toString(16)}\r\n`}`,
    );
    send(most);
  }
  const waits: number[] = [];
  for (const end = performance.now() + 4_000; performance.now() < end; await wait(50))
    waits.push(await uploadGood(api, token));
  expect(Math.max(...waits)).toBeLessThan(1_000);
  const source = 'x'.repeat(8 * MIB);
  const large = await api.uploadJob({ repo_token: token, source_files: [{ name: 'large.ts', coverage: [1], source }] });
  expect([large.status, large.text]).toEqual([200, expect.stringContaining('Job #')]);
  // 900 MiB were sent.
  expect(peakMemory(server.pid() ?? 0) - before).toBeLessThan(300 * MIB);
  for (const { socket } of stalled) socket.destroy();
});
