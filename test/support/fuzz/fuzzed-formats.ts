// The process of fuzz-formats.ts: node fuzzed-formats.ts SEED MILLISECONDS. Ends with 1 at the first wrong report.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { fixtures, listFixtureReports, readFixtureReport } from '../fixture-reports.ts';
import { XML_SAMPLES } from '../xml-samples.ts';
import { damagedReport, type Original, readDamaged } from './damaged-reports.ts';
import type { FormatProgress } from './fuzz-formats.ts';

async function originals(): Promise<Original[]> {
  const samples = Object.entries(XML_SAMPLES).map(([format, parts]) => ({
    format,
    bytes: Buffer.from(parts.join('')),
  }));
  const names = await listFixtureReports();
  const reports = names.map(async (name) => {
    const { expected } = await readFixtureReport(name);
    return { format: expected.format, bytes: await readFile(join(fixtures, 'reports', name, expected.report)) };
  });
  return [...samples, ...(await Promise.all(reports))];
}

const [firstSeed = 0, time = 0] = process.argv.slice(2).map(Number);
const end = performance.now() + time;
const damaged = damagedReport(await originals());
const tally: Record<string, [number, number]> = {};

for (let seed = firstSeed; performance.now() < end || seed === firstSeed; seed += 1) {
  process.send?.({ seed, tally } satisfies FormatProgress);
  const [input] = fc.sample(damaged, { seed, numRuns: 1 });
  if (input === undefined) break;
  try {
    const [read, refused] = tally[input.format] ?? [0, 0];
    tally[input.format] = readDamaged(input) ? [read + 1, refused] : [read, refused + 1];
  } catch (error) {
    console.error(`seed ${seed}, ${input.format}:`, error);
    process.exitCode = 1;
    break;
  }
}
process.disconnect?.();
