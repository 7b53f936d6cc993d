import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../support/packages/tools.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** For Debian's slim image, what the archive uses: a shell, and the libraries of Node. */
const PACKAGES = ['base-files', 'dash', 'libc6', 'gcc-12-base', 'libgcc-s1', 'libstdc++6'];

/** What deploy/Dockerfile says of its last stage. */
export interface ImageSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

export function readDockerfile(): ImageSettings {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .pop() as string;
  const said = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const env = Object.fromEntries(
    said('ENV')
      .split(' ')
      .map((one) => one.split(/=(.*)/).slice(0, 2) as [string, string]),
  );
  const command = [...JSON.parse(said('ENTRYPOINT')), ...JSON.parse(said('CMD'))] as string[];
  const healthcheck = JSON.parse(said('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[];
  return { env, user: said('USER'), workdir: said('WORKDIR'), command, healthcheck };
}

/** Why no root file system can be made and run here; undefined: it can. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'this is not root';
  const missing = ['apt-get', 'dpkg-deb', 'unshare', 'chroot', 'mount'].find((name) => findTool(name) === undefined);
  return missing === undefined ? undefined : `${missing} is missing`;
}

export interface ImageRoot {
  /** Runs a command in it: as the image's user, all read-only but /data and /tmp. */
  command(args: readonly string[]): { readonly program: string; readonly args: readonly string[] };
  readonly data: string;
  dispose(): Promise<void>;
}

/** Debian's packages and an archive, as the image has them; nothing of this machine is in it. */
export function makeImageRoot(archiveFile: string): ImageRoot {
  const { user, workdir } = readDockerfile();
  const parent = mkdtempSync(join(tmpdir(), 'image-'));
  const [top, data] = [join(parent, 'root'), join(parent, 'data')];
  for (const name of ['data', 'dev', 'proc', 'tmp', 'opt/coverage-service'])
    mkdirSync(join(top, name), { recursive: true });
  for (const file of debianPackages()) execFileSync('dpkg-deb', ['-x', file, top]);
  execFileSync('tar', ['-xzf', archiveFile, '--strip-components=1', '-C', join(top, 'opt/coverage-service')]);
  mkdirSync(data);
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  chownSync(data, uid, gid);
  for (const folder of [parent, top]) chmodSync(folder, 0o755);
  const script = [
    'set -e; mount --make-rprivate /',
    'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"',
    'mount --bind /dev "$1/dev"; mount --bind /proc "$1/proc"; mount -t tmpfs tmpfs "$1/tmp"',
    'mount --bind "$2" "$1/data"; root=$1; shift 2',
    `exec chroot --userspec=${user} "$root" /bin/sh -c 'cd ${workdir} && exec "$@"' sh "$@"`,
  ].join('\n');
  return {
    command: (args) => ({
      program: findTool('unshare') as string,
      args: ['--mount', '/bin/sh', '-c', script, 'sh', top, data, ...args],
    }),
    data,
    dispose: () => rm(parent, { recursive: true, force: true }),
  };
}

/** Fetched by apt-get, once. */
function debianPackages(): readonly string[] {
  const kept = join(root, '.cache/debian');
  mkdirSync(kept, { recursive: true });
  const missing = PACKAGES.filter((name) => !readdirSync(kept).some((file) => file.startsWith(`${name}_`)));
  if (missing.length > 0) execFileSync('apt-get', ['download', ...missing], { cwd: kept, stdio: 'ignore' });
  return readdirSync(kept).map((file) => join(kept, file));
}
