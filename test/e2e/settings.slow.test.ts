import { afterEach, expect, test } from 'vitest';
import { coverageApi } from '../support/coverage-api.ts';
import { createGitRepo } from '../support/git-repo.ts';
import { runCommand } from '../support/run-command.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const servers: ServerProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.dispose();
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ env });
  servers.push(server);
  return server;
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly client?: string;
}
const linesOf = (server: ServerProcess) => server.output().map((line) => JSON.parse(line) as Line);

test('every line of the log is JSON, at the least level too, and a mistyped setting is told in it', async () => {
  const server = await start({ RETENTON_DAYS: '3', LOG_LEVEL: 'warn' });
  const told = expect.stringContaining('RETENTON_DAYS is set, and is no setting of this server: did you mean');
  expect(linesOf(server)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 'warn', msg: told }),
      expect.objectContaining({ level: 'info', msg: `listening on ${server.url}` }),
    ]),
  );
  const verbose = await fetch(`${server.url}/readyz?verbose`, {
    headers: { authorization: `token ${server.adminToken}` },
  });
  const { checks } = (await verbose.json()) as { readonly checks: readonly object[] };
  expect(checks[0]).toMatchObject({ name: 'settings', state: 'warning', seen: told });
  await server.stop();
  expect(linesOf(server).filter(({ msg }) => msg.includes('RETENTON_DAYS'))).toHaveLength(1);
});

test('the command says who it is', async () => {
  const server = await start({});
  const { token } = await coverageApi(server.url, server.adminToken).createRepo({ service: 'manual', name: 'acme/shop' });
  const repo = createGitRepo();
  repo.commit('Add a file', { 'a.js': 'one();\n', 'lcov.info': 'SF:a.js\nDA:1,1\nend_of_record\n' });
  const env = { COVERAGE_ENDPOINT: server.url, COVERALLS_REPO_TOKEN: token };
  expect(await runCommand(['report'], { folder: repo.directory, env })).toMatchObject({ code: 0 });
  repo.remove();
  const [upload] = linesOf(server).filter(({ msg }) => msg === 'upload accepted');
  expect(upload?.client).toMatch(/^coverage-service-command\/\d+\.\d+\.\d+$/);
});
