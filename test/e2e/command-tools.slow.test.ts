import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCompanyNetwork } from '../support/company-network.ts';
import { coverageApi } from '../support/coverage-api.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { runCommand, USERS_NODE } from '../support/run-command.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** The built command: what it finds out, through a company's proxy too, and what it makes of reports. */

let server: ServerProcess;
let repo: GitRepo;
let token: string;

beforeAll(async () => {
  server = await startServer();
  ({ token } = await coverageApi(server.url, server.adminToken).createRepo({ service: 'manual', name: 'acme/shop' }));
  repo = createGitRepo();
  repo.commit('Add a file', { 'a.js': 'a();\nb();\n' });
  writeFileSync(join(repo.directory, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
});
afterAll(async () => {
  repo.remove();
  await server.dispose();
});

interface Findings {
  readonly findings: readonly {
    readonly subject: string;
    readonly text: string;
    readonly remedy: string;
    readonly code: number;
  }[];
}

const doctor = async (env: Record<string, string>, ...args: readonly string[]) => {
  const { code, stdout } = await runCommand(['doctor', '--json', ...args], {
    folder: repo.directory,
    env,
    node: USERS_NODE,
  });
  const { findings } = JSON.parse(stdout) as Findings;
  return { code, ...Object.fromEntries(findings.map((finding) => [finding.subject, finding])) };
};

describe('doctor', () => {
  test('what is well has no remedy, and 0 is the end', async () => {
    const env = {
      COVERALLS_ENDPOINT: server.url,
      COVERALLS_REPO_TOKEN: token,
      DRONE: 'true',
      DRONE_BUILD_NUMBER: '71',
    };
    expect(await doctor(env)).toMatchObject({
      code: 0,
      CI: { text: 'Drone', remedy: '' },
      Run: { text: 'drone, number 71, job id 71' },
      Commit: { text: `${repo.sha('HEAD')}, branch main` },
      Checkout: { text: `${repo.directory}, 1 tracked file` },
      Reports: { text: '1 file with 2 relevant lines, of lcov.info (lcov)' },
      Server: { text: `${server.url} answers` },
      Command: { text: expect.stringMatching(/^\d.* on Node \d.*, is what this server hands out$/), remedy: '' },
      Clock: { text: "is the server's" },
      Token: { text: 'is the token of a repo there' },
    });
  });

  test('2, 3 and 4: no server and no token, a token that is not taken, a server that is away', async () => {
    const nothing = await doctor({});
    expect(nothing).toMatchObject({ code: 2, Server: { remedy: expect.stringContaining('COVERAGE_ENDPOINT') } });
    const known = { COVERAGE_ENDPOINT: server.url };
    expect(await doctor(known)).toMatchObject({ code: 2, Token: { text: 'none is known' } });
    const refused = await doctor({ ...known, COVERALLS_REPO_TOKEN: 'not-a-token' });
    expect(refused).toMatchObject({ code: 3, Token: { remedy: expect.stringContaining('COVERALLS_REPO_TOKEN') } });
    const away = await doctor({}, '--endpoint=http://127.0.0.1:5');
    expect(away).toMatchObject({ code: 4, Server: { text: expect.stringContaining('connection refused') } });
    expect(await doctor(known, 'none.info')).toMatchObject({ code: 2, Reports: { code: 2 } });
    expect(await doctor({}, '--endpoint=coverage.example')).toMatchObject({ code: 2, Server: { code: 2 } });
  });
});

test('in a company’s network a report goes by its proxy and its own authority', async () => {
  const network = await startCompanyNetwork(['coverage.test']);
  network.publish('coverage.test', server.port);
  const env = {
    COVERAGE_ENDPOINT: 'https://coverage.test',
    COVERALLS_REPO_TOKEN: token,
    HTTPS_PROXY: network.proxyUrl,
  };
  const call = { folder: repo.directory, env, node: USERS_NODE };
  const report = ['report', `--ca-file=${network.caFile}`, '--timeout=5', '--parallel'];
  try {
    expect(await runCommand(report, call)).toMatchObject({ code: 0, stdout: expect.stringContaining('Job #') });
    expect(network.connects()).toContain('coverage.test:443');
    const untrusted = await runCommand(['report', '--timeout=5'], call);
    expect(untrusted).toMatchObject({ code: 4, stderr: expect.stringContaining('certificate is not trusted') });
    network.answerWith(403);
    const closed = await runCommand(
      ['report', '--timeout=1', '--send-source=none', `--ca-file=${network.caFile}`],
      call,
    );
    expect(closed).toMatchObject({ code: 4, stderr: expect.stringContaining('refused to connect (403)') });
  } finally {
    await network.close();
  }
});

test('reports of two formats become one, in a file that is there whole or not at all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-merge-'));
  try {
    const call = { folder, node: USERS_NODE };
    writeFileSync(join(folder, 'unit.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\n');
    writeFileSync(join(folder, 'e2e.json'), '{"source_files":[{"name":"a.js","coverage":[2,3,null,0]}]}');
    const merged = await runCommand(['merge', '-o', 'all.xml', 'unit.info', 'e2e.json'], call);
    expect(merged).toMatchObject({ code: 0, stderr: 'all.xml: 1 file\n' });
    const back = await runCommand(['convert', 'all.xml'], call);
    expect(back.stdout.split('\n').filter((line) => /^(?:SF|DA|BRDA)/.test(line))).toEqual([
      'SF:a.js',
      'DA:1,3',
      'DA:2,3',
      'DA:4,0',
      'BRDA:1,0,0,1',
      'BRDA:1,0,1,0',
    ]);
    const unknown = await runCommand(['merge', '-o', 'all.txt', 'unit.info'], call);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') });
    const several = await runCommand(['convert', 'unit.info', 'e2e.json'], call);
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('convert takes one report') });
    const nowhere = await runCommand(['merge', '-o', 'no/where.info', 'unit.info'], call);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
