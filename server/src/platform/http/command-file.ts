import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The command that every server hands out, and what proves it whole. */
export interface CommandFile {
  readonly text: string;
  /** SHA-256 of the bytes. */
  readonly digest: Buffer;
}

/** Created by scripts/bundle-command.ts; the same place whether the server runs from its sources or built. */
const BUILT = new URL('../../../dist/cli.mjs', import.meta.url);

/** Reads it when it is first asked for, since most servers never are; undefined if it was not built. */
export function createCommandReader(path = BUILT): () => Promise<CommandFile | undefined> {
  let reading: Promise<CommandFile | undefined> | undefined;
  return () => {
    reading ??= readFile(path, 'utf8').then(
      (text) => ({ text, digest: createHash('sha256').update(text).digest() }),
      () => {
        reading = undefined;
        return undefined;
      },
    );
    return reading;
  };
}
