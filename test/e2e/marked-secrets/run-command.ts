import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../support/child-process.ts';

export interface CommandRun {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What is typed. */
  readonly input?: string;
}

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run <name> -- …` as built. */
export function runBuilt(
  name: string,
  args: readonly string[],
  { env = {}, cwd = '/tmp', input = '' }: CommandRun = {},
): Promise<CommandOutcome> {
  const script = fileURLToPath(
    new URL(`../../../server/dist/${name === 'main' ? '' : 'cli/'}${name}.js`, import.meta.url),
  );
  return new Promise((resolve) => {
    const options = { cwd, env: { ...inheritedEnvironment(), ...env } };
    const child = execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
