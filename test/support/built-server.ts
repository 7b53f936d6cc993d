import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Builds the server before tests that start it, where it is missing or older than its sources. */
export default function setup(): void {
  const madeAt = statSync(`${root}server/dist/main.js`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(['{server,shared}/src/**/*.{ts,tsx}', 'package-lock.json'], { cwd: root });
  if (sources.some((file) => !/\.test\.tsx?$/.test(file) && statSync(root + file).mtimeMs > madeAt))
    execFileSync(process.execPath, ['scripts/bundle-server.ts'], { cwd: root, stdio: 'inherit' });
}
