import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, startChild } from './child-process.ts';
import { freePort } from './free-port.ts';
import { findTool, isHere } from './packages/tools.ts';
import { waitFor } from './wait-for.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** A real proxy with its file of deploy/, in front of servers of this machine. */
export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}

export const PROXIES = ['caddy', 'nginx'] as const;
export type ProxyKind = (typeof PROXIES)[number];

/** A program that is there. */
export interface FoundProxy {
  readonly kind: ProxyKind;
  readonly program: string;
}

/** The program; undefined if it is missing. */
export function findProxy(kind: ProxyKind): string | undefined {
  const found = findTool(kind);
  return isHere(found !== undefined, `${kind} is missing (apt-get install ${kind})`) ? found : undefined;
}

/** `at`: where it listens, if that has to be known before. */
export async function startProxy(
  kind: ProxyKind,
  program: string,
  ports: readonly number[],
  at?: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `${kind}-`));
  const place = { folder, port: at ?? (await freePort()), ports };
  const { args, env } = kind === 'caddy' ? await setUpCaddy(place) : await setUpNginx(place);
  const child = startChild({ program, args, cwd: folder, env: { ...inheritedEnvironment(), HOME: folder, ...env } });
  const url = `http://127.0.0.1:${place.port}`;
  const stop = async (): Promise<void> => {
    child.signal('SIGTERM');
    await child.end;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(async () => (await fetch(`${url}/healthz`)).ok, { what: `${kind} to lead to a server` });
  } catch (error) {
    await stop();
    throw new Error(`${kind} did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
  return { url, stop };
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly ports: readonly number[];
}

async function setUpCaddy({ port, ports }: Place) {
  return {
    args: ['run', '--adapter', 'caddyfile', '--config', join(deploy, 'caddy/Caddyfile')],
    env: {
      COVERAGE_HOST: `http://127.0.0.1:${port}`,
      COVERAGE_SERVERS: ports.map((one) => `127.0.0.1:${one}`).join(' '),
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    },
  };
}

async function setUpNginx({ folder, port, ports }: Place) {
  const site = (await readFile(join(deploy, 'nginx/coverage-service.conf'), 'utf8'))
    .replace(/^server \{\n\tlisten 80;.*?^\}\n/ms, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/^\tssl_\w+ .*\n/gm, '')
    .replace(/^\tserver 127\.0\.0\.1:8080(.*;)$/m, (_, how) =>
      ports.map((one) => `server 127.0.0.1:${one}${how}`).join('\n'),
    );
  return { args: ['-g', 'daemon off;', '-c', await writeNginxConfig(folder, site)], env: {} };
}

/** The main file of an nginx that writes to `folder` alone, around a file for conf.d. */
export async function writeNginxConfig(folder: string, site: string): Promise<string> {
  await mkdir(join(folder, 'temp'), { recursive: true });
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/temp;`);
  // If root runs it, workers belong to another user, who cannot open the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const path = join(folder, 'nginx.conf');
  await writeFile(
    path,
    `${user} pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temps.join(' ')} ${site} }`,
  );
  return path;
}
