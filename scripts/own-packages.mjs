import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what a folder with a lockfile of its own needs, unless that was done since the lockfile changed. */
export function installOwnPackages(folder, env = process.env) {
  // npm writes this file at the end of an install.
  const mark = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return;
  const args = ['ci', '--no-audit', '--no-fund', '--workspaces=false'];
  execFileSync('npm', args, { cwd: folder, env, stdio: 'inherit' });
}
