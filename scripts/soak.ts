// Mixed traffic on the built server for an hour: npm run soak [-- --minutes 60] [--store sqlite|mongodb]. It prints the
// server's memory, open files and answers each minute, and ends with 1 where one of them grew or an answer was wrong.
import { parseArgs } from 'node:util';
import { runSoak } from '../test/support/soak/run-soak.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, store: { type: 'string' } } });
const { minutes = '60', store = 'sqlite' } = values;
const isBounded = Number(minutes) >= 1 && Number(minutes) <= 240;
if (!isBounded || (store !== 'sqlite' && store !== 'mongodb'))
  throw new Error('usage: npm run soak [-- --minutes 60 (1 to 240)] [--store sqlite|mongodb]');
process.exitCode = (await runSoak({ minutes: Number(minutes), store })) ? 0 : 1;
