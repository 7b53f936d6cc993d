import { spawn } from 'node:child_process';
import { inheritedEnvironment } from '../../support/child-process.ts';

export interface ToolRun {
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams, as they came. */
  readonly output: string;
}

export interface ToolOptions {
  readonly cwd: string;
  /** Beside PATH and HOME; nothing else is inherited, so that no CI is recognized unless a test says so. */
  readonly env?: Readonly<Record<string, string>>;
  /** The whole environment of this process instead: what installing needs (proxies, certificates, registries). */
  readonly inheritAll?: boolean;
  readonly input?: string;
  /** Milliseconds, 60,000 by default; then the tool is killed. */
  readonly timeout?: number;
}

/** Runs a tool and answers how it ended, whatever that was; throws only if there is no such tool. */
export function runTool(command: string, args: readonly string[], options: ToolOptions): Promise<ToolRun> {
  const { cwd, env = {}, inheritAll = false, input, timeout = 60_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...(inheritAll ? process.env : inheritedEnvironment()), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // A tool may end before it has read everything.
    child.stdin.on('error', () => undefined).end(input ?? '');
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, output }));
  });
}

/** As `runTool`, but anything except code 0 throws, with what the tool wrote. */
export async function runWell(command: string, args: readonly string[], options: ToolOptions): Promise<ToolRun> {
  const run = await runTool(command, args, options);
  if (run.code === 0) return run;
  throw new Error(
    `${command} ${args.join(' ')} ended with ${run.code ?? 'a signal'}:\n${run.output.trim().slice(-2_000)}`,
  );
}
