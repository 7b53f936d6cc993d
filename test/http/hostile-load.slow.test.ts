import { afterEach, expect, test } from 'vitest';
import {
  type Answered,
  type AttackedServer,
  attackWithEverything,
  attackWithStalledBodies,
  startAttacked,
} from '../support/fuzz/hostile-load.ts';
import { peakMemory } from '../support/fuzz/run-fuzz.ts';

const MIB = 2 ** 20;

let attacked: AttackedServer;
afterEach(() => attacked.server.dispose());

const memory = (): number => peakMemory(attacked.server.pid() ?? 0);

/** How fast is measured by `npm run attack`. */
function expectAnswered(others: readonly Answered[]): void {
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter(({ status }) => status !== 200)).toEqual([]);
}

test('bombs, endless and trickling bodies and idle connections: others are answered', {
  timeout: 120_000,
}, async () => {
  attacked = await startAttacked();
  const { summary, others } = await attackWithEverything(attacked);
  const { bombs, stated, chunked, ...connections } = summary;
  expect(connections).toEqual({ idle: 2_000, stillIdle: 2_000, slow: 200, stillSlow: 200 });
  for (const answers of [bombs, stated, chunked]) {
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 413 Payload Too Large']));
  }
  expectAnswered(others);
  // docs/performance.md, "Memory".
  expect(memory()).toBeLessThan(1_536 * MIB);
});

test('bodies that fill the memory and make no progress give way to others', { timeout: 120_000 }, async () => {
  attacked = await startAttacked({ MAX_UPLOAD_BYTES: '16MiB', MAX_UPLOADS_MEMORY: '64MiB' });
  const before = memory();
  const { others, end } = await attackWithStalledBodies(attacked);
  expectAnswered(others);
  const { api, token } = attacked;
  const source = 'x'.repeat(8 * MIB);
  const large = await api.uploadJob({ repo_token: token, source_files: [{ name: 'large.ts', coverage: [1], source }] });
  expect([large.status, large.text]).toEqual([200, expect.stringContaining('Job #')]);
  // 900 MiB were sent.
  expect(memory() - before).toBeLessThan(300 * MIB);
  end();
});
