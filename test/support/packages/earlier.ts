import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../child-process.ts';
import { makeArchive } from './archive.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** The last release before this commit. */
export function findRelease(): string | undefined {
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1').stdout.trim() || undefined;
}

/** The last release, or the commit before this one; undefined in a checkout without history. */
export function findEarlierCommit(): string | undefined {
  return findRelease() ?? (git('rev-parse', '--verify', '--quiet', 'HEAD~1').stdout.trim() || undefined);
}

export function hasCommit(commit: string): boolean {
  return git('cat-file', '-e', `${commit}^{commit}`).status === 0;
}

const hasFile = (commit: string, path: string): boolean => git('cat-file', '-e', `${commit}:${path}`).status === 0;

export interface EarlierServer {
  /** Its built main.js. */
  readonly script: string;
  dispose(): Promise<void>;
}

/** Builds the server of a commit in a folder of its own, on the packages that are installed here. */
export function buildEarlierServer(commit: string): EarlierServer {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-server-'));
  // Since 0.2.0 a bundler makes what is run; before, the compiler did.
  const bundler = ['scripts/bundle-server.ts', 'scripts/bundling.ts'].filter((file) => hasFile(commit, file));
  const taken = ['shared', 'server', 'package.json', 'tsconfig.base.json', ...bundler];
  const archive = execFileSync('git', ['archive', commit, ...taken], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkPackages(folder, ['shared', 'server']);
  const { PATH, HOME } = inheritedEnvironment();
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // It was checked in its time; the packages that are installed have other types since.
  execFileSync(process.execPath, [tsc, '-b', '--noCheck', 'shared', 'server'], { cwd: folder, env: { PATH, HOME } });
  if (hasFile(commit, 'scripts/bundle-server.ts'))
    execFileSync(process.execPath, ['scripts/bundle-server.ts'], { cwd: folder, env: { PATH, HOME } });
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { script: join(folder, 'server/dist/main.js'), dispose };
}

/** The packages that are installed here, for the workspaces of another commit. */
function linkPackages(folder: string, workspaces: readonly string[]): void {
  mkdirSync(join(folder, 'node_modules/@coverage'), { recursive: true });
  const installed = readdirSync(join(root, 'node_modules')).filter((name) => name !== '@coverage');
  for (const name of installed) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of workspaces) symlinkSync(join(folder, name), join(folder, 'node_modules/@coverage', name));
  symlinkSync(join(root, 'server/node_modules'), join(folder, 'server/node_modules'));
}

/** The archive of a commit, made by its own scripts on the packages that are installed here. */
export async function makeEarlierArchive(commit: string, to: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-archive-'));
  try {
    const env = { PATH: inheritedEnvironment().PATH, HOME: folder };
    const inFolder = { cwd: folder, env, stdio: 'ignore' } as const;
    execFileSync('git', ['clone', '--shared', '--no-checkout', root, '.'], inFolder);
    execFileSync('git', ['checkout', commit], inFolder);
    linkPackages(folder, ['shared', 'server', 'action']);
    for (const name of ['server', 'command', 'docs'])
      execFileSync(process.execPath, [`scripts/bundle-${name}.ts`], inFolder);
    return await makeArchive(to, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export interface EarlierAction {
  readonly bundle: string;
  readonly metadata: string;
  dispose(): Promise<void>;
}

/** The bundle that a commit holds, with what it says of its inputs. */
export function takeEarlierAction(commit: string): EarlierAction {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-action-'));
  const take = (path: string, name: string): string => {
    const { stdout, stderr, status } = git('show', `${commit}:${path}`);
    if (status !== 0) throw new Error(stderr);
    writeFileSync(join(folder, name), stdout);
    return join(folder, name);
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const [bundle, metadata] = [take('action/dist/main.js', 'main.js'), take('action.yml', 'action.yml')];
  return { bundle, metadata, dispose: () => rm(folder, { recursive: true, force: true }) };
}
