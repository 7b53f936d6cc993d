// A MongoDB server to try things on: node scripts/mongod.ts [--replica-set 3] runs until Ctrl-C.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startMongod } from '../test/support/mongod/start-mongod.ts';

const { values } = parseArgs({ options: { 'replica-set': { type: 'string' } } });
const count = values['replica-set'] === undefined ? undefined : Number(values['replica-set']);
if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1 && count <= 7)) {
  throw new Error('usage: node scripts/mongod.ts [--replica-set 3]');
}
const server = await startMongod(count === undefined ? {} : { replicaSet: count });
console.log(`Found: ${server.how}\n${server.url}\nCtrl-C ends it.`);
// The interval keeps a process alive that started nothing itself.
const waiting = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(waiting);
await server.stop();
