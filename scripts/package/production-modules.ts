// The packages that the server needs at run time, as package-lock.json resolves them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './tar.ts';

export interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Module extends LockedPackage {
  readonly name: string;
  /** Where npm put it, from the root of the checkout: node_modules/koa, server/node_modules/undici. */
  readonly path: string;
}

export type Lock = Readonly<Record<string, LockedPackage>>;

/** Licenses of modules that an archive may hold. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
/** What runs, what is read, and what must go along. */
const KEPT = /\.(?:js|cjs|mjs|json|node|wasm)$|^(?:licen[cs]e|notice|copying)/i;

export function readLock(root: string): Lock {
  return (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Lock }).packages;
}

/**
 * Those of the server, or of some of its dependencies. Without optional packages, which the server runs without; our
 * own are links, of which only types are used.
 */
export function findModules(lock: Lock, some?: readonly string[]): readonly Module[] {
  const found = new Map<string, Module>();
  const add = (from: string): void => {
    for (const name of Object.keys(lock[from]?.dependencies ?? {})) {
      if (from === 'server' && some?.includes(name) === false) continue;
      const path = resolveFrom(lock, from, name);
      const locked = lock[path] as LockedPackage;
      if (locked.link === true || found.has(path)) continue;
      found.set(path, { ...locked, name, path });
      add(path);
    }
  };
  add('server');
  const modules = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const refused = modules.filter(({ license = '' }) => !ALLOWED.includes(license));
  if (refused.length > 0)
    throw new Error(
      `Licenses that are not allowed: ${refused.map((one) => `${one.path} (${one.license})`).join(', ')}`,
    );
  return modules;
}

function resolveFrom(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = folder.replace(/\/?[^/]*$/, '')) {
    const path = [folder, 'node_modules', name].filter(Boolean).join('/');
    if (lock[path] !== undefined) return path;
    if (folder === '') throw new Error(`package-lock.json has no ${name}, which ${from} needs.`);
  }
}

/** The files of a module that are of use at run time; those of modules in it are their own. */
export function moduleFiles(root: string, { path }: Module): readonly Entry[] {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && KEPT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.slice(path.length).includes('/node_modules/'))
    .map((file) => ({ path: `lib/${file}`, content: join(root, file) }));
}
