import { readdir, readFile } from 'node:fs/promises';

/** What a server process holds at one moment. */
export interface ServerSample {
  /** Minutes since the start. */
  readonly at: number;
  /** Bytes in memory. */
  readonly memory: number;
  readonly files: number;
  readonly threads: number;
}

/** Reads /proc; undefined if there is none, or the process has ended. */
export async function sampleServer(pid: number | undefined, at: number): Promise<ServerSample | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const fields = new Map(status.split('\n').map((line) => line.split(/:\s/, 2) as [string, string]));
    const numberOf = (name: string): number => Number.parseInt(fields.get(name)?.trim() ?? '0', 10);
    const files = (await readdir(`/proc/${pid}/fd`)).length;
    return { at, memory: numberOf('VmRSS') * 1_024, files, threads: numberOf('Threads') };
  } catch {
    return undefined;
  }
}

/** What several held at that moment; undefined if one of them could not be read. */
export function addSamples(all: readonly (ServerSample | undefined)[]): ServerSample | undefined {
  return all.reduce(
    (sum, one) =>
      sum &&
      one && {
        at: one.at,
        memory: sum.memory + one.memory,
        files: sum.files + one.files,
        threads: sum.threads + one.threads,
      },
  );
}

/** How much the last quarter differs from the second one, whose start-up is over: 1.1 is a tenth more. */
export function growthOf(samples: readonly ServerSample[], read: (sample: ServerSample) => number): number {
  const quarter = Math.floor(samples.length / 4);
  const second = samples.slice(quarter, 2 * quarter).map(read);
  return medianOf(samples.slice(-quarter).map(read)) / medianOf(second);
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
