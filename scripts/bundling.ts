import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type LogLevel, type OutputChunk, type Plugin, type RolldownLog, rolldown } from 'rolldown';

/**
 * Loading the toolkit's modules only defines things, which their package.json does not say. Said here, it lets the
 * bundler leave out the HTTP client, undici and Octokit, which nothing here uses: 93 KB instead of 930.
 */
const PURE_PACKAGES =
  /node_modules\/(?:@actions|@octokit|undici|tunnel|before-after-hook|universal-user-agent|json-with-bigint)\//;

/**
 * What server/dist loads as packages: they find files of their own beside them, or are loaded only where they are
 * needed. An archive holds these, and what they need.
 */
export const APART_PACKAGES: readonly string[] = ['mongodb', 'pino-pretty', 'piscina', 'shiki'];

export interface Bundling {
  /** The repo's root. */
  readonly root: string;
  /** The first module. */
  readonly input: string;
  /** What stands for a name in the sources. */
  readonly define?: Record<string, string>;
  readonly plugins?: readonly Plugin[];
  /** As a module, or as a function's body with `exports` and `require`. */
  readonly format?: 'esm' | 'cjs';
}

/** Everything that a module needs as one readable file. */
export async function buildChunk({
  root,
  input,
  define = {},
  plugins = [],
  format = 'esm',
}: Bundling): Promise<OutputChunk> {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    tsconfig: false,
    transform: { define },
    plugins: [...plugins],
    treeshake: { moduleSideEffects: (id) => !PURE_PACKAGES.test(id) },
    // A slow machine is no fault of the sources.
    checks: { bundlerTimings: false },
    onLog: failOnWarning,
  });
  // Readable, so that a review of the file is possible; nobody starts it faster when it is minified.
  const { output } = await bundle.generate({
    format,
    codeSplitting: false,
    minify: false,
    comments: false,
  });
  await bundle.close();
  const [chunk, ...rest] = output;
  if (rest.length > 0) throw new Error(`It has to be one file, but the bundler made ${output.length}.`);
  return chunk;
}

export function failOnWarning(level: LogLevel, { message }: RolldownLog): void {
  if (level === 'warn') throw new Error(`The bundler warns: ${message}`);
}

/** The packages of which any code is in the bundle, as folders, sorted. */
export function bundledPackages(...chunks: readonly OutputChunk[]): string[] {
  const used = chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([, module]) => module.renderedLength > 0);
  const folders = used.map(([id]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]);
  return [...new Set(folders.filter((path) => path !== undefined))].sort();
}

/** The notices of these packages. Throws if one has no license file. */
export function licenseNotices(packages: readonly string[], { root, file }: { root: string; file: string }): string {
  const notices = packages.map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const notice = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (notice === undefined)
      throw new Error(`${relative(root, path)} has no license file, and its code is in the bundle.`);
    return (
      `${name} ${version} ` +
      `(${license})\n\n${readFileSync(join(path, notice), 'utf8').replaceAll('\r\n', '\n').trim()}\n`
    );
  });
  return `Packages whose code is part of ${file}, with their licenses.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
