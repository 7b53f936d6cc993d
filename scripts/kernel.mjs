// `npm run kernel` compiles tools/kernel to server/src/reports/kernel/kernel-bytes.ts; with --check it only compares.
// The compiler is large, so it has a lockfile of its own and is installed when it is asked for.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = join(root, 'tools/kernel');
const target = join(root, 'server/src/reports/kernel/kernel-bytes.ts');

if (!existsSync(join(tool, 'node_modules'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tool, stdio: 'inherit' });
}
const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
try {
  const file = join(folder, 'kernel.wasm');
  const compiler = join(tool, 'node_modules/assemblyscript/bin/asc.js');
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--outFile', file];
  execFileSync(process.execPath, [compiler, 'assembly/index.ts', ...options], { cwd: tool, stdio: 'inherit' });
  const bytes = readFileSync(file);
  const text = sourceOf(bytes);
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(
      'server/src/reports/kernel/kernel-bytes.ts is not what tools/kernel compiles to: run `npm run kernel`.',
    );
    process.exitCode = 1;
  }
  console.log(`kernel: ${bytes.length} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}

function sourceOf(bytes) {
  const lines = bytes.toString('base64').match(/.{1,100}/g) ?? [];
  return [
    '/** The compiled tools/kernel, as base64: made by `npm run kernel`. */',
    'export const KERNEL_BYTES = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('');",
    '',
  ].join('\n');
}
