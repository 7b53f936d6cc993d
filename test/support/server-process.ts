import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Ending, inheritedEnvironment, startChild, type WatchedChild } from './child-process.ts';
import { makeDataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';

export interface ServerOptions {
  /** Added to, and stronger than, what `startServer` sets itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another script than the built server. */
  readonly script?: string;
  readonly startTimeoutMs?: number;
}

/** The real server in a process and a directory of its own. */
export interface ServerProcess {
  /** `http://127.0.0.1:<port>`, without a slash at the end; kept by a restart. */
  readonly url: string;
  readonly port: number;
  readonly adminToken: string;
  /** Holds the database; also the server's working directory. */
  readonly directory: string;
  readonly pid: () => number | undefined;
  /** SIGTERM, and waits. Fails when it has not ended within 15 s. */
  stop(): Promise<Ending>;
  /** SIGKILL, and waits: what was not synced is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port and database (kills it first where it runs), with changes to its environment. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>;
  /** All lines of stdout and stderr since the first start. */
  output(): readonly string[];
  /** Kills it and removes its directory. */
  dispose(): Promise<void>;
}

const builtServer = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const defaultAdminToken = 'admin-token-of-the-tests-0123456789abcdef';
const listening = /listening on (http:\/\/\S+?):(\d+)/;

/** What changes while a server is stopped and started again. */
interface ServerState {
  readonly options: ServerOptions;
  readonly directory: string;
  /** Lines of the processes that have ended. */
  readonly lines: string[];
  env: Readonly<Record<string, string>>;
  child: WatchedChild;
}

/** Starts a server on an empty database and waits until it listens. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const directory = await makeDataFolder('coverage-server-');
  const lines: string[] = [];
  const env: Record<string, string> = {
    ...inheritedEnvironment(),
    // Saves a tenth of each start.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: `sqlite:${directory}/coverage.db`,
    ADMIN_TOKEN: defaultAdminToken,
    LOG_LEVEL: 'info',
    STOP_NOTICE_PERIOD: '0s',
    ...options.env,
  };
  try {
    const { child, url, port } = await launchServer({ ...options, env, directory, lines });
    const state: ServerState = { options, directory, lines, env: { ...env, PORT: String(port) }, child };
    return { url, port, adminToken: env.ADMIN_TOKEN ?? defaultAdminToken, directory, ...controlsOf(state) };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function controlsOf(
  state: ServerState,
): Pick<ServerProcess, 'pid' | 'stop' | 'kill' | 'restart' | 'output' | 'dispose'> {
  const kill = async (): Promise<void> => {
    state.child.signal('SIGKILL');
    await state.child.end;
  };
  return {
    pid: () => state.child.pid,
    stop: () => stopChild(state.child, state.lines),
    kill,
    async restart(changes = {}) {
      await kill();
      state.env = { ...state.env, ...changes };
      state.child = (
        await launchServer({ ...state.options, env: state.env, directory: state.directory, lines: state.lines })
      ).child;
    },
    output: () => [...state.lines, ...state.child.lines],
    async dispose() {
      await kill();
      await rm(state.directory, { recursive: true, force: true });
    },
  };
}

interface Listening {
  readonly child: WatchedChild;
  readonly url: string;
  readonly port: number;
}

interface Launch extends ServerOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Where the lines of earlier processes are; a process's own are added when it ends. */
  readonly lines: string[];
}

async function launchServer(launch: Launch): Promise<Listening> {
  const { script = builtServer, startTimeoutMs = 30_000, env, directory, lines } = launch;
  const child = startChild({ script, cwd: directory, env });
  const end = performance.now() + startTimeoutMs;
  for (;;) {
    const found = child.stdout.map((line) => listening.exec(line)).find((match) => match !== null);
    if (found?.[1] && found[2]) {
      return { child: keepLines(child, lines), url: `${found[1]}:${found[2]}`, port: Number(found[2]) };
    }
    const ended = child.ended();
    if (ended) throw startFailure(`ended with ${ended.signal ?? `code ${ended.code}`} before it listened`, child);
    if (performance.now() >= end) {
      child.signal('SIGKILL');
      throw startFailure(`did not listen within ${startTimeoutMs} ms`, child);
    }
    await sleep(10);
  }
}

/** Moves a process's lines to the common list when it ends, so that `output` holds each once and in order. */
function keepLines(child: WatchedChild, lines: string[]): WatchedChild {
  const own = child.lines as string[];
  void child.end.then(
    () => lines.push(...own.splice(0)),
    () => undefined,
  );
  return child;
}

function startFailure(what: string, child: WatchedChild): Error {
  const output = child.lines.join('\n') || '(nothing)';
  return new Error(`The server ${what} (is it built? npm run build). It wrote:\n${output}`);
}

async function stopChild(child: WatchedChild, lines: readonly string[]): Promise<Ending> {
  child.signal('SIGTERM');
  const limit = new AbortController();
  const late = sleep(15_000, undefined, { signal: limit.signal }).catch(() => undefined);
  const ending = await Promise.race([child.end, late]);
  limit.abort();
  if (ending) return ending;
  child.signal('SIGKILL');
  throw new Error(
    `The server did not stop within 15 s of SIGTERM. It wrote:\n${[...lines, ...child.lines].join('\n')}`,
  );
}
