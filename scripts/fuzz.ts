// A long fuzz of the built server: npm run fuzz -- --minutes 5 [--seed 123]; of the parsers of reports: npm run fuzz --
// formats [...]. Ends with 1 at the first wrong answer, and prints how to repeat it.
import { parseArgs } from 'node:util';
import { runFormatFuzz } from '../test/support/fuzz/fuzz-formats.ts';
import { runLongFuzz } from '../test/support/fuzz/long-fuzz.ts';

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const runs: Readonly<Record<string, typeof runLongFuzz>> = { server: runLongFuzz, formats: runFormatFuzz };
const run = runs[positionals[0] ?? 'server'];
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (run === undefined || !(minutes > 0) || !Number.isSafeInteger(firstSeed))
  throw new Error('usage: npm run fuzz -- [formats] --minutes 5 [--seed 123]');

if (!(await run(minutes, firstSeed))) process.exitCode = 1;
