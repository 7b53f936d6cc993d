// Mixed traffic on the built server for an hour: npm run soak [-- --minutes 60] [--store sqlite|mongodb]
// [--servers 2]. It prints the servers' memory, open files and answers each minute, and ends with 1 if one of them grew
// or an answer was wrong.
import { parseArgs } from 'node:util';
import { runSoak } from '../test/support/soak/run-soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, store: { type: 'string' }, servers: { type: 'string' } },
});
const { minutes = '60', store = 'sqlite', servers = '1' } = values;
const isBounded = Number(minutes) >= 1 && Number(minutes) <= 240 && /^[1-8]$/.test(servers);
if (!isBounded || (store !== 'mongodb' && (store !== 'sqlite' || servers !== '1')))
  throw new Error('usage: npm run soak [-- --minutes 60 (1 to 240)] [--store sqlite|mongodb [--servers 1 to 8]]');
process.exitCode = (await runSoak({ minutes: Number(minutes), store, servers: Number(servers) })) ? 0 : 1;
