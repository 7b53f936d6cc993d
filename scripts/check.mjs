// Runs the parts of `npm run check` side by side, and prints what each wrote when it has ended; exit 1 where one fails.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import './check-runtime.mjs';

/** Scripts of package.json, the longest first. */
const PARTS = ['lint', 'types', 'unused', 'layers', 'columns', 'messages', 'citations', 'bundle'];

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const failed = [];
const waiting = [...PARTS];

/** Ends with true if the part found nothing. */
function run(part) {
  const child = spawn(scripts[part], { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = [];
  child.stdout.on('data', (text) => written.push(text));
  child.stderr.on('data', (text) => written.push(text));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(written));
      resolve(code === 0);
    });
  });
}

async function work() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift())
    if (!(await run(part))) failed.push(part);
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
if (failed.length > 0) {
  console.error(`Failed: ${failed.map((part) => `npm run ${part}`).join(', ')}`);
  process.exitCode = 1;
}
