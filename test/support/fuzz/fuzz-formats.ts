import { fork } from 'node:child_process';
import { join } from 'node:path';
import { peakMemory } from './run-fuzz.ts';

/** Reading a damaged report of a few KB takes milliseconds; only what hangs takes this long, however busy it is. */
const LONGEST_MS = 30_000;
/** Bytes: an empty process, the fixtures, and what one damaged report may make of a line number (MAX_LINE). */
const MAX_MEMORY = 700e6;

/** What a process that tries reports says before each of them. */
export interface FormatProgress {
  readonly seed: number;
  /** How many of those before were read, and how many refused, by format. */
  readonly tally: Readonly<Record<string, readonly [number, number]>>;
}

/**
 * Gives mutated reports of real tools to the parser of their format, in a process of its own, and prints what came of
 * it. False if one crashes, hangs, takes too much memory or is read as what no report holds.
 */
export async function runFormatFuzz(minutes: number, firstSeed: number): Promise<boolean> {
  const child = fork(join(import.meta.dirname, 'fuzzed-formats.ts'), [String(firstSeed), String(minutes * 60_000)]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let [last, hung, memory]: [FormatProgress, boolean, number] = [{ seed: firstSeed, tally: {} }, false, 0];
  const giveUp = (): void => {
    hung = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(giveUp, LONGEST_MS);
  child.on('message', (progress: FormatProgress) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, LONGEST_MS);
    if (progress.seed % 100 === 0) memory = peakMemory(child.pid ?? 0);
    last = progress;
  });
  const code = await ended;
  clearTimeout(timer);
  report(last, firstSeed, memory);
  if (hung) console.error(`Seed ${last.seed} was not read within ${LONGEST_MS / 1_000} s.`);
  if (memory > MAX_MEMORY) console.error(`${memory} bytes in use by seed ${last.seed}, ${MAX_MEMORY} are allowed.`);
  if (code !== 0) console.error(`To repeat it: npm run fuzz -- formats --seed ${last.seed} --minutes 0.01`);
  return code === 0 && !hung && memory <= MAX_MEMORY;
}

function report({ seed, tally }: FormatProgress, firstSeed: number, memory: number): void {
  console.log(`${seed - firstSeed} reports from seed ${firstSeed} on, ${Math.round(memory / 1e6)} MB of memory`);
  for (const [format, [read, refused]] of Object.entries(tally).sort())
    console.log(`  ${format}: ${read} read, ${refused} refused`);
}
