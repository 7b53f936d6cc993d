import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIG_VARIABLES } from '../../server/src/config/variables.ts';
import { findHelm, findTool, isHere } from '../support/packages/tools.ts';
import { findProxy, writeNginxConfig } from '../support/run-proxy.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(deploy, path), 'utf8');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function call(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, said: stdout + stderr, stdout };
}

describe('the systemd unit', () => {
  const systemd = findTool('systemd-analyze');
  const hasSystemd = isHere(systemd !== undefined, 'systemd-analyze is missing (apt-get install systemd)');

  test.skipIf(!hasSystemd)('is understood, and its sandbox scores below 2.0', async () => {
    const unit = join(folder, 'coverage-service.service');
    await writeFile(unit, (await read('systemd/coverage-service.service')).replace(/^(ExecStart=)\S+/m, '$1/bin/true'));
    expect(call(systemd as string, ['verify', '--man=no', unit])).toMatchObject({ status: 0, said: '' });
    const { said } = call(systemd as string, ['security', '--offline=true', '--threshold=20', '--no-pager', unit]);
    const score = Number(/Overall exposure level for \S+ (\d+\.\d+)/.exec(said)?.[1]);
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThan(2);
  });
});

interface Rendered {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly securityContext: object; readonly containers: readonly object[] } };
  };
}

describe('the Helm chart', () => {
  let helm: string | undefined;
  const chart = join(deploy, 'helm/coverage-service');
  const needed = 'baseUrl=https://coverage.example,existingSecret=coverage';
  beforeAll(() => {
    helm = findHelm();
    // Debian has no package of it.
    if (helm === undefined) console.error('Neither helm nor Go is here: the Helm chart was not rendered.');
  }, 1_000_000);

  function render(values: string): readonly Rendered[] {
    const { status, stdout, said } = call(helm as string, ['template', 'shop', chart, '--set', values]);
    expect(status, said).toBe(0);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
  }

  test('is one server with a volume on SQLite, without root on a file system that is read-only', (context) => {
    context.skip(helm === undefined);
    expect(call(helm as string, ['lint', chart, '--strict', '--set', needed])).toMatchObject({ status: 0 });
    const found = render(`${needed},ingress.enabled=true,ingress.tlsSecret=tls`);
    expect(found.map(({ kind }) => kind).sort()).toEqual(['Ingress', 'Service', 'StatefulSet']);
    const { spec } = found.find(({ kind }) => kind === 'StatefulSet') as Rendered;
    expect(spec).toMatchObject({ replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    expect(spec.template.spec.containers).toMatchObject([
      {
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        envFrom: [{ secretRef: { name: 'coverage' } }],
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
      },
    ]);
  });

  test('is several equal servers on MongoDB; what cannot run is refused with a sentence', (context) => {
    context.skip(helm === undefined);
    const found = render(`${needed},database=mongodb,replicas=3`);
    expect(found.find(({ kind }) => kind === 'Deployment')).toMatchObject({ spec: { replicas: 3 } });
    const refused = (values: string) => call(helm as string, ['template', 'shop', chart, '--set', values]).said;
    expect(refused(`${needed},replicas=2`)).toContain('SQLite takes one server');
    expect(refused('existingSecret=coverage')).toContain('set baseUrl');
    expect(refused('baseUrl=https://coverage.example')).toContain('set existingSecret');
  });
});

describe('the proxies', () => {
  const caddy = findProxy('caddy');
  const nginx = findProxy('nginx');
  const openssl = findTool('openssl');
  const hasOpenssl = isHere(openssl !== undefined, 'openssl is missing (apt-get install openssl)');

  test.skipIf(caddy === undefined)('Caddy takes its example, for one server and for two', async () => {
    const config = join(deploy, 'caddy/Caddyfile');
    for (const servers of ['server:8080', 'server-a:8080 server-b:8080']) {
      const env = { COVERAGE_HOST: 'coverage.example', COVERAGE_SERVERS: servers, HOME: folder };
      const args = ['validate', '--adapter', 'caddyfile', '--config', config];
      expect(call(caddy as string, args, env)).toMatchObject({ status: 0 });
    }
  });

  test.skipIf(nginx === undefined || !hasOpenssl)('nginx takes its example', async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=coverage.example'];
    call(openssl as string, [...request, '-keyout', key, '-out', certificate]);
    const site = (await read('nginx/coverage-service.conf'))
      .replace('/etc/ssl/coverage.example.crt', certificate)
      .replace('/etc/ssl/coverage.example.key', key);
    const config = await writeNginxConfig(folder, site);
    expect(call(nginx as string, ['-t', '-c', config])).toMatchObject({ status: 0 });
  });
});

test('compose files take a file system that is read-only, and settings that the server has', async () => {
  const names = new Set(CONFIG_VARIABLES.map(({ name }) => name as string));
  const files = (await readdir(deploy)).filter((name) => name.startsWith('compose.'));
  expect(files.sort()).toEqual(['compose.mongodb.yml', 'compose.sqlite.yml']);
  for (const file of files) {
    const { services } = parse(await read(file)) as { services: Record<string, Record<string, object>> };
    const servers = Object.entries(services).filter(([name]) => name.startsWith('server'));
    expect(servers).toHaveLength(file.includes('mongodb') ? 2 : 1);
    for (const [, server] of servers) {
      expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(Object.keys(server.environment ?? {}).filter((name) => !names.has(name))).toEqual([]);
    }
  }
});
