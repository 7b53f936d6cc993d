import { createHash } from 'node:crypto';
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Failure, quoteValue } from '../../core/failure.ts';
import { isPathOfExport, MANIFEST, type Manifest, readManifest, SUMS, VERSION } from './folder-form.ts';
import { AGAIN, fileDamaged } from './sentences.ts';

const LAST_LINE_CUT = `A file ends in the middle of a line. ${AGAIN}`;

/** An export whose files are all as they were written. Each read throws a Failure for what cannot be read. */
export interface FolderReader {
  readonly manifest: Manifest;
  /** Paths of all files, in no stated order. */
  paths(): AsyncGenerator<string>;
  has(path: string): boolean;
  /** A file of JSON lines, parsed; one that ends in `.gz` is unpacked. */
  lines(path: string): AsyncGenerator<unknown>;
  /** A whole text, unpacked. */
  text(path: string): Promise<Buffer>;
}

const MIB = 2 ** 20;
const LARGEST_MANIFEST = MIB;
/** A line of a report is a file of 16 million lines at most; of records, what a store can hold. */
const LONGEST_LINE = 256 * MIB;
/** As of an upload's source text. */
const LARGEST_TEXT = 256 * MIB;
/** For what is unpacked: a report of as many lines as there can be is smaller. */
const LARGEST_FILE = 2 ** 32;
const MAX_FILES = 5_000_000;

/** Opens an export and reads every file once, to compare its digest. Throws a Failure that says what is wrong. */
export async function openFolder(folder: string): Promise<FolderReader> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw new Failure('not-found', `There is no folder ${folder} to import: check --from.`, { cause });
  });
  const manifest = await findManifest(root, folder);
  if ((await digestOf(root, SUMS)) !== manifest.sha256) throw new Failure('payload-invalid', fileDamaged(SUMS));
  const known = new Set<string>();
  for await (const { path, sha256 } of readSums(root)) {
    if (known.has(path) || known.size === MAX_FILES) throw new Failure('payload-invalid', fileDamaged(SUMS));
    known.add(path);
    if ((await digestOf(root, path)) !== sha256) throw new Failure('payload-invalid', fileDamaged(path));
  }
  const checked = (path: string): string => {
    if (!known.has(path)) throw new Failure('payload-invalid', fileMissing(path));
    return path;
  };
  return {
    manifest,
    has: (path) => known.has(path),
    async *paths() {
      yield* known;
    },
    lines: (path) => readLines(root, checked(path)),
    text: (path) => readText(root, checked(path)),
  };
}

async function findManifest(root: string, folder: string): Promise<Manifest> {
  const path = await fileAt(root, MANIFEST).catch((cause: unknown) => {
    throw new Failure(
      'payload-invalid',
      `${folder} has no manifest.json, so it is not an export, or an incomplete one. Export again.`,
      { cause },
    );
  });
  const { size } = await lstat(path);
  let found: ReturnType<typeof readManifest>;
  try {
    found = size > LARGEST_MANIFEST ? undefined : readManifest(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new Failure('payload-invalid', fileDamaged(MANIFEST), { cause });
  }
  if (found === 'newer')
    throw new Failure(
      'payload-invalid',
      `A later version of the server wrote this export, but this one reads version ${VERSION} of it. Update first.`,
    );
  if (found === undefined) throw new Failure('payload-invalid', fileDamaged(MANIFEST));
  return found;
}

/** A plain file within the folder, on a path without links. */
async function fileAt(root: string, path: string): Promise<string> {
  const full = join(root, path);
  if ((await realpath(full)) !== full || !(await lstat(full)).isFile()) throw new Error('not a plain file');
  return full;
}

function openStream(path: string): ReadStream {
  // Nobody puts a link there in the meantime; the numbers of flags are not in the types.
  return createReadStream(path, { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string });
}

async function* bytesOf(root: string, path: string): AsyncGenerator<Buffer> {
  try {
    const packed = openStream(await fileAt(root, path));
    if (!path.endsWith('.gz')) return yield* packed;
    const plain = packed.pipe(createGunzip());
    packed.on('error', (error) => plain.destroy(error));
    let size = 0;
    try {
      for await (const part of plain) {
        size += (part as Buffer).length;
        if (size > LARGEST_FILE) throw new Failure('payload-too-large', textTooLarge(path, LARGEST_FILE));
        yield part as Buffer;
      }
    } finally {
      packed.destroy();
    }
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('payload-invalid', fileDamaged(path), { cause });
  }
}

async function digestOf(root: string, path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const part of openStream(await fileAt(root, path))) hash.update(part as Buffer);
  } catch (cause) {
    throw new Failure('payload-invalid', fileMissing(path), { cause });
  }
  return hash.digest('hex');
}

async function* readSums(root: string): AsyncGenerator<{ readonly path: string; readonly sha256: string }> {
  for await (const line of splitLines(bytesOf(root, SUMS), 1_000)) {
    const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}([ -~]{1,200})$/.exec(line) ?? [];
    if (!isPathOfExport(path)) throw new Failure('payload-invalid', oddLine(SUMS, quoteValue(line)));
    yield { path, sha256 };
  }
}

async function* readLines(root: string, path: string): AsyncGenerator<unknown> {
  for await (const line of splitLines(bytesOf(root, path), LONGEST_LINE)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (cause) {
      throw new Failure('payload-invalid', oddLine(path, quoteValue(line)), { cause });
    }
    yield parsed;
  }
}

/** Lines that end in a line feed, each of at most this many bytes. */
async function* splitLines(parts: AsyncIterable<Buffer>, longest: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      yield Buffer.concat([...begun, part.subarray(from, end)]).toString('utf8');
      begun = [];
      size = 0;
      from = end + 1;
    }
    begun.push(part.subarray(from));
    size += part.length - from;
    if (size > longest) throw new Failure('payload-too-large', `A line is longer than ${longest} bytes. ${AGAIN}`);
  }
  if (size > 0) throw new Failure('payload-invalid', LAST_LINE_CUT);
}

async function readText(root: string, path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytesOf(root, path)) {
    parts.push(part);
    size += part.length;
    if (size > LARGEST_TEXT) throw new Failure('payload-too-large', textTooLarge(path, LARGEST_TEXT));
  }
  return Buffer.concat(parts);
}

function fileMissing(path: string): string {
  return `${path} is missing in the export, or is no plain file. ${AGAIN}`;
}

function oddLine(path: string, line: string): string {
  return `${path} holds a line that no export writes: ${line}. ${AGAIN}`;
}

function textTooLarge(path: string, bytes: number): string {
  return `${path} is larger than ${bytes} bytes when it is unpacked. ${AGAIN}`;
}
