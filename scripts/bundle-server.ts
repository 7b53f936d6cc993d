import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { APART_PACKAGES, failOnWarning } from './bundling.ts';

/*
 * Builds server/dist: the server, its commands and its threads, each with its own name, and what they share in chunks/.
 * A start reads 57 files instead of 1,100, which took more than half of its time. It is not committed.
 */

const server = join(dirname(fileURLToPath(import.meta.url)), '..', 'server');
const sources = join(server, 'src');
const folder = join(server, 'dist');

/** What a process or a thread is started with. */
const ENTRIES = ['main.ts', 'coverage-service.ts', 'cli/*.ts', '**/*-thread.ts'];
/** A module's own address stays what it is in the sources, whatever chunk it comes to lie in. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta.url')) return undefined;
    const path = relative(sources, id).replace(/\.tsx?$/, '.js');
    return code.replaceAll('import.meta.url', `new URL("@dist@/${path}", import.meta.url).href`);
  },
  renderChunk(code, { fileName }) {
    const up = relative(dirname(fileName), '.') || '.';
    // V8 keeps a text with one character beyond Latin-1 in two bytes a character.
    return code.replaceAll('"@dist@/', `"${up}/`).replace(/[\u0080-\uffff]/g, escaped);
  },
};

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const inputs = globSync(ENTRIES, { cwd: sources }).map((file) => [file.slice(0, -'.ts'.length), join(sources, file)]);
const bundle = await rolldown({
  input: Object.fromEntries(inputs),
  cwd: server,
  platform: 'node',
  tsconfig: join(server, 'tsconfig.json'),
  external: (id) => APART_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [keepPlaces],
  // A slow machine is no fault of the sources; `depd` evaluates a function that takes any number of arguments.
  checks: { bundlerTimings: false, eval: false },
  onLog: failOnWarning,
});
mkdirSync(folder, { recursive: true });
const unfinished = mkdtempSync(join(server, '.dist-'));
const { output } = await bundle.write({
  dir: unfinished,
  format: 'esm',
  minify: false,
  comments: false,
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await bundle.close();
// Entries last: a server or a test that starts at the same time finds what they import.
const files = output.map(({ fileName }) => fileName);
const isChunk = (file: string): boolean => file.startsWith('chunks/');
for (const file of files.toSorted((a, b) => Number(isChunk(b)) - Number(isChunk(a)))) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  renameSync(join(unfinished, file), join(folder, file));
}
rmSync(unfinished, { recursive: true });
for (const file of globSync('**/*.{js,js.map}', { cwd: folder })) if (!files.includes(file)) rmSync(join(folder, file));
