import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { HEAD, startTokenScene, TOKENS } from '../support/provider-token-scene.ts';
import { COVERAGE_YML, hits, startRulesScene } from '../support/rules-scene.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';

/** A repo's own file where no git host can be asked for it: as trusted pushes to the default branch send it. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const file = (text: string, path = COVERAGE_YML) => ({ coverage_yml: { path, text } });
const EIGHTY = file('total: { minimum: 80 }\n');
const ZERO = file('total: { minimum: 0 }\n');
const NONE = { coverage_yml: null };

const onBranch = (branch: string) => ({ git: { branch } });
const MAIN = onBranch('main');
const pull = (number = 7, base: object = {}) => ({
  service_pull_request: String(number),
  service_base_branch: 'main',
  git: { branch: 'change' },
  ...base,
});

/** A repo and what sends it builds, each of a commit of its own unless it is named. */
async function begin(fields: Record<string, unknown> = {}) {
  const repo = await service.newRepo(fields);
  let sent = 0;
  const jobOf = (place: object, covered: number) => {
    sent += 1;
    return {
      ...job({ repo_token: repo.token }),
      service_number: `run-${sent}`,
      commit_sha: shaOf(`${repo.name} ${sent}`),
      source_files: [sourceFile('src/a.ts', [...hits(covered, 100)])],
      ...place,
    };
  };
  const send = (place: object, covered = 85): Promise<BuildJson> => service.uploadAlone(jobOf(place, covered));
  return { repo, send, jobOf };
}

const fileOf = ({ rules }: BuildJson) => rules?.file?.commit_sha;
const FAILS = { verdict: { state: 'failure', rule: 'minimum' } };

describe('a push to the default branch', () => {
  test.each(['manual', 'github'])(
    'of a repo of the service %s brings the file that judges it and what follows',
    async (name) => {
      const { send } = await begin({ service: name });
      const main = await send({ ...MAIN, ...EIGHTY });
      expect(main.rules?.file).toMatchObject({ path: COVERAGE_YML, commit_sha: main.commit_sha });
      const change = await send({ ...pull(), ...ZERO }, 62);
      expect(change).toMatchObject(FAILS);
      expect(fileOf(change)).toBe(main.commit_sha);
      expect(await send(onBranch('feat/x'), 70)).toMatchObject(FAILS);
      expect(await send(MAIN, 70)).toMatchObject(FAILS);
    },
  );

  test('with another file: it counts from there on, and one without the file says nothing', async () => {
    const { send } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    const lower = await send({ ...MAIN, ...file('total: { minimum: 50 }\n') }, 62);
    expect(lower).toMatchObject({ verdict: { state: 'success' } });
    for (let more = 0; more < 21; more += 1) await send(MAIN, 62);
    expect(fileOf(await send(pull(), 49))).toBe(lower.commit_sha);
  });

  test('without a file: it is judged again by an older one, however many came since', async () => {
    const { repo, send } = await begin();
    const older = await send({ ...MAIN, ...EIGHTY });
    const without = await send(MAIN);
    await send({ ...MAIN, ...file('total: { minimum: 90 }\n') }, 95);
    const again = { repo_token: repo.token, build_num: without.service_number ?? '' };
    const { status } = await service.api.send(`/rerun_build?${new URLSearchParams(again)}`, { method: 'POST' });
    expect(status).toBe(200);
    const rerun = await service.closed(without.id);
    expect([fileOf(rerun), rerun.verdict?.state]).toEqual([older.commit_sha, 'success']);
  });

  test('that has none any more: the settings hold', async () => {
    const { send } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    await send({ ...MAIN, ...NONE }, 62);
    const change = await send(pull(), 62);
    expect([change.rules?.file, change.verdict?.state]).toEqual([null, 'success']);
  });

  test('the page of rules shows the file', async () => {
    const { repo, send } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    const { text } = await service.api.send(`/manual/${repo.name}/rules`, {
      headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' },
    });
    expect(text).toContain('minimum: 80');
  });
});

describe('what changes no rule', () => {
  test('a pull request: it is judged by the file of the default branch, and says what it changes', async () => {
    const { send } = await begin();
    const main = await send({ ...MAIN, ...EIGHTY });
    const head = shaOf('a change of the file');
    const files = [{ name: COVERAGE_YML, kind: 'modified', hunks: [[1, 1, 1, 1]] }];
    const diff = { base_sha: main.commit_sha, head_sha: head, complete: true, files };
    const base = { commit_sha: head, service_base_sha: main.commit_sha, diff };
    const lowers = await send({ ...pull(7, base), ...ZERO }, 62);
    expect(lowers).toMatchObject({
      ...FAILS,
      rules: {
        file: { commit_sha: main.commit_sha },
        proposal: { changes: [{ key: 'total.minimum', from: '80', to: '0' }], would: 'success' },
      },
    });
    const breaks = await send({ ...pull(8, base), ...file('total: { target: 80 }\n') }, 90);
    expect(breaks).toMatchObject({ verdict: { state: 'failure', rule: 'invalid-file' } });
    expect(await send(pull(9), 62)).toMatchObject(FAILS);
  });

  test('a pull request that names an older base, whose file asked for less', async () => {
    const { send } = await begin();
    const older = await send({ ...MAIN, ...ZERO });
    await send({ ...MAIN, ...EIGHTY });
    const named = { service_base_sha: older.commit_sha, compare_sha: older.commit_sha };
    expect(await send(pull(7, named), 62)).toMatchObject(FAILS);
  });

  test.each([
    ['a push to another branch', onBranch('feat/x')],
    ['a tag', onBranch('refs/tags/main')],
    ['a merge queue', onBranch(`gh-readonly-queue/main/pr-7-${shaOf('base')}`)],
  ])('%s', async (_, place) => {
    const { send } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    await send({ ...place, ...ZERO }, 62);
    expect(await send(pull(), 62)).toMatchObject(FAILS);
  });

  test('another upload of a commit whose file is known', async () => {
    const { repo, send } = await begin();
    const main = await send({ ...MAIN, ...EIGHTY });
    const again = await send({ ...MAIN, ...ZERO, commit_sha: main.commit_sha, service_number: 'forged' }, 62);
    expect([fileOf(again), again.verdict?.state]).toEqual([main.commit_sha, 'failure']);
    const joined = await send(
      { ...MAIN, ...ZERO, commit_sha: main.commit_sha, service_number: main.service_number },
      62,
    );
    expect(joined.id).toBe(main.id);
    expect(warningsOf(joined).join()).toContain('states coverage.yml');
    expect(await send(pull(), 62)).toMatchObject(FAILS);
    expect(repo.service).toBe('manual');
  });

  test('an upload without a token, or with a wrong one', async () => {
    const { repo, send, jobOf } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    for (const forged of [{ repo_token: undefined, repo_name: repo.name }, { repo_token: 'x'.repeat(32) }]) {
      const { status } = await service.api.uploadJob({ ...jobOf({ ...MAIN, ...ZERO }, 62), ...forged });
      expect(status).toBe(422);
    }
    expect(await send(pull(), 62)).toMatchObject(FAILS);
  });

  test('an upload by the token of a workflow, which a fork’s pull request has, too', async () => {
    const scene = await startTokenScene({ GITHUB_TOKEN: '' });
    try {
      const repo = await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
      const send = (fields: object, covered: number) =>
        scene.service.uploadAlone({
          ...job({ repo_token: repo.token, repo_name: repo.name, service_name: 'github' }),
          source_files: [sourceFile('src/a.ts', [...hits(covered, 100)])],
          ...fields,
        });
      const before = shaOf('before');
      await send({ ...MAIN, ...EIGHTY, commit_sha: before, service_number: '1' }, 85);
      // It names a run of the default branch that is under way.
      const ofRun = { service_number: String(scene.addRun()), commit_sha: HEAD };
      const forged = await send({ ...MAIN, ...ZERO, ...ofRun, repo_token: TOKENS.workflow }, 62);
      expect([fileOf(forged), warningsOf(forged).join()]).toEqual([
        before,
        expect.stringContaining("GitHub doesn't say which run this token belongs to"),
      ]);
      const change = await send({ ...pull(), commit_sha: shaOf('change'), service_number: '2' }, 62);
      expect(change).toMatchObject(FAILS);
    } finally {
      await scene.end();
    }
  });

  test.each([
    ['another path', file('total: off\n', 'coverage.yml'), 'path must be .github/coverage.yml or'],
    ['no text', { coverage_yml: { path: COVERAGE_YML } }, 'text must be a string, and is'],
    ['a list', { coverage_yml: [] }, 'it must be an object, and is'],
    ['more than 64 KiB', file(`#${'x'.repeat(65_536)}`), 'text must be 65536 bytes at most, without NUL, and is'],
  ])('%s: a warning says why', async (_, field, warning) => {
    const { send } = await begin();
    await send({ ...MAIN, ...EIGHTY });
    const main = await send({ ...MAIN, ...field });
    expect(warningsOf(main).join()).toContain(`The upload's coverage_yml was not used: ${warning}`);
    expect(await send(pull(), 62)).toMatchObject(FAILS);
  });
});

test('a file with errors: the last valid one holds, and the build says so', async () => {
  const { send } = await begin();
  const main = await send({ ...MAIN, ...EIGHTY });
  const broken = await send({ ...MAIN, ...file('total: { target: 80 }\n') }, 70);
  expect(broken).toMatchObject(FAILS);
  const change = await send(pull(), 70);
  expect(change).toMatchObject({
    ...FAILS,
    rules: { file: { commit_sha: main.commit_sha }, broken: { commit_sha: broken.commit_sha, line: 1 } },
  });
});

test('owners are not available without a git host, and the build says so', async () => {
  const { send } = await begin();
  const main = await send({ ...MAIN, ...file('owners: true\n') });
  expect([main.rules?.owners_available, main.owners ?? []]).toEqual([false, []]);
  expect(main.warnings.join()).toContain('CODEOWNERS is not available here: owners are not counted.');
});

test('config_file off: the file is not used, and counts from the next push on once it is', async () => {
  const { repo, send } = await begin();
  await service.api.changeSettings(repo.name, { config_file: 'off' }, 'manual');
  expect(await send({ ...MAIN, ...EIGHTY }, 62)).toMatchObject({ verdict: { state: 'success' } });
  await service.api.changeSettings(repo.name, { config_file: 'on' }, 'manual');
  await send({ ...MAIN, ...EIGHTY });
  expect(await send(pull(), 62)).toMatchObject(FAILS);
});

test('where the git host can be asked, its word alone counts', async () => {
  const scene = await startRulesScene();
  try {
    const repo = await scene.repoWith({ [COVERAGE_YML]: 'total: { minimum: 80 }\n' }, { 'src/a.ts': hits(85, 100) });
    const main = await repo.push({ files: { 'src/a.ts': hits(62, 100) }, fields: ZERO });
    expect(main).toMatchObject(FAILS);
    expect(await repo.pull({ files: { 'src/a.ts': hits(62, 100) }, fields: ZERO })).toMatchObject(FAILS);
  } finally {
    await scene.end();
  }
});
