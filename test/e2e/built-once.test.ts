import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inheritedEnvironment, startChild } from '../support/child-process.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const BUILD =
  "node -e \"fs.mkdirSync('server/dist',{recursive:true});['main.js','docs.json']" +
  ".forEach((file)=>fs.writeFileSync('server/dist/'+file,''))\"";
let checkout = '';

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'checkout-'));
  for (const folder of ['scripts', 'docs', 'shared/src', 'server/src', 'node_modules/typescript'])
    await mkdir(join(checkout, folder), { recursive: true });
  for (const name of ['ensure-built.mjs', 'check-runtime.mjs'])
    await cp(join(scripts, name), join(checkout, 'scripts', name));
  for (const file of [
    'server/tsconfig.json',
    'tsconfig.base.json',
    'package-lock.json',
    'server/src/main.ts',
    'server/src/old.ts',
  ])
    await writeFile(join(checkout, file), '');
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ scripts: { build: BUILD } }));
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

async function ensureBuilt() {
  const script = join(checkout, 'scripts/ensure-built.mjs');
  const child = startChild({ script, cwd: checkout, env: inheritedEnvironment() });
  const { code } = await child.end;
  return { code, said: child.lines };
}

/** Longer ago than any change that a test makes. */
async function age(path: string): Promise<void> {
  await utimes(join(checkout, path), 1, 1);
}

test('the first start builds and says so; later ones do not, until a source changes or goes', async () => {
  const first = { code: 0, said: ['Building the server, once, since nothing is built yet.'] };
  expect(await ensureBuilt()).toEqual(first);
  expect(await ensureBuilt()).toEqual({ code: 0, said: [] });

  const again = { code: 0, said: ['Building the server, once, since its sources have changed.'] };
  await age('server/dist/main.js');
  expect(await ensureBuilt()).toEqual(again);
  expect(await ensureBuilt()).toEqual({ code: 0, said: [] });
  await rm(join(checkout, 'server/src/old.ts'));
  const future = Date.now() / 1_000 + 60;
  await utimes(join(checkout, 'server/src'), future, future);
  expect(await ensureBuilt()).toEqual(again);
});

test('without what builds it, what is built is run; where nothing is, one sentence says what to do', async () => {
  await rm(join(checkout, 'node_modules/typescript'), { recursive: true });
  const { code, said } = await ensureBuilt();
  expect([code, said.length]).toEqual([1, 1]);
  expect(said[0]).toMatch(/take the archive of a release.* or run `npm ci`\.$/);

  await mkdir(join(checkout, 'server/dist'));
  await writeFile(join(checkout, 'server/dist/main.js'), '');
  expect(await ensureBuilt()).toEqual({ code: 0, said: [] });
});
