import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = fileURLToPath(new URL('../../server/dist/cli.mjs', import.meta.url));

let building: Promise<string> | undefined;

/** The path of the command, built where it is missing or older than its sources; once for all tests of a worker. */
export function builtCommand(): Promise<string> {
  building ??= isCurrent() ? Promise.resolve(built) : build();
  return building;
}

function isCurrent(): boolean {
  const madeAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync('{action,shared}/src/**/*.ts', { cwd: root }).every((file) => statSync(root + file).mtimeMs < madeAt);
}

async function build(): Promise<string> {
  await promisify(execFile)(process.execPath, ['scripts/bundle-command.ts'], { cwd: root });
  return built;
}
