// A long fuzz of the built server: npm run fuzz -- --minutes 5 [--seed 123]. Ends with 1 at the first wrong answer, and
// prints how to repeat it.
import { parseArgs } from 'node:util';
import { coverageApi } from '../test/support/coverage-api.ts';
import { FUZZED_SERVER } from '../test/support/fuzz/fuzzed-server.ts';
import { emptyTally, type FuzzTally, peakMemory, runFuzz } from '../test/support/fuzz/run-fuzz.ts';
import { startServer } from '../test/support/server-process.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed))
  throw new Error('usage: npm run fuzz -- --minutes 5 [--seed 123]');

/** Inputs under one seed: few enough that a failure is found again within a minute. */
const RUNS = 1_000;
/** Milliseconds that are left when nothing is begun any more: a run without a single input counts as failed. */
const LEAST = 1_000;
/** Inputs at once: some wait for their connection to fall silent. */
const LANES = 4;

const server = await startServer(FUZZED_SERVER);
const tally = emptyTally();
let memory = 0;
try {
  const api = coverageApi(server.url, server.adminToken);
  const { token } = await api.createRepo({ service: 'manual', name: 'acme/fuzz' });
  const end = performance.now() + minutes * 60_000;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let seed = firstSeed + lane; performance.now() < end - LEAST; seed += LANES) {
      await runFuzz({ port: server.port, token }, { seed, runs: RUNS, time: end - performance.now() }, tally);
      memory = peakMemory(server.pid() ?? 0);
      if (memory > FUZZED_SERVER.memory)
        throw new Error(`The server had ${memory} bytes in use, and ${FUZZED_SERVER.memory} are allowed`);
    }
  });
  await Promise.all(lanes);
  const good = await api.uploadJob({
    repo_token: token,
    source_files: [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }],
  });
  if (good.status !== 200) throw new Error(`A good upload was answered ${good.status}: ${good.text}`);
} catch (error) {
  console.error(error);
  console.error(server.output().slice(-20).join('\n'));
  process.exitCode = 1;
} finally {
  report(tally);
  await server.dispose();
}

function report({ inputs, byEncoding, byStatus, slowest }: FuzzTally): void {
  const rows = (counts: ReadonlyMap<string | number, number>): string =>
    [...counts]
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      .map(([what, count]) => `  ${what}: ${count}`)
      .join('\n');
  console.log(
    `${inputs} inputs from seed ${firstSeed} on; the slowest answer took ${Math.round(slowest)} ms; the server ` +
      `had up to ${Math.round(memory / 2 ** 20)} MiB in use`,
  );
  console.log(`by encoding:\n${rows(byEncoding)}\nby answer:\n${rows(byStatus)}`);
}
