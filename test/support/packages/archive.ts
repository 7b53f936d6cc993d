import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ending, inheritedEnvironment, startChild, type WatchedChild } from '../child-process.ts';
import { waitFor } from '../wait-for.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const PLATFORM = `linux-${process.arch}`;

/** An archive, unpacked in a folder of its own. */
export interface Archive {
  /** The .tar.gz itself. */
  readonly file: string;
  readonly folder: string;
  /** Its `coverage-service`. */
  readonly program: string;
  /** An empty folder beside it. */
  readonly empty: string;
  dispose(): Promise<void>;
}

export interface Ended extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly program: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function run({ env = {}, ...options }: Run): Promise<Ended> {
  const child = startChild({ env, ...options });
  const ending = await child.end;
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return { ...ending, stdout: text(child.stdout), stderr: text(child.stderr) };
}

/** Runs a program until it writes where it listens. */
export async function startListening({ env = {}, ...options }: Run): Promise<{ url: string; child: WatchedChild }> {
  const child = startChild({ env, ...options });
  const url = await waitFor(
    () => {
      if (child.ended()) throw new Error(`It ended before it listened:\n${child.lines.join('\n')}`);
      return child.stdout
        .map((line) => /listening on (http:[^\s"]+)/.exec(line)?.[1])
        .find((found) => found !== undefined);
    },
    { what: 'a server to listen', timeoutMs: 40_000 },
  );
  return { url, child };
}

/** Runs what `npm run package` runs, of this platform alone; `checkout`: a built one, this one by default. */
export async function makeArchive(to: string, checkout = root): Promise<string> {
  const script = join(checkout, 'scripts/package.ts');
  const args = ['--platform', PLATFORM, '--to', to];
  const child = startChild({ script, args, cwd: checkout, env: inheritedEnvironment() });
  const { code } = await child.end;
  const name = code === 0 ? (await readdir(to)).find((one) => one.endsWith('.tar.gz')) : undefined;
  if (name === undefined) throw new Error(`No archive was made:\n${child.lines.join('\n')}`);
  return join(to, name);
}

export async function unpackArchive(): Promise<Archive> {
  const parent = await mkdtemp(join(tmpdir(), 'archive-'));
  const empty = join(parent, 'empty');
  await mkdir(empty);
  const file = await makeArchive(parent);
  await unpack(file, parent);
  const folder = join(parent, (file.split('/').pop() as string).replace('.tar.gz', ''));
  const dispose = (): Promise<void> => rm(parent, { recursive: true, force: true });
  return { file, folder, program: join(folder, 'coverage-service'), empty, dispose };
}

export async function unpack(file: string, into: string, ...options: readonly string[]): Promise<void> {
  const { code, stderr } = await run({
    program: 'tar',
    args: ['-xzf', file, '-C', into, ...options],
    cwd: into,
    env: inheritedEnvironment(),
  });
  if (code !== 0) throw new Error(stderr);
}
