import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { inheritedEnvironment } from '../support/child-process.ts';
import { coverageApi } from '../support/coverage-api.ts';
import { findTool } from '../support/packages/tools.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, 'deploy', path), 'utf8');
const program = join(root, 'server/dist/coverage-service.js');

let server: ServerProcess;
let place = '';
beforeAll(async () => {
  server = await startServer();
  await coverageApi(server.url, server.adminToken).createRepo({ name: 'acme/shop' });
  place = await mkdtemp(join(tmpdir(), 'scheduled-'));
  // As an archive lies in /opt/coverage-service.
  await mkdir(join(place, 'opt/deploy'), { recursive: true });
  await copyFile(join(root, 'deploy/backup.sh'), join(place, 'opt/deploy/backup.sh'));
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(join(place, 'opt/coverage-service'), launcher, { mode: 0o755 });
});
afterAll(async () => {
  await server.dispose();
  await rm(place, { recursive: true, force: true });
});

/** What runs: a command as a shell reads it, and the variables that it is given. */
interface Scheduled {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

const SCHEDULES: readonly (readonly [name: string, backups: string, find: () => Promise<Scheduled>])[] = [
  [
    'the timer’s unit',
    '/var/lib/coverage-backups',
    async () => {
      const unit = await read('systemd/coverage-backup.service');
      const said = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
      return { command: said('ExecStart'), env: {} };
    },
  ],
  [
    'the cron line',
    '/var/lib/coverage-backups',
    async () => {
      const lines = (await read('cron/coverage-backup')).split('\n').filter((line) => /^[^#]/.test(line));
      const [, command = ''] = /^[\d*]+ [\d*]+ \* \* \* coverage-service (.+)$/m.exec(lines.join('\n')) ?? [];
      return { command, env: {} };
    },
  ],
  [
    'the CronJob',
    '/backups',
    async () => {
      const [, job] = parseAllDocuments(await read('kubernetes/backup.yaml')).map((one) => one.toJS());
      const { containers } = job.spec.jobTemplate.spec.template.spec;
      // The image sets it.
      const image = /DATABASE_URL=(\S+)/.exec(await read('Dockerfile'))?.[1] ?? '';
      return { command: containers[0].command.join(' '), env: { DATABASE_URL: image } };
    },
  ],
];

test.each(SCHEDULES)('%s makes a backup that can be restored, and ends old ones', async (name, backups, find) => {
  const folder = join(place, `backups of ${name.replaceAll(/\W+/g, ' ')}`);
  await mkdir(folder);
  for (const [file, days] of [
    ['coverage-old.db', 16],
    ['coverage-new.db', 13],
    ['other-old.db', 16],
  ] as const) {
    await writeFile(join(folder, file), '');
    const at = Date.now() / 1_000 - days * 86_400;
    await utimes(join(folder, file), at, at);
  }
  const { command, env } = await find();
  expect(command).toContain('/deploy/backup.sh ');
  const database = join(server.directory, 'coverage.db');
  const moved = Object.entries(env).map(([variable, value]) => [variable, value.replace(/:\/.*/, `:${database}`)]);
  const settings = join(place, 'environment');
  await writeFile(settings, `DATABASE_URL=sqlite:${database}\n`);
  const line = command
    .replace('/opt/coverage-service', `${place}/opt`)
    .replace(backups, `'${folder}'`)
    .replace('/etc/coverage-service/environment', settings);
  const ran = spawnSync('/bin/sh', ['-c', line], {
    env: { ...inheritedEnvironment(), ...Object.fromEntries(moved) },
    encoding: 'utf8',
  });
  expect(ran, ran.stderr).toMatchObject({ status: 0 });
  const [made = '', ...others] = (await readdir(folder)).sort();
  expect(made).toMatch(/^coverage-\d{8}T\d{6}Z\.db$/);
  expect(others).toEqual(['coverage-new.db', 'other-old.db']);
  const restored = { DATABASE_URL: `sqlite:${join(folder, 'restored/coverage.db')}` };
  await mkdir(join(folder, 'restored'));
  const restore = spawnSync(process.execPath, [program, 'restore', '--make-database', '--from', join(folder, made)], {
    env: { ...inheritedEnvironment(), ...restored },
    encoding: 'utf8',
  });
  expect(restore.stderr).toContain('is restored');
  expect(restore.stdout).toMatch(/^repos +1$/m);
});

test('a backup that fails leaves the old ones', async () => {
  const folder = join(place, 'kept');
  await mkdir(folder);
  await writeFile(join(folder, 'coverage-old.db'), '');
  await utimes(join(folder, 'coverage-old.db'), 1, 1);
  const env = { ...inheritedEnvironment(), DATABASE_URL: `sqlite:${join(place, 'none.db')}` };
  const ran = spawnSync('/bin/sh', [join(place, 'opt/deploy/backup.sh'), folder], { env, encoding: 'utf8' });
  expect(ran.status).not.toBe(0);
  expect(await readdir(folder)).toEqual(['coverage-old.db']);
});

test('the CronJob mounts what the chart makes, and runs as little as its server', async () => {
  const [, job] = parseAllDocuments(await read('kubernetes/backup.yaml')).map((one) => one.toJS());
  const { volumes, securityContext, containers } = job.spec.jobTemplate.spec.template.spec;
  expect(volumes[0]).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'data-coverage-0' } });
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
  expect(containers[0].securityContext).toMatchObject({
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const chart = parse(await read('helm/coverage-service/Chart.yaml')) as { readonly appVersion: string };
  expect(containers[0].image).toMatch(new RegExp(`:${chart.appVersion}$`));
});

const systemd = findTool('systemd-analyze');
test.skipIf(systemd === undefined)('systemd understands the timer and its unit', async () => {
  const folder = join(place, 'units');
  await mkdir(folder);
  const [service, timer] = ['coverage-backup.service', 'coverage-backup.timer'].map((name) => join(folder, name));
  await writeFile(
    service as string,
    (await read('systemd/coverage-backup.service')).replaceAll('/opt/coverage-service', folder),
  );
  await writeFile(timer as string, await read('systemd/coverage-backup.timer'));
  const { status, stdout, stderr } = spawnSync(
    systemd as string,
    ['verify', '--man=no', timer as string, service as string],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stdout + stderr]).toEqual([0, '']);
});
