import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as zlib from 'node:zlib';
import type { CoverageFormat, ParsedReport } from '../../formats/coverage-format.ts';
import type { FileHits } from '../../formats/file-hits.ts';
import { FORMATS, recognize } from '../../formats/formats.ts';
import { HitFiles } from '../../formats/hit-files.ts';
import { type ReportBytes, readHead } from '../../formats/report-bytes.ts';
import { collectFiles } from '../../report/source-files.ts';
import { ActionFailure } from '../../runner/failure.ts';
import type { PastGit } from './past-git.ts';

/** A file, or a piece of one, that may be a report. */
export interface KeptReport {
  /** As messages call it. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One that was read. */
export interface ReadKept extends ParsedReport {
  readonly path: string;
  readonly format: CoverageFormat;
}

const LARGEST = 256 << 20;
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The paths of all files of a folder, with `/`, in their order; links are not followed. */
export function filesBelow(folder: string): readonly string[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(folder);
  } catch (cause) {
    throw new ActionFailure('bad-input', `There is no folder ${folder}: check --in.`, { cause });
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function readEntries(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}

/** A file's bytes, unpacked where they are packed. Throws `bad-input` for one that is too large. */
export function readPacked(folder: string, path: string): Uint8Array {
  const file = join(folder, path);
  if (statSync(file).size > LARGEST) throw new ActionFailure('bad-input', tooLarge(path));
  return unpack(readFileSync(file), path);
}

/** Whether a file begins as a report does: nothing more of it is read. */
export function isReport(folder: string, path: string): boolean {
  const handle = openSync(join(folder, path), 'r');
  try {
    const start = Buffer.alloc(1 << 16);
    const bytes = start.subarray(0, readSync(handle, start, 0, start.length, 0));
    return isPacked(bytes) || recognize(readHead(inMemory({ path, bytes }))).format !== undefined;
  } finally {
    closeSync(handle);
  }
}

function isPacked(bytes: Uint8Array): boolean {
  return [GZIP, ZSTD].some((magic) => magic.every((byte, at) => bytes[at] === byte));
}

export function unpack(bytes: Uint8Array, path: string): Uint8Array {
  const limits = { maxOutputLength: LARGEST };
  try {
    if (GZIP.every((byte, at) => bytes[at] === byte)) return zlib.gunzipSync(bytes, limits);
    if (!ZSTD.every((byte, at) => bytes[at] === byte)) return bytes;
    // Node 20 has none of it.
    if (zlib.zstdDecompressSync === undefined) throw new ActionFailure('bad-input', needsNode(path));
    return zlib.zstdDecompressSync(bytes, limits);
  } catch (cause) {
    if (cause instanceof ActionFailure) throw cause;
    throw new ActionFailure('report-damaged', cannotUnpack(path), { cause });
  }
}

/** Reads a report of any format; undefined: it is none. Throws `report-damaged`. */
export function parseKept(kept: KeptReport): ReadKept | undefined {
  const report = inMemory(kept);
  const { format } = recognize(readHead(report));
  return format && { ...format.parse(report), path: kept.path, format };
}

/** A tool may write one run in several formats: of those in one folder the first that we know counts. */
export function oneFormat(reports: readonly ReadKept[]): readonly ReadKept[] {
  const first = FORMATS.find((format) => reports.some((report) => report.format === format));
  return reports.filter(({ format }) => format === first);
}

/** The files of some reports by their names in a commit; what is not in it stays out and is counted. */
export async function namedIn(
  git: PastGit,
  commit: string,
  reports: readonly ReadKept[],
): Promise<{ readonly files: readonly FileHits[]; readonly left: number }> {
  const checkout = await git.checkoutOf(commit);
  const all = new Set(reports.flatMap(({ files }) => files.map(({ name }) => name))).size;
  if (checkout === undefined) return { files: byName(reports), left: 0 };
  const silent = { info: () => undefined, warning: () => undefined };
  const placed = reports.map((report) => ({ ...report, absolute: `${checkout.root}/${report.path}` }));
  try {
    const { files } = collectFiles(placed, { checkout, basePath: '', allowAmbiguous: true }, silent);
    return { files, left: Math.max(0, all - files.length) };
  } catch (error) {
    if (error instanceof ActionFailure && error.code === 'nothing-in-checkout') return { files: [], left: all };
    throw error;
  }
}

function byName(reports: readonly ReadKept[]): readonly FileHits[] {
  const joined = new HitFiles();
  for (const { files } of reports) for (const file of files) joined.add(file);
  return joined.packed();
}

function inMemory({ path, bytes }: KeptReport): ReportBytes {
  return {
    path,
    size: bytes.length,
    read(target, offset, length, position) {
      const part = bytes.subarray(position, position + length);
      target.set(part, offset);
      return part.length;
    },
  };
}

function tooLarge(path: string): string {
  return `${path} is larger than ${LARGEST} bytes, too large for the report of one commit. Remove it from the folder.`;
}

function cannotUnpack(path: string): string {
  return `${path} cannot be unpacked: it is damaged, or larger than ${LARGEST} bytes. Copy it again.`;
}

function needsNode(path: string): string {
  return `${path} is packed with zstd, which Node ${process.versions.node} cannot unpack. Use Node 22.15 or later.`;
}
