import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';
import { waitFor } from '../support/wait-for.ts';

/** What the repo's own file says of uploads and of single flags. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene({ LATE_JOB_PERIOD: '200ms' });
});
afterAll(() => scene.end());

/** MongoDB goes by a clock of its own. */
const MOVES_TIME = { skip: process.env.TEST_MONGODB_URL !== undefined };
const QUIET = 31 * 60_000;

const withFile = (text: string) => scene.repoWith({ [COVERAGE_YML]: text }, { 'a.ts': hits(8, 10) });

/** A push to main that brings the file, and uploads to its build. */
async function pushWith(text: string, fields: object = {}) {
  const repo = await scene.repoWith({}, { 'a.ts': hits(8, 10) });
  const sha = shaOf(`${repo.name} pushed`);
  scene.github.addCommit(repo.name, { sha, parents: [repo.main.commit_sha ?? ''], branch: 'main' });
  scene.github.putFile(repo.name, { sha, path: COVERAGE_YML, content: text });
  let sent = 0;
  const upload = async (flag?: string): Promise<string> => {
    sent += 1;
    const { build } = await scene.service.upload({
      ...job({ repo_token: repo.token, commit_sha: sha, service_number: 'pushed', git: { branch: 'main' } }),
      ...(flag !== undefined && { flag_name: flag }),
      source_files: [sourceFile('a.ts', [...hits(8, 10)]), sourceFile(`part-${sent}.ts`, [1])],
      ...fields,
    });
    return build;
  };
  const settled = (id: string, done: (build: Awaited<ReturnType<typeof scene.service.build>>) => boolean) =>
    waitFor(
      async () => {
        const build = await scene.service.build(id);
        return done(build) ? build : undefined;
      },
      { what: 'the build to be settled', intervalMs: 5, meanwhile: scene.service.time.skipPause },
    );
  return { repo, sha, upload, settled };
}

describe('uploads: 3', () => {
  test.each([
    ['of jobs that would each close the build', {}],
    ['of parallel jobs', { parallel: true }],
  ])('%s: pending until the third, which closes it', async (_, fields) => {
    const { repo, sha, upload, settled } = await pushWith('uploads: 3\ntotal: { minimum: 50 }\n', fields);
    const id = await upload();
    await upload();
    const waiting = await settled(id, (build) => build.expected_jobs?.arrived === 2);
    expect(waiting).toMatchObject({ state: 'open', verdict: null, expected_jobs: { expected: 3 } });
    await waitFor(() => repo.statuses(sha).coverage?.startsWith('pending: '), { what: 'the pending status' });
    await upload();
    const closed = await settled(id, (build) => build.state === 'closed');
    expect(closed.verdict).toMatchObject({ state: 'success', rule: 'minimum' });
    expect(closed.jobs).toHaveLength(3);
  });

  test('what its CI closes earlier is incomplete, and the last upload fixes that', async () => {
    const { repo, sha, upload, settled } = await pushWith('uploads: 3\ntotal: { minimum: 50 }\n', { parallel: true });
    const id = await upload();
    await upload();
    await scene.service.close(repo.token, 'pushed');
    expect(await scene.service.build(id)).toMatchObject({ verdict: { state: 'incomplete' } });
    await repo.delivered();
    expect(repo.statuses(sha).coverage).toMatch(/^error: incomplete: 2 of 3 uploads arrived/);
    await upload();
    expect((await settled(id, ({ verdict }) => verdict?.state !== 'incomplete')).verdict?.state).toBe('success');
  });

  test('the deadline closes what waits, as incomplete', MOVES_TIME, async () => {
    const { upload, settled } = await pushWith('uploads: 3\n');
    const id = await upload();
    await settled(id, (build) => build.expected_jobs !== undefined);
    await scene.service.time.pass(QUIET);
    const closed = await settled(id, ({ state }) => state === 'closed');
    expect(closed).toMatchObject({ closed_by: 'deadline', overall: { state: 'incomplete', failing: ['total'] } });
    const page = await scene.service.api.send(`/builds/${id}`, {
      headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
    });
    expect(page.text).toContain('1 of 3 uploads arrived');
  });
});

describe('uploads of a flag', () => {
  test('fewer make the flag and its build incomplete; without any the flag is not asked for', async () => {
    const { repo, sha, upload, settled } = await pushWith('flags: { unit: { uploads: 2 }, e2e: { uploads: 9 } }\n', {
      parallel: true,
    });
    const id = await upload('unit');
    await scene.service.close(repo.token, 'pushed');
    const short = await scene.service.build(id);
    expect(short.overall).toMatchObject({ state: 'incomplete', failing: ['total', 'flag:unit'] });
    await repo.delivered();
    expect(repo.statuses(sha)['coverage (unit)']).toMatch(/^error: incomplete: 1 of 2 uploads of unit arrived/);
    await upload('unit');
    const whole = await settled(id, ({ overall }) => overall?.state !== 'incomplete');
    expect(whole.overall).toMatchObject({ state: 'success', failing: [] });
  });

  test('of one that informs alone do not hold the build up', async () => {
    const { repo, upload } = await pushWith('flags: { unit: { uploads: 2, informational: true } }\n', {
      parallel: true,
    });
    const id = await upload('unit');
    await scene.service.close(repo.token, 'pushed');
    expect((await scene.service.build(id)).overall).toMatchObject({ state: 'success', would_fail: ['flag:unit'] });
  });
});

test('paths of a flag: other files of its reports do not count, those of other flags do', async () => {
  const repo = await withFile("flags: { unit: { paths: ['src/**', '!src/gen/**'] } }\n");
  const files = { 'src/a.ts': [1, 1], 'src/gen/b.ts': [0, 0], 'test/c.ts': [0] };
  const ofUnit = await repo.pull({ files, fields: { flag_name: 'unit' } });
  expect(ofUnit).toMatchObject({ covered_percent: 100, relevant_lines: 2, flags: [{ covered_percent: 100 }] });
  const ofOther = await repo.pull({ number: 8, files, fields: { flag_name: 'other' } });
  expect(ofOther).toMatchObject({ covered_percent: 40, relevant_lines: 5 });
});

describe('changes of a flag', () => {
  const RULE = 'total: off\nflags: { unit: { drop: 100, changes: { minimum: 90 } } }\n';

  test('are judged by its own reports, in the check of the flag', async () => {
    const repo = await withFile(RULE);
    const pull = { files: { 'a.ts': [0, 1, 1] }, changed: ['a.ts'] };
    const build = await repo.pull({ ...pull, fields: { flag_name: 'unit' } });
    expect(build.flags).toMatchObject([{ changes_percent: 0, verdict: { state: 'failure', rule: 'patch-minimum' } }]);
    expect(build.overall).toMatchObject({ state: 'failure', failing: ['flag:unit'] });
    await repo.delivered();
    expect(repo.statuses(build.commit_sha ?? '')['coverage (unit)']).toMatch(/^failure: .*minimum of 90%/);
    const other = await repo.pull({ number: 8, ...pull, fields: { flag_name: 'other' } });
    expect(other.overall?.failing).toEqual([]);
    expect(other.flags[0]).not.toHaveProperty('changes_percent');
  });

  test('informational: shown, and nothing fails', async () => {
    const repo = await withFile(RULE.replace('minimum: 90', 'minimum: 90, informational: true'));
    const build = await repo.pull({
      files: { 'a.ts': [0, 1, 1] },
      changed: ['a.ts'],
      fields: { flag_name: 'unit' },
    });
    expect(build.overall).toMatchObject({ state: 'success', would_fail: ['flag:unit'] });
  });
});
