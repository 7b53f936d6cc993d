import { expect, test } from 'vitest';
import { runBuilt } from './marked-secrets/run-command.ts';

const ENV = {
  COVERAGE_SERVER: 'http://127.0.0.1:1',
  COVERAGE_TOKEN: 'cvp_unknown',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  DATABASE_URL: 'sqlite:nowhere/coverage.db',
};

test.each([
  ['main', []],
  ['token', ['list']],
  ['doctor', []],
  ['repos', ['apply', 'repos.yaml']],
  ['copy-store', ['--from', 'mongodb://127.0.0.1:1/a', '--to', 'mongodb://127.0.0.1:1/b']],
])('%s does not start where certificates are not to be checked', async (name, args) => {
  const { code, stdout, stderr } = await runBuilt(name, args, { env: ENV });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED is 0');
});
