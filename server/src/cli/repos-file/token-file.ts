import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';

/** The tokens of new repos: each is on disk before the next repo is made. */
export interface TokenFile {
  add(repo: string, token: string): void;
  /** Removes the file where it holds none. Answers how many it holds. */
  close(): number;
}

/** Makes a file that only its owner may read; throws a Failure `conflict` if there is one already. */
export function makeTokenFile(path: string): TokenFile {
  const file = open(path);
  let count = 0;
  return {
    add(repo, token) {
      writeSync(file, `${repo} ${token}\n`);
      fsyncSync(file);
      count += 1;
    },
    close() {
      closeSync(file);
      if (count === 0) rmSync(path);
      return count;
    },
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new Failure(
        'conflict',
        `${path} exists already and may hold tokens. ` +
          'Move it away, or name another file with --tokens. Nothing was changed.',
        { cause },
      );
    throw new Failure('unavailable', `The tokens of new repos cannot be written: ${message}. Nothing was changed.`, {
      cause,
    });
  }
}
