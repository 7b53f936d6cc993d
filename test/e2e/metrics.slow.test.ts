import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_VARIABLES } from '../../server/src/config/variables.ts';
import { inheritedEnvironment, startChild } from '../support/child-process.ts';
import { Exposition } from '../support/exposition.ts';
import { freePort } from '../support/free-port.ts';
import { findTool, isHere } from '../support/packages/tools.ts';
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
        .filter((line) => line.includes('metrics'))
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
    /Cannot listen on 127\.0\.0\.1 port \d+ \(EADDRINUSE\): give another METRICS_PORT or METRICS_HOST, or stop/,
  );
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const [promtool, prometheus] = [findTool('promtool'), findTool('prometheus')];
const hasBoth = isHere(
  promtool !== undefined && prometheus !== undefined,
  'promtool or prometheus is missing (apt-get install prometheus)',
);

describe.skipIf(!hasBoth)('Prometheus', () => {
  /** A folder with both files of deploy/prometheus. */
  async function openFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    for (const name of ['prometheus.yml', 'alerts.yml'])
      await copyFile(join(root, 'deploy/prometheus', name), join(folder, name));
    return folder;
  }

  const check = (folder: string, ...args: string[]): unknown => {
    const { status, stdout, stderr } = spawnSync(promtool as string, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? 0 : stdout + stderr;
  };

  test('takes the rules; each raises its alert, and none where all is well', async () => {
    const folder = await openFolder();
    try {
      await copyFile(join(root, 'test/fixtures/prometheus/alerts.test.yml'), join(folder, 'alerts.test.yml'));
      expect(check(folder, 'check', 'rules', 'alerts.yml')).toBe(0);
      expect(check(folder, 'test', 'rules', 'alerts.test.yml')).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('understands every expression of the dashboard', async () => {
    const folder = await openFolder();
    try {
      const dashboard = await readFile(join(root, 'deploy/grafana/coverage-service.json'), 'utf8');
      const { panels } = JSON.parse(dashboard) as { panels: readonly { targets: readonly { expr: string }[] }[] };
      const found = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      const rules = found.map((expr, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'coverage'),
      }));
      // JSON is YAML.
      await writeFile(join(folder, 'dashboard.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      expect(check(folder, 'check', 'rules', 'dashboard.yml')).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('scrapes a server as deploy/prometheus says, and evaluates the rules', async () => {
    const token = 'metrics-token-of-this-test-0123456789abcdef';
    const running = await startServer({ env: { METRICS_TOKEN: token } });
    server = running;
    const folder = await openFolder();
    const port = await freePort();
    const file = await readFile(join(folder, 'prometheus.yml'), 'utf8');
    const byDefault = (wanted: string) => CONFIG_VARIABLES.find(({ name }) => name === wanted)?.default;
    const place = `${byDefault('HOST')}:${byDefault('PORT')}`;
    expect(parse(file)).toMatchObject({ scrape_configs: [{ static_configs: [{ targets: [place] }] }] });
    const moved = file
      .replace(place, `127.0.0.1:${running.port}`)
      .replace(/credentials_file: \S+/, 'credentials_file: token');
    await writeFile(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${moved}`,
    );
    await writeFile(join(folder, 'token'), `${token}\n`);
    const args = [`--web.listen-address=127.0.0.1:${port}`, '--config.file=prometheus.yml', '--storage.tsdb.path=data'];
    const child = startChild({ program: prometheus as string, args, cwd: folder, env: inheritedEnvironment() });
    try {
      const read = async (path: string): Promise<string> =>
        (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).text();
      await waitFor(async () => (await read('query?query=coverage_measured')).includes('"coverage_measured"'), {
        what: 'the server to be scraped',
        timeoutMs: 60_000,
      });
      expect(JSON.parse(await read('query?query=up'))).toMatchObject({
        data: { result: [{ metric: { job: 'coverage' }, value: [expect.any(Number), '1'] }] },
      });
      expect((await read('rules')).match(/"type":"alerting"/g)).toHaveLength(6);
    } finally {
      child.signal('SIGTERM');
      await child.end;
      await rm(folder, { recursive: true });
    }
  });
});
