import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { isHere } from '../packages/tools.ts';
import { waitFor } from '../wait-for.ts';

const DAY = 86_400_000;

/** The time of what is started with `env`. */
export interface MovedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Makes it this many days later than it is; resolves when the mongod at `url` says so. */
  move(url: string, days: number): Promise<void>;
  dispose(): Promise<void>;
}

/** The library that moves the clock of a process; undefined if it is missing. */
export function findFaketime(): string | undefined {
  const [found] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  return isHere(found !== undefined, 'libfaketime is missing (apt-get install faketime)') ? found : undefined;
}

/** As far as a clock is off that nobody keeps. */
const SECONDS_APART = 5;

/** The environments of processes of which each one's clock is 5 seconds ahead of the one's before it. */
export function clocksApart(library: string): (index: number) => Readonly<Record<string, string>> {
  return (index) => ({ ...preload(library), FAKETIME: `+${index * SECONDS_APART}s` });
}

function preload(library: string) {
  return {
    LD_PRELOAD: library,
    // Elections and time limits go by this one.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // With it, each wait of mongod ends at once, and a processor is busy with that.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
}

export async function openMovedClock(library: string): Promise<MovedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'moved-clock-'));
  const file = join(folder, 'days');
  await writeFile(file, '+0\n');
  return {
    env: {
      ...preload(library),
      FAKETIME_TIMESTAMP_FILE: file,
      // In seconds: the file is read again.
      FAKETIME_CACHE_DURATION: '1',
    },
    async move(url, days) {
      await writeFile(file, `+${days}d\n`);
      const client = await MongoClient.connect(url);
      const isLater = async (): Promise<boolean> => {
        const { localTime } = await client.db('admin').command({ hello: 1 });
        return (localTime as Date).getTime() - Date.now() > (days - 0.5) * DAY;
      };
      try {
        await waitFor(isLater, { what: `the mongod to be ${days} days later` });
      } finally {
        await client.close();
      }
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}
