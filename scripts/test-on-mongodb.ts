import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startMongod } from '../test/support/mongod/start-mongod.ts';

/** Every write of many services is synced by one server; in ms. */
const TEST_TIMEOUT = 20_000;

/** Runs the HTTP tests with each service on a database of its own; arguments go to vitest. */
const mongod = await startMongod();
console.log(`MongoDB: ${mongod.how}`);
const vitest = spawn(
  'vitest',
  ['run', '--project', 'http', `--testTimeout=${TEST_TIMEOUT}`, ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_MONGODB_URL: mongod.url },
  },
);
const [code] = (await once(vitest, 'exit')) as [number | null];
await mongod.stop();
process.exitCode = code ?? 1;
