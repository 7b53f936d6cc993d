import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoverageApi, coverageApi } from '../coverage-api.ts';
import { seedOf } from '../seed.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { FUZZED_SERVER } from './fuzzed-server.ts';
import { emptyTally, peakMemory, runFuzz } from './run-fuzz.ts';

const seed = seedOf('FUZZ_SEED');

/** The test that the built server answers this many hostile inputs, and still works afterward. */
export function testFuzz({ runs, timeout }: { readonly runs: number; readonly timeout: number }): void {
  let server: ServerProcess;
  let api: CoverageApi;
  let token: string;
  beforeAll(async () => {
    server = await startServer(FUZZED_SERVER);
    api = coverageApi(server.url, server.adminToken);
    token = (await api.createRepo({ service: 'manual', name: 'acme/fuzz' })).token;
  });
  afterAll(() => server.dispose());

  test(`${runs} inputs are answered, in time and in bounded memory (FUZZ_SEED=${seed})`, { timeout }, async () => {
    const tally = emptyTally();
    await runFuzz({ port: server.port, token }, { seed, runs }, tally);
    expect(tally.inputs).toBeGreaterThan(runs / 3);
    expect(peakMemory(server.pid() ?? 0)).toBeLessThan(FUZZED_SERVER.memory);
    const good = await api.uploadJob({
      repo_token: token,
      service_branch: 'main',
      source_files: [{ name: 'a.ts', coverage: [1, 0, null], source: 'x' }],
    });
    expect(good).toMatchObject({ status: 200, json: { message: expect.stringMatching(/^Job #\d+\.\d+$/) } });
  });
}
