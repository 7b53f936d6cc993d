import { createHash } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool, runWell } from './run-tool.ts';

/** A client that tests install from its registry, once. */
export interface ClientKit {
  /** With the version, which makes it a folder of its own in the cache. */
  readonly name: string;
  /** What must be there already, each with arguments that make it say its version. */
  readonly tools: readonly (readonly [command: string, ...args: string[]])[];
  /** Puts the client into an empty folder. */
  readonly install: (directory: string) => Promise<void>;
}

/** The folder that a client is in, or why there is none. */
export type InstalledClient = { readonly directory: string } | { readonly missing: string };

/** Git ignores it; remove it to install again. */
const cache = fileURLToPath(new URL('../../../.cache/clients/', import.meta.url));

/**
 * Installs a client where that has not been done yet. One that cannot be had is no failure: the answer says why, in one
 * line.
 */
export async function installClient(kit: ClientKit): Promise<InstalledClient> {
  try {
    return { directory: await findOrInstall(kit, await folderOf(kit)) };
  } catch (error) {
    const why = (error as Error).message.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
    const missing = `${kit.name} cannot be had on this machine (${why})`;
    console.warn(`Skipped: ${missing}.`);
    return { missing };
  }
}

/**
 * Another version of a tool (Python, Go, ...) gets another folder: what was built for the old one may not run on it.
 */
async function folderOf({ name, tools }: ClientKit): Promise<string> {
  const versions = createHash('sha256');
  for (const [command, ...args] of tools) {
    const run = await runTool(command, args, { cwd: '/' }).catch(() => undefined);
    if (run?.code !== 0) throw new Error(`${command} is missing`);
    versions.update(run.output);
  }
  return join(cache, `${name}-${versions.digest('hex').slice(0, 8)}`);
}

async function findOrInstall({ install }: ClientKit, directory: string): Promise<string> {
  if (await exists(directory)) return directory;
  // Made elsewhere and moved, so that what is there is whole.
  const half = `${directory}.${process.pid}.part`;
  try {
    await mkdir(half, { recursive: true });
    await install(half);
    await rename(half, directory);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!(await exists(directory))) throw error;
  }
  return directory;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** One step of an installation. */
export async function installStep(
  cwd: string,
  env: Readonly<Record<string, string>>,
  command: string,
  ...args: readonly string[]
): Promise<void> {
  await runWell(command, args, { cwd, env, inheritAll: true, timeout: 170_000 });
}
