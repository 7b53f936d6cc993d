// Makes an archive for each platform: the built server, the modules that it needs, and Node. Beside them the command
// that the server hands out, as it is in each of them.
//   npm run package -- [--platform linux-x64] [--to packages]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APART_PACKAGES } from './bundling.ts';
import { findNode } from './package/node-binary.ts';
import { billOfMaterials, thirdPartyNotices } from './package/papers.ts';
import { findModules, moduleFiles, readLock } from './package/production-modules.ts';
import { type Entry, writeArchive } from './package/tar.ts';

const PLATFORMS = ['linux-x64', 'linux-arm64'];
const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { platform: { type: 'string', multiple: true }, to: { type: 'string' } } });
const to = resolve(values.to ?? join(root, 'packages'));
const lock = readLock(root);
const modules = findModules(lock);

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function serverFiles(): readonly Entry[] {
  const built = filesBelow('server/dist').filter((file) => /\.m?js$|\/docs\.json$/.test(file));
  return [...built, ...filesBelow('server/assets'), 'server/package.json'].map((file) => ({
    path: `lib/${file}`,
    content: join(root, file),
  }));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function makeArchive(platform: string): Promise<void> {
  const { version } = lock[''] as { readonly version: string };
  const commit = git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  const time = Number(git('log', '-1', '--format=%ct'));
  const node = findNode(root, lock, platform);
  const described = { root, version, commit, time, modules, node: { ...node, platform } };
  const text = (path: string, content: string): Entry => ({ path, content: Buffer.from(content) });
  const bill = billOfMaterials(described);
  const entries = [
    { path: 'coverage-service', content: join(root, 'scripts/package/launcher.sh'), isProgram: true },
    { path: 'bin/node', content: node.path, isProgram: true },
    text('lib/build.json', `${JSON.stringify({ commit, platform })}\n`),
    text('lib/package.json', `${JSON.stringify({ name: 'coverage-service', version, private: true })}\n`),
    text('sbom.cdx.json', bill),
    text('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(described)),
    ...['LICENSE', 'CHANGELOG.md', ...filesBelow('deploy')].map((path) => ({ path, content: join(root, path) })),
    ...serverFiles(),
    // The code of the others is in server/dist.
    ...findModules(lock, APART_PACKAGES).flatMap((one) => moduleFiles(root, one)),
  ];
  const folder = `coverage-service-${version}-${platform}`;
  const file = join(to, `${folder}.tar.gz`);
  await writeArchive(file, { folder, time, entries });
  writeFileSync(`${file}.sha256`, `${await digestOf(file)}  ${folder}.tar.gz\n`);
  writeFileSync(join(to, `${folder}.sbom.cdx.json`), bill);
  const unpacked = entries.reduce((sum, { content }) => sum + sizeOf(content), 0);
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${file}: ${mb(statSync(file).size)}, ${mb(unpacked)} unpacked (Node ${mb(statSync(node.path).size)})`);
}

function sizeOf(content: Entry['content']): number {
  return typeof content === 'string' ? statSync(content).size : content.length;
}

mkdirSync(to, { recursive: true });
for (const platform of values.platform ?? PLATFORMS) await makeArchive(platform);
copyFileSync(join(root, 'server/dist/cli.mjs'), join(to, 'cli.mjs'));
