import { stat } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { Exposition } from '../support/exposition.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

test('metrics have a port of their own, on loopback, which ends with the server', async () => {
  const running = await startServer({ env: { METRICS_PORT: '0' } });
  server = running;
  const said = /"address":"(http:\/\/127\.0\.0\.1:\d+)"/;
  const address = await waitFor(
    () =>
      running
        .output()
        .map((line) => said.exec(line)?.[1])
        .find((found) => found !== undefined),
    { what: 'the line that says where the metrics are' },
  );
  const answer = await fetch(`${address}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const metrics = new Exposition(await answer.text());
  const file = await stat(`${running.directory}/coverage.db`);
  expect(metrics.sum('coverage_database_size_bytes')).toBeGreaterThanOrEqual(file.size);
  expect(metrics.sum('coverage_database_disk_free_bytes')).toBeGreaterThan(0);
  expect(metrics.sum('coverage_builds', { state: 'due' })).toBe(0);
  for (const [path, method] of [
    ['/metrics', 'POST'],
    ['/', 'GET'],
    ['/healthz', 'GET'],
    ['/metrics/more', 'GET'],
  ] as const)
    expect((await fetch(`${address}${path}`, { method })).status).toBe(404);
  expect((await fetch(`${running.url}/metrics`)).status).toBe(401);
  expect(await running.stop()).toEqual({ code: 0, signal: null });
  await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  expect(running.output().filter((line) => /warning/i.test(line))).toEqual([]);
});

test('a server whose metrics port is taken does not start, and says which setting to change', async () => {
  const running = await startServer();
  server = running;
  await expect(startServer({ env: { METRICS_PORT: String(running.port) } })).rejects.toThrow(
    /Cannot listen on 127\.0\.0\.1 port \d+ \(EADDRINUSE\): give another METRICS_PORT or METRICS_HOST, or end what/,
  );
});
