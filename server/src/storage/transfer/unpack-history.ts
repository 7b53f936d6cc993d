import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { Failure, quoteValue } from '../../core/failure.ts';
import { isPathOfExport, MANIFEST, SUMS } from './folder-form.ts';

/** What an archive may hold once it is unpacked: bytes, and files. */
const LIMITS = { bytes: 2 ** 30, files: 2_000 } as const;
const NOT_AN_ARCHIVE =
  'The file is not a packed history. Make one with: tar -czf history.tgz -C coverage-history . Nothing was imported.';
const TOO_LARGE =
  'The history is larger than 1 GiB when it is unpacked, or has more than 2,000 files. Write it with fewer --lines.';

/**
 * Unpacks a tar, plain or by gzip, into a folder. Only what a history may hold is written, by its own name: no path of
 * the archive leads anywhere else. Throws a Failure for anything else.
 */
export async function unpackHistory(archive: string, folder: string): Promise<void> {
  const files = extract();
  const packed = createReadStream(archive);
  const unpacked = (await isGzip(archive)) ? [packed, createGunzip()] : [packed];
  const reading = pipeline([...unpacked, counting(), files] as unknown as [Readable, Transform]);
  // Awaited below; until then it must not be called unhandled.
  reading.catch(() => undefined);
  const names = new Set<string>();
  try {
    for await (const entry of files) {
      const { type } = entry.header;
      const name = entry.header.name.replace(/^(?:\.\/)+/, '');
      if (type === 'directory') {
        entry.resume();
        continue;
      }
      const isKnown = name === MANIFEST || name === SUMS || isPathOfExport(name);
      if (type !== 'file' || !isKnown || names.has(name)) throw new Failure('payload-invalid', oddEntry(name));
      names.add(name);
      if (names.size > LIMITS.files) throw new Failure('payload-too-large', TOO_LARGE);
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    }
    await reading;
  } catch (cause) {
    files.destroy();
    throw cause instanceof Failure ? cause : new Failure('payload-invalid', NOT_AN_ARCHIVE, { cause });
  }
  if (names.size === 0) throw new Failure('payload-invalid', NOT_AN_ARCHIVE);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

function counting(): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _, done) {
      bytes += part.length;
      done(bytes > LIMITS.bytes ? new Failure('payload-too-large', TOO_LARGE) : null, part);
    },
  });
}

function oddEntry(name: string): string {
  return `The archive holds ${quoteValue(name)}, which no history has. Pack only the folder. Nothing was imported.`;
}
