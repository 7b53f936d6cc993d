// A long fuzz of the built server: npm run fuzz -- --minutes 5 [--seed 123]. Ends with 1 at the first wrong answer, and
// prints how to repeat it.
import { parseArgs } from 'node:util';
import { runLongFuzz } from '../test/support/fuzz/long-fuzz.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed))
  throw new Error('usage: npm run fuzz -- --minutes 5 [--seed 123]');

if (!(await runLongFuzz(minutes, firstSeed))) process.exitCode = 1;
