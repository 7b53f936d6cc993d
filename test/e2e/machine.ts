import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchedChild } from '../support/child-process.ts';
import { type Ended, run, startListening, unpack } from '../support/packages/archive.ts';

/** A machine as the quickstart sets it up: an archive unpacked, its settings in a file beside the program. */
export interface Machine {
  /** For what is of this machine alone, such as its database. */
  readonly folder: string;
  readonly port: number;
  /** A command of the archive, with no environment. */
  command(...args: readonly string[]): Promise<Ended>;
  start(env?: Readonly<Record<string, string>>): Promise<WatchedChild>;
  /** Ends its server, if one runs. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** To another archive, as docs/upgrading.md has it. */
  upgrade(to: string): Promise<void>;
  dispose(): Promise<void>;
}

export async function setUpMachine(
  archive: string,
  { port, settings }: { readonly port: number; settings(folder: string): Readonly<Record<string, string>> },
): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'machine-'));
  const app = join(folder, 'coverage-service');
  const program = join(app, 'coverage-service');
  const install = (from: string): Promise<void> => unpack(from, app, '--strip-components=1');
  await mkdir(app);
  await install(archive);
  const lines = Object.entries({ ...settings(folder), PORT: String(port) }).map(
    ([name, value]) => `${name}=${value}\n`,
  );
  await writeFile(join(app, 'environment'), lines.join(''));
  let child: WatchedChild | undefined;
  const stop: Machine['stop'] = async (signal = 'SIGTERM') => {
    child?.signal(signal);
    await child?.end;
    child = undefined;
  };
  return {
    folder,
    port,
    command: (...args) => run({ program, args, cwd: folder }),
    async start(env = {}) {
      ({ child } = await startListening({ program, cwd: folder, env }));
      return child;
    },
    stop,
    async upgrade(to) {
      for (const part of ['bin', 'lib']) await rm(join(app, part), { recursive: true });
      await install(to);
    },
    async dispose() {
      await stop('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}
