import { coverageApi } from '../coverage-api.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { FUZZED_SERVER } from './fuzzed-server.ts';
import { emptyTally, type FuzzTally, peakMemory, runFuzz } from './run-fuzz.ts';

/** Inputs under one seed: few enough that a failure is found again within a minute. */
const RUNS = 1_000;
/** Milliseconds that are left when nothing is begun any more: a run without a single input counts as failed. */
const MIN = 1_000;
/** Inputs at once: some wait for their connection to fall silent. */
const LANES = 4;

/** Fuzzes a server of its own and prints what came of it; false after a wrong answer. */
export async function runLongFuzz(minutes: number, firstSeed: number): Promise<boolean> {
  const server = await startServer(FUZZED_SERVER);
  const tally = emptyTally();
  const peak = { memory: 0 };
  try {
    const api = coverageApi(server.url, server.adminToken);
    const { token } = await api.createRepo({ service: 'manual', name: 'acme/fuzz' });
    const end = performance.now() + minutes * 60_000;
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      fuzzInSlot(server, { token, seed: firstSeed + lane, end, tally, peak }),
    );
    await Promise.all(lanes);
    const good = await api.uploadJob({
      repo_token: token,
      source_files: [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }],
    });
    if (good.status !== 200) throw new Error(`A good upload was answered ${good.status}: ${good.text}`);
    return true;
  } catch (error) {
    console.error(error);
    console.error(server.output().slice(-20).join('\n'));
    return false;
  } finally {
    report(tally, firstSeed, peak.memory);
    await server.dispose();
  }
}

interface Lane {
  readonly token: string;
  readonly seed: number;
  readonly end: number;
  readonly tally: FuzzTally;
  /** Bytes, of the server. */
  readonly peak: { memory: number };
}

async function fuzzInSlot(server: ServerProcess, { token, seed: first, end, tally, peak }: Lane): Promise<void> {
  for (let seed = first; performance.now() < end - MIN; seed += LANES) {
    await runFuzz({ port: server.port, token }, { seed, runs: RUNS, time: end - performance.now() }, tally);
    peak.memory = peakMemory(server.pid() ?? 0);
    if (peak.memory > FUZZED_SERVER.memory)
      throw new Error(`The server had ${peak.memory} bytes in use, and ${FUZZED_SERVER.memory} are allowed`);
  }
}

function report({ inputs, byEncoding, byStatus, slowest }: FuzzTally, firstSeed: number, memory: number): void {
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
