import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBinary, runRealHost } from '../support/real-host/run-real-host.ts';

const STEPS = ['doctor', 'webhook', 'status', 'comment', 'hook', 'sign-in'];

async function told(services: readonly string[], options: Parameters<typeof runRealHost>[1] = {}) {
  const lines: string[] = [];
  const code = await runRealHost(services, options, (line) => lines.push(line));
  return { code, lines };
}

test.each(['gitea', 'forgejo'] as const)('a pull request at a real %s', async (service) => {
  const binary = findBinary(service);
  const { code, lines } = await told([service]);
  expect(code).toBe(0);
  if (binary === undefined || !existsSync(binary)) expect(lines[0]).toMatch(/^Skipped: there is no /);
  else expect(lines.map((line) => /^ok {2}([\w-]+): /.exec(line)?.[1])).toEqual(STEPS);
});

test('without the binary it says so; another host is none of those that it starts', async () => {
  expect(await told(['gitea'], { binary: '/none/gitea' })).toEqual({
    code: 0,
    lines: ['Skipped: there is no /none/gitea. Name the binary: npm run real-host -- gitea --binary <path>.'],
  });
  expect(await told(['gitlab'])).toEqual({ code: 2, lines: [expect.stringContaining('usage: npm run real-host')] });
});
