import { zstdDecompressSync } from 'node:zlib';
import { diffTexts } from '../../core/diff/diff-lines.ts';
import type { FileDiff } from '../../core/diff/file-diff.ts';
import { MAX_DIFFED_TEXT, type SourcePair } from '../report-engine.ts';

/** ReportEngine.diffSources, on this thread. */
export function diffSources({ name, from, to }: SourcePair): FileDiff | undefined {
  const [old, now] = [unpack(from), unpack(to)];
  return old === undefined || now === undefined ? undefined : diffTexts(name, { old, new: now });
}

/**
 * A text that is too large or damaged is as good as none: rule 16 has an answer without it, and no close should hang on
 * it.
 */
function unpack(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder().decode(zstdDecompressSync(bytes, { maxOutputLength: MAX_DIFFED_TEXT }));
  } catch {
    return undefined;
  }
}
