import { accessSync, constants, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Bytes; containers often have 64 MiB there. */
const ENOUGH = 8 * 2 ** 30;

/**
 * A new folder for databases. In memory where there is much room: the disk's syncs take most of a store's test, and
 * what a killed process wrote stays there too.
 */
export function makeDataFolder(prefix: string): Promise<string> {
  return mkdtemp(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}
