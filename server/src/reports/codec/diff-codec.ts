import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Diff, DiffKind, FileDiff, Hunk } from '../../core/diff/file-diff.ts';

/**
 * A file of a stored diff: name, previous name, kind, and its hunks as flat groups of four; null if they are not known.
 */
type StoredFile = readonly [name: string, previousName: string | null, kind: DiffKind, hunks: readonly number[] | null];

interface StoredText {
  readonly complete: boolean;
  readonly files: readonly StoredFile[];
}

/** Bytes of a stored text: far above what an upload may bring, far below what a damaged one could claim. */
const MAX_TEXT_BYTES = 2 ** 25;

/**
 * A diff as it is stored, compressed, and the digest that it is found by: equal diffs, equal digests
 * (core/diff/sent-diff.ts).
 */
export function encodeDiff({ files, complete }: Diff): { readonly digest: string; readonly bytes: Uint8Array } {
  const stored: StoredText = { complete, files: files.map(toStored) };
  const text = Buffer.from(JSON.stringify(stored));
  return { digest: `diff-${hash('sha256', text)}`, bytes: zstdCompressSync(text) };
}

/** The diff again. Undefined for damaged bytes, or for a longer text: a close has an answer without it. */
export function decodeDiff(bytes: Uint8Array, maxBytes = MAX_TEXT_BYTES): Diff | undefined {
  try {
    const text = Buffer.from(zstdDecompressSync(bytes, { maxOutputLength: maxBytes })).toString('utf8');
    const { files, complete } = JSON.parse(text) as StoredText;
    return { files: files.map(toFileDiff), complete };
  } catch {
    return undefined;
  }
}

function toStored({ name, previousName, kind, hunks, complete }: FileDiff): StoredFile {
  const flat = hunks.flatMap(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines]);
  return [name, previousName ?? null, kind, complete ? flat : null];
}

function toFileDiff([name, previousName, kind, flat]: StoredFile): FileDiff {
  const hunks: Hunk[] = [];
  for (let at = 0; flat !== null && at < flat.length; at += 4) {
    const [oldStart, oldLines, newStart, newLines] = flat.slice(at, at + 4) as [number, number, number, number];
    hunks.push({ oldStart, oldLines, newStart, newLines });
  }
  return { name, previousName: previousName ?? undefined, kind, hunks, complete: flat !== null };
}
