import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child whose lines are collected and that never outlives this process. */
export interface WatchedChild {
  readonly pid: number | undefined;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Lines of both, as they came. */
  readonly lines: readonly string[];
  /** Undefined while it runs. */
  readonly ended: () => Ending | undefined;
  /** Sends a signal; nothing when it is gone already. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when it is gone and all its output is read. */
  readonly end: Promise<Ending>;
}

export interface ChildOptions {
  /** Run on this process's own Node. Absent if `program` is given. */
  readonly script?: string;
  readonly program?: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
// A test runner that ends early must not leave servers behind; by pid, since a name could be somebody else's.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The parts of our own environment that a child may see. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '/tmp' } = process.env;
  return { PATH, HOME };
}

/** Runs a program, or a script on this process's own Node. */
export function startChild({ script, program = process.execPath, args = [], cwd, env }: ChildOptions): WatchedChild {
  const all = script === undefined ? args : [script, ...args];
  const child = spawn(program, all, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const lines: string[] = [];
  let ending: Ending | undefined;
  const collect = (stream: NodeJS.ReadableStream, into: string[]): Promise<void> =>
    new Promise((resolve) => {
      const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
      reader.on('line', (line) => {
        into.push(line);
        lines.push(line);
      });
      reader.on('close', resolve);
    });
  const read = Promise.all([collect(child.stdout, stdout), collect(child.stderr, stderr)]);
  const gone = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      ending = { code, signal };
      running.delete(child);
      resolve(ending);
    });
  });
  const end = gone.then(async (how) => {
    await read;
    return how;
  });
  // Anybody who waits gets the failure; without this, one that nobody waits for would end the test run.
  end.catch(() => undefined);
  return { pid: child.pid, stdout, stderr, lines, ended: () => ending, signal: (name) => void child.kill(name), end };
}
