import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import { FUZZED_SERVER } from '../support/fuzz/fuzzed-server.ts';
import { emptyTally, peakMemory, runFuzz } from '../support/fuzz/run-fuzz.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** A new one for each run, unless FUZZ_SEED repeats one. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

let server: ServerProcess;
let api: CoverageApi;
let token: string;
beforeAll(async () => {
  server = await startServer(FUZZED_SERVER);
  api = coverageApi(server.url, server.adminToken);
  token = (await api.createRepo({ service: 'manual', name: 'acme/fuzz' })).token;
});
afterAll(() => server.dispose());

test(`whatever is sent is answered, in time and in bounded memory (FUZZ_SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  const tally = emptyTally();
  await runFuzz({ port: server.port, token }, { seed, runs: 300 }, tally);
  expect(tally.inputs).toBeGreaterThan(100);
  expect(peakMemory(server.pid() ?? 0)).toBeLessThan(FUZZED_SERVER.memory);
  const good = await api.uploadJob({
    repo_token: token,
    source_files: [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }],
  });
  expect(good).toMatchObject({ status: 200, json: { message: expect.stringMatching(/^Job #\d+\.\d+$/) } });
});
