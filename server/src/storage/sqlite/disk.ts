import { statfs as readStatfs, stat } from 'node:fs/promises';
import { Failure } from '../../core/failure.ts';

/** What the system says of the file system that a path is on: `statfs` of node:fs/promises. */
export type Statfs = (
  path: string,
) => Promise<{ readonly type: number; readonly bavail: number; readonly bsize: number }>;

export interface DiskOptions {
  /** Bytes that must be free for uploads to be taken; 0, the default: any. */
  readonly min?: number;
  readonly statfs?: Statfs;
}

/** The disk that holds a database file. */
export interface Disk {
  /** Throws a Failure while it has less room than uploads need. */
  check(): Promise<void>;
  /** Bytes of the database with its log, and those that may still be written. */
  measure(): Promise<{ readonly bytes: number; readonly freeDisk: number }>;
}

export function watchDisk(path: string, { min = 0, statfs = readStatfs }: DiskOptions = {}): Disk {
  const readFree = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  const sizeOf = (part: string): Promise<number> =>
    stat(path + part).then(
      ({ size }) => size,
      () => 0,
    );
  return {
    async measure() {
      const [file, log, freeDisk] = await Promise.all([sizeOf(''), sizeOf('-wal'), readFree()]);
      return { bytes: file + log, freeDisk };
    },
    async check() {
      const free = min === 0 ? 0 : await readFree();
      if (free >= min) return;
      throw new Failure(
        'unavailable',
        'The disk that holds the database is too full to accept uploads: ' +
          `${toMib(free)} MiB are free, less than MIN_FREE_DISK (${toMib(min)} MiB). Make room.`,
      );
    },
  };
}

const toMib = (bytes: number): number => Math.floor(bytes / 2 ** 20);

/** Linux's numbers (statfs(2)) for file systems of which another machine may be the owner. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE, such as sshfs'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x19830326, 'BeeGFS'],
]);

/** A sentence for the log where a database file is on a network file system. Undefined: it is not, or nobody knows. */
export async function findNetworkDisk(path: string, statfs: Statfs = readStatfs): Promise<string | undefined> {
  const found = await statfs(path).catch(() => undefined);
  // If a number is read as signed, the ones above 2^31 are negative.
  const name = found && NETWORK.get(found.type >>> 0);
  if (name === undefined) return undefined;
  return (
    `${path} is on a network file system (${name}): its locks may not keep out a second server, and a write-ahead ` +
    'log is not safe there. Put the database on a local disk, or use MongoDB.'
  );
}
