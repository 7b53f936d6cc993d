// An archive whose bytes depend on its entries alone: sorted, with one time and no names of this machine.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface Entry {
  /** Below the archive's one folder, with slashes. */
  readonly path: string;
  /** A file's bytes, or where they are read. */
  readonly content: Buffer | string;
  readonly isProgram?: boolean;
}

const BLOCK = 512;

/** Writes a .tar.gz (ustar) of entries below `folder`; `time` is seconds since 1970. */
export async function writeArchive(
  to: string,
  { folder, time, entries }: { readonly folder: string; readonly time: number; readonly entries: readonly Entry[] },
): Promise<void> {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  async function* blocks(): AsyncGenerator<Buffer> {
    const known = new Set<string>();
    for (const { path, content, isProgram = false } of sorted) {
      const name = `${folder}/${path}`;
      for (const parent of parentsOf(name).filter((one) => !known.has(one))) {
        known.add(parent);
        yield header({ name: `${parent}/`, mode: 0o755, size: 0, time, type: '5' });
      }
      const bytes = typeof content === 'string' ? await readFile(content) : content;
      yield header({ name, mode: isProgram ? 0o755 : 0o644, size: bytes.length, time, type: '0' });
      yield bytes;
      yield Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    }
    yield Buffer.alloc(2 * BLOCK);
  }
  await pipeline(Readable.from(blocks()), createGzip({ level: 9 }), createWriteStream(to));
}

function parentsOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, place) => parts.slice(0, place + 1).join('/'));
}

interface Header {
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly time: number;
  readonly type: '0' | '5';
}

function header({ name, mode, size, time, type }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  const [prefix, rest] = splitName(name);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(rest, 0);
  block.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(time, 11), 100);
  block.write(`        ${type}`, 148);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** ustar has 155 bytes for the folders and 100 for the rest. */
function splitName(name: string): readonly [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= 100) return ['', name];
  const at = name.indexOf('/', Buffer.byteLength(name) - 101);
  if (at < 0 || at > 155) throw new Error(`This name is too long for the archive: ${name}`);
  return [name.slice(0, at), name.slice(at + 1)];
}
