import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { builtCommand } from './built-command.ts';
import { inheritedEnvironment } from './child-process.ts';

/** How a call of the command ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandCall {
  readonly folder: string;
  /** All that a CI sets; nothing but PATH and HOME is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs it. */
  readonly node?: string;
}

/** The system's Node 20, which users have; if there is none, this process's own. */
export const USERS_NODE = findUsersNode();

/** Runs the built command as a person or a CI does. */
export async function runCommand(args: readonly string[], call: CommandCall): Promise<CommandResult> {
  const { folder, env = {}, node = process.execPath } = call;
  const built = await builtCommand();
  const options = { cwd: folder, env: { ...inheritedEnvironment(), ...env }, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(node, [built, ...args], options, (error: ExecFileException | null, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 128;
      resolve({ code, stdout, stderr });
    });
  });
}

function findUsersNode(): string {
  const systems = '/usr/bin/node';
  if (!existsSync(systems)) return process.execPath;
  const major = /^v(\d+)/.exec(execFileSync(systems, ['--version'], { encoding: 'utf8' }))?.[1];
  return Number(major) >= 20 ? systems : process.execPath;
}
