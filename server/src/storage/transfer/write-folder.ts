import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, type WriteStream, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Failure } from '../../core/failure.ts';
import { MANIFEST, type Manifest, SUMS, writeManifest } from './folder-form.ts';

/** A folder that is being filled. What it holds is whole once `finish` has written the manifest. */
export interface FolderWriter {
  has(path: string): boolean;
  /** A file of lines that are added over time. */
  lines(path: string): LineWriter;
  /** A whole file, compressed with gzip; its parts are asked for as they are written. */
  gzip(path: string, parts: Iterable<string | Uint8Array>): Promise<void>;
  finish(manifest: Omit<Manifest, 'sha256'>, needs: 'first' | 'latest'): Promise<void>;
}

export interface LineWriter {
  add(line: unknown): Promise<void>;
  end(): Promise<void>;
}

/** Begins a new folder, which only its owner can read. Throws a Failure if something is in it. */
export function beginFolder(folder: string): FolderWriter {
  if (existsSync(folder)) refuseFilled(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // There before anything else is, so that an export that was cut off is known by it.
  writeFileSync(join(folder, SUMS), '', { flag: 'wx', mode: 0o600 });
  const sums = createWriteStream(join(folder, SUMS), { flags: 'a' });
  const note = (path: string, hash: Hash): Promise<void> => put(sums, `${hash.digest('hex')}  ${path}\n`);
  return {
    has: (path) => existsSync(join(folder, path)),
    lines: (path) => writeLines(join(folder, path), (hash) => note(path, hash)),
    async gzip(path, parts) {
      const hash = createHash('sha256');
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      const out = createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600 });
      await pipeline(parts, createGzip(), hashing(hash), out);
      await note(path, hash);
    },
    async finish(manifest, needs) {
      await ended(sums);
      const sha256 = createHash('sha256')
        .update(await readFile(join(folder, SUMS)))
        .digest('hex');
      const unfinished = join(folder, `${MANIFEST}.part`);
      const file = await open(unfinished, 'wx', 0o600);
      await file.writeFile(writeManifest({ ...manifest, sha256 }, needs)).finally(() => synced(file));
      await rename(unfinished, join(folder, MANIFEST));
    },
  };
}

function refuseFilled(folder: string): void {
  let found: readonly string[];
  try {
    found = readdirSync(folder);
  } catch (cause) {
    throw new Failure('conflict', `${folder} is not a folder that can be written to: name another with --to.`, {
      cause,
    });
  }
  if (found.length === 0) return;
  const isCutOff = found.includes(SUMS) && !found.includes(MANIFEST);
  throw new Failure(
    'conflict',
    isCutOff
      ? `${folder} contains an incomplete export. Remove it, or give a new folder with --to.`
      : `${folder} is not empty: give a new folder with --to.`,
  );
}

function writeLines(path: string, note: (hash: Hash) => Promise<void>): LineWriter {
  const hash = createHash('sha256');
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  return {
    add(line) {
      const text = `${JSON.stringify(line)}\n`;
      hash.update(text);
      return put(out, text);
    },
    async end() {
      await ended(out);
      await note(hash);
    },
  };
}

/** Passes bytes on, and adds them to a digest. */
function hashing(hash: Hash) {
  return async function* digested(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      hash.update(part);
      yield part;
    }
  };
}

async function put(out: WriteStream, text: string): Promise<void> {
  if (out.errored !== null) throw out.errored;
  if (!out.write(text)) await once(out, 'drain');
}

async function ended(out: WriteStream): Promise<void> {
  if (out.errored !== null) throw out.errored;
  const closed = once(out, 'close');
  out.end();
  await closed;
}

async function synced(file: FileHandle): Promise<void> {
  await file.sync();
  await file.close();
}
