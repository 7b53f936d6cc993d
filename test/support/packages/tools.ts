import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.18.4';

/** On PATH, or undefined. */
export function findTool(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Whether a test has what it needs. What is missing is said, and with REQUIRE_CLIENTS=1, as in CI, it is a failure. */
export function isHere(found: boolean, missing: string): boolean {
  if (!found && process.env.REQUIRE_CLIENTS === '1') throw new Error(`REQUIRE_CLIENTS=1, but ${missing}.`);
  if (!found) console.error(`Not tested: ${missing}.`);
  return found;
}

/** On PATH, or built once into .cache/bin where there is Go; that takes minutes. */
export function findHelm(): string | undefined {
  const kept = join(root, '.cache/bin/helm');
  const found = findTool('helm') ?? (existsSync(kept) ? kept : undefined);
  if (found !== undefined) return found;
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOBIN: join(root, '.cache/bin') };
  spawnSync('go', ['install', HELM], { env, stdio: 'ignore', timeout: 900_000 });
  return existsSync(kept) ? kept : undefined;
}
