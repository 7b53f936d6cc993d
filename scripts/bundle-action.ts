import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

/*
 * Builds action/dist: main.js, the one file that `uses:` runs, and LICENSES.txt, the notices of the packages in it.
 * Both are committed. With --check nothing is written: exit 1 where the committed files are not what the sources build,
 * byte for byte.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'action', 'dist');

/**
 * Loading the toolkit's modules only defines things, which their package.json does not say. Said here, it lets the
 * bundler leave out the HTTP client, undici and Octokit, which nothing here uses: 93 KB instead of 930.
 */
const PURE_PACKAGES =
  /node_modules\/(?:@actions|@octokit|undici|tunnel|before-after-hook|universal-user-agent|json-with-bigint)\//;

async function buildChunk(): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: join(root, 'action', 'src', 'main.ts'),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    treeshake: { moduleSideEffects: (id) => !PURE_PACKAGES.test(id) },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`The bundler warns: ${log.message}`);
    },
  });
  // Readable, so that a review of the committed file is possible; the runner does not start it faster when it is
  // minified.
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: false, comments: false });
  await bundle.close();
  const [chunk, ...rest] = output;
  if (rest.length > 0) throw new Error(`The action has to be one file, but the bundler made ${output.length}.`);
  return chunk;
}

/** The packages of which any code is in the bundle, as folders, sorted. */
function bundledPackages(chunk: OutputChunk): string[] {
  const used = Object.entries(chunk.modules).filter(([, module]) => module.renderedLength > 0);
  const folders = used.map(([id]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]);
  return [...new Set(folders.filter((path) => path !== undefined))].sort();
}

function licenceNotices(packages: readonly string[]): string {
  const notices = packages.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined)
      throw new Error(`${relative(root, path)} has no licence file, and its code is in the bundle.`);
    return (
      `${name} ${version} ` +
      `(${license})\n\n${readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n').trim()}\n`
    );
  });
  return `Packages whose code is part of main.js, with their licences.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

const chunk = await buildChunk();
const packages = bundledPackages(chunk);
const files = { 'main.js': chunk.code, 'LICENSES.txt': licenceNotices(packages) };
const size = `${(Buffer.byteLength(chunk.code) / 1000).toFixed(1)} KB`;

if (process.argv.includes('--check')) {
  const stale = Object.entries(files)
    .filter(([name, text]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== text)
    .map(([name]) => `action/dist/${name}`);
  if (stale.length > 0) {
    console.error(
      `Not what the sources build: ${stale.join(' and ')}. Run "npm run build:action" and commit the result.`,
    );
    process.exit(1);
  }
  console.log(`action/dist is what the sources build (${size}).`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(`action/dist/main.js: ${size}, with code of ${packages.length} packages.`);
}
