import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Store } from '../../server/src/storage/store.ts';
import { job, type RepoJson, shaOf } from '../support/coverage-api.ts';
import { Exposition } from '../support/exposition.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(options);
  ends.push(service.stop);
  return service;
}

async function startOnGithub(options: ServiceOptions = {}): Promise<{ service: Service; github: GithubStandIn }> {
  const github = await startGithubStandIn();
  ends.push(() => github.close());
  return { github, service: await start({ github, ...options }) };
}

const ask = (service: Service, token = service.adminToken): Promise<Response> =>
  fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });

async function scrape(service: Service): Promise<Exposition> {
  const answer = await ask(service);
  expect(answer.status).toBe(200);
  return new Exposition(await answer.text());
}

/** A repo on the stand-in, whose builds are announced. */
async function newRepo(service: Service, github: GithubStandIn): Promise<RepoJson & { token: string }> {
  const name = 'octo/secret-name';
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('commit'), branch: 'main' });
  return service.newRepo({ service: 'github', name });
}

test('are for administrators alone, in the form that Prometheus reads', async () => {
  const service = await start();
  expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
  const user = await ask(service, await service.tokenOf('alice'));
  expect([user.status, await user.json()]).toEqual([
    403,
    {
      message: 'Only METRICS_TOKEN and administrators may read the metrics; give Prometheus METRICS_TOKEN.',
      error: true,
    },
  ]);
  const repo = await service.newRepo();
  expect((await ask(service, repo.token)).status).toBe(401);
  const answer = await ask(service, await service.tokenOf('bob', 'administrator'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const { types } = new Exposition(await answer.text());
  for (const [name, type] of types) {
    expect(name).toMatch(/^(coverage|process|nodejs)_[a-z0-9_]+$/);
    if (name.startsWith('coverage_')) expect(type === 'counter').toBe(name.endsWith('_total'));
  }
  const page = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  const cells = [...page.matchAll(/^\| (`coverage_[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const documented = cells.flatMap((cell) => [...cell.matchAll(/\w+/g)].map(([name]) => name));
  expect(documented.sort()).toEqual([...types.keys()].filter((name) => name.startsWith('coverage_')).sort());
});

test('of the dashboard and the alerts of deploy/ are all there', async () => {
  const { types } = await scrape(await start());
  const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
  const dashboard = JSON.parse(read('grafana/coverage-service.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const rules = parse(read('prometheus/alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const shown = dashboard.panels.map(({ targets }) => targets.map(({ expr }) => expr));
  const alerted = rules.groups.map((group) => group.rules.map(({ expr }) => expr));
  expect([shown.length, alerted.flat().length]).toEqual([14, 6]);
  const missing = [...shown, ...alerted].flat().filter((expr) => {
    const names = [...expr.matchAll(/\b(?:coverage|process|nodejs)_\w+/g)].map(([name]) => name);
    const known = names.filter((name) => types.has(name) || types.get(name.replace(/_bucket$/, '')) === 'histogram');
    return known.length < names.length || (names.length === 0 && !/^sum\(up\b/.test(expr));
  });
  expect(missing).toEqual([]);
});

test('are read by METRICS_TOKEN, which opens nothing else', async () => {
  const metricsToken = 'metrics-token-of-this-test-0123456789abcdef';
  const service = await start({ env: { METRICS_TOKEN: metricsToken } });
  expect((await ask(service, metricsToken)).status).toBe(200);
  expect((await ask(service, `${metricsToken}0`)).status).toBe(401);
  const authorization = `Bearer ${metricsToken}`;
  for (const path of ['/api/v1/repos', '/admin', '/readyz?verbose', '/api/v1/builds/set-aside', '/api/v1/audit'])
    expect([path, (await fetch(`${service.url}${path}`, { headers: { authorization } })).status]).toEqual([path, 401]);
  const made = await fetch(`${service.url}/api/v1/repos`, { method: 'POST', headers: { authorization }, body: '{}' });
  expect(made.status).toBe(401);
});

test('that have no value are left out', async () => {
  // In memory it has no file, and on MongoDB no disk of this machine.
  const metrics = await scrape(await start());
  expect(metrics.sum('coverage_measured', { part: 'store' })).toBe(1);
  expect(metrics.sum('coverage_builds_oldest_due_seconds')).toBe(0);
  expect(metrics.sum('coverage_database_disk_free_bytes')).toBeUndefined();
});

test('count requests by route and uploads by outcome, and hold no name that a caller chose', async () => {
  const service = await start();
  const repo = await service.newRepo({ name: 'acme/secret-name' });
  await service.uploadAlone(job({ repo_token: repo.token }));
  await service.upload(job({ repo_token: repo.token, parallel: true, service_number: '72' }));
  const refusals = [
    { ...job({ repo_token: 'nobody-knows-this' }) },
    { repo_token: repo.token, source_files: 'none' },
    { repo_token: repo.token, source_files: 7 },
  ];
  for (const body of refusals) expect((await service.api.uploadJob(body)).status).toBe(422);
  for (const path of ['/secret-path', '/secret-path/more', '/builds/4711.json'])
    expect((await service.api.send(path)).status).toBe(404);
  const metrics = await scrape(service);
  const uploads = [...metrics.series].filter(([name]) => name.startsWith('coverage_uploads_total'));
  expect(Object.fromEntries(uploads)).toEqual({
    'coverage_uploads_total{outcome="accepted"}': 2,
    'coverage_uploads_total{outcome="repo-token-unknown"}': 1,
    'coverage_uploads_total{outcome="payload-invalid"}': 2,
  });
  const jobs = { method: 'POST', route: '/api/v1/jobs' };
  expect(metrics.sum('coverage_http_requests_total', { ...jobs, status: '200' })).toBe(2);
  expect(metrics.sum('coverage_http_requests_total', { ...jobs, status: '422' })).toBe(3);
  expect(metrics.sum('coverage_http_request_duration_seconds_count', jobs)).toBe(5);
  expect(metrics.sum('coverage_http_requests_total', { route: 'none', status: '404' })).toBe(2);
  const routes = [...metrics.series.keys()].flatMap((key) => /route="([^"]*)"/.exec(key)?.slice(1) ?? []);
  expect(routes.filter((route) => /secret|4711/.test(route))).toEqual([]);
  const text = [...metrics.series.keys()].join('\n');
  expect(text).not.toMatch(/secret-(name|path)|nobody-knows/);
});

test('tell of closes, of calls of git hosts, and of messages that wait and since when', async () => {
  const { service, github } = await startOnGithub();
  const repo = await newRepo(service, github);
  const calm = github.faults.when(({ method }) => (method === 'POST' ? { kind: 'status', status: 503 } : undefined));
  const { build } = await service.upload(job({ repo_token: repo.token }));
  await service.closed(build);
  const provider = 'github';
  const failing = await waitFor(
    async () => {
      const metrics = await scrape(service);
      const failed = metrics.sum('coverage_provider_calls_total', { operation: 'setStatus', outcome: 'transient' });
      return failed === undefined ? undefined : metrics;
    },
    { what: 'a call that failed' },
  );
  expect(failing.sum('coverage_close_duration_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(failing.sum('coverage_close_failures_total')).toBe(0);
  expect(failing.sum('coverage_outbox_messages', { provider, state: 'waiting' })).toBe(1);
  const first = failing.sum('coverage_outbox_oldest_unsent_seconds', { provider }) ?? Number.NaN;
  await service.time.pass(60_000);
  const later = await scrape(service);
  expect(later.sum('coverage_outbox_oldest_unsent_seconds', { provider })).toBeGreaterThanOrEqual(first + 60);
  calm();
  const arrived = await waitFor(
    async () => {
      const metrics = await scrape(service);
      // Time that passes ends the wait for the store too.
      const isMeasured = metrics.sum('coverage_measured', { part: 'store' }) === 1;
      const isEmpty = metrics.sum('coverage_outbox_messages', { provider, state: 'waiting' }) === undefined;
      return isMeasured && isEmpty && metrics;
    },
    { what: 'the status to arrive', meanwhile: service.time.skipPause },
  );
  expect(arrived.sum('coverage_provider_calls_total', { provider, operation: 'setStatus', outcome: 'ok' })).toBe(1);
  expect(arrived.sum('coverage_provider_call_duration_seconds_count', { provider })).toBe(
    arrived.sum('coverage_provider_calls_total', { provider }),
  );
  expect(arrived.sum('coverage_outbox_oldest_unsent_seconds', { provider })).toBeUndefined();
});

test('count closes that fail, and builds that are put off for it', async () => {
  const service = await start({
    changeStore: (store) => ({
      ...store,
      builds: { ...store.builds, close: () => Promise.reject(new Error('cannot be closed')) },
    }),
  });
  const repo = await service.newRepo();
  await service.upload(job({ repo_token: repo.token }));
  const metrics = await waitFor(
    async () => {
      const found = await scrape(service);
      return found.sum('coverage_builds', { state: 'put_off' }) === 1 && found;
    },
    { what: 'the build to be put off' },
  );
  expect(metrics.sum('coverage_close_failures_total')).toBeGreaterThanOrEqual(1);
  expect(metrics.sum('coverage_builds', { state: 'due' })).toBe(0);
});

test('tell of threads and their tasks', async () => {
  const service = await start();
  const repo = await service.newRepo();
  await service.uploadAlone(job({ repo_token: repo.token }));
  const metrics = await scrape(service);
  for (const lane of ['uploads', 'quick-uploads', 'merges', 'reads']) {
    expect(metrics.sum('coverage_tasks_waiting', { lane })).toBe(0);
    expect(metrics.sum('coverage_tasks_running', { lane })).toBe(0);
  }
  expect(metrics.sum('coverage_threads')).toBeGreaterThanOrEqual(1);
  expect(metrics.sum('coverage_thread_memory_bytes', { kind: 'heap' })).toBeGreaterThan(1_000_000);
  expect(metrics.sum('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
});

test('are answered though the store gives no answer, and it is asked once', async () => {
  let asked = 0;
  const stalled = (store: Store): Store => ({
    ...store,
    measure: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  const service = await start({ changeStore: stalled });
  for (let scrapes = 1; scrapes <= 2; scrapes += 1) {
    let isOver = false;
    const scraping = scrape(service).finally(() => {
      isOver = true;
    });
    await waitFor(() => isOver, { what: 'the scrape', meanwhile: () => void service.time.pass(2_000), intervalMs: 5 });
    const metrics = await scraping;
    expect(metrics.sum('coverage_measured', { part: 'store' })).toBe(0);
    expect(metrics.sum('coverage_measured', { part: 'threads' })).toBe(1);
    expect(metrics.sum('coverage_builds')).toBeUndefined();
  }
  expect(asked).toBe(1);
});
