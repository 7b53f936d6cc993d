// Node of a platform: the one that is installed, or fetched by npm and checked against package-lock.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from './production-modules.ts';

export interface NodeBinary {
  readonly version: string;
  readonly path: string;
  readonly license: string;
}

export function findNode(root: string, lock: Lock, platform: string): NodeBinary {
  const name = `node-${platform}`;
  const locked = lock[`node_modules/${name}`];
  if (locked?.integrity === undefined) throw new Error(`package-lock.json has no ${name}.`);
  const installed = join(root, 'node_modules', name);
  const folder = existsSync(join(installed, 'bin/node')) ? installed : fetchNode(root, name, locked);
  const license = readFileSync(join(folder, 'LICENSE'), 'utf8');
  return { version: locked.version, path: join(folder, 'bin/node'), license };
}

function fetchNode(
  root: string,
  name: string,
  { version, integrity }: { readonly version: string; readonly integrity?: string },
): string {
  const kept = join(root, '.cache', 'node', `${name}-${version}`);
  if (existsSync(join(kept, 'package/bin/node'))) return join(kept, 'package');
  mkdirSync(kept, { recursive: true });
  console.error(`fetching ${name} ${version}`);
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', kept]);
  const file = join(kept, `${name}-${version}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name} ${version} is not what package-lock.json names: ${found}`);
  run('tar', ['-xzf', file, '-C', kept, 'package/bin/node', 'package/LICENSE']);
  return join(kept, 'package');
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
