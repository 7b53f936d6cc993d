import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** What a repo's own file says of comments, statuses and groups, as the git host shows it. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene();
});
afterAll(() => scene.end());

const shaOf = ({ commit_sha }: BuildJson): string => commit_sha ?? '';
/** Line 1 is what the change changes. */
const MISSED = [0, ...hits(9, 9)];
const BASE = { 'src/a.ts': hits(9, 10) };

describe('comment', () => {
  test.each([
    ['always', hits(9, 10), true],
    ['off', hits(8, 10), false],
    ['on-change', hits(9, 10), false],
    ['on-change', hits(10, 10), true],
    ['on-drop', hits(10, 10), false],
    ['on-drop', hits(8, 10), true],
    ['on-missed', hits(8, 10), false],
    ['on-missed', MISSED, true],
  ])('%s, a pull request with the hits %j: %s', async (mode, lines, expected) => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: `total: { drop: 50 }\ncomment: ${mode}\n` }, BASE);
    const build = await repo.pull({ files: { 'src/a.ts': lines }, changed: ['src/a.ts'] });
    expect(build.overall?.state).toBe('success');
    await repo.delivered();
    expect(repo.comment(7) !== '').toBe(expected);
  });

  test.each(['on-change', 'on-drop', 'on-missed'])('%s: reports what fails', async (mode) => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: `total: { minimum: 99 }\ncomment: ${mode}\n` }, BASE);
    await repo.pull({ files: BASE, changed: ['src/a.ts'] });
    await repo.delivered();
    expect(repo.comment(7)).toContain('minimum of 99%');
  });
});

test.each([
  ['2999-01-01', 'success', [], ['total']],
  ['2020-01-01', 'failure', ['total'], []],
])('until %s', async (until, state, failing, would_fail) => {
  const repo = await scene.repoWith({ [COVERAGE_YML]: `total: { minimum: 99, until: ${until} }\n` }, BASE);
  const build = await repo.pull({ files: BASE, changed: ['src/a.ts'] });
  expect(build.overall).toMatchObject({ state, failing, would_fail });
  await repo.delivered();
  expect(repo.statuses(shaOf(build)).coverage).toMatch(new RegExp(`^${state}: `));
});

describe('groups', () => {
  const YML = 'groups: [{ name: Pages, paths: [ui/**], total: { drop: 0 }, status: true }]\n';
  const FILES = { 'cli/a.ts': hits(8, 10), 'ui/a.ts': hits(8, 10) };
  const WORSE = { 'cli/a.ts': hits(10, 10), 'ui/a.ts': hits(7, 10) };

  test('untouched: judge decides by groups that the change does not touch', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: `${YML}untouched: judge\n` }, FILES);
    const build = await repo.pull({ files: WORSE, changed: ['cli/a.ts'] });
    expect(build.overall).toMatchObject({ state: 'failure', failing: ['group:pages'] });
  });

  test('the status coverage sums all up only where the settings ask for it; contexts stay', async () => {
    const texts = { [COVERAGE_YML]: YML };
    for (const [coverage_status, starts] of [
      ['total', 'success: 85.00%'],
      ['overall', 'failure: '],
    ] as const) {
      const repo = await scene.repoWith(texts, FILES, { coverage_status });
      const build = await repo.pull({ files: WORSE, changed: ['ui/a.ts'] });
      await repo.delivered();
      const statuses = repo.statuses(shaOf(build));
      expect(Object.keys(statuses).sort()).toEqual(['coverage', 'coverage (Pages)']);
      expect(statuses.coverage?.startsWith(starts)).toBe(true);
      expect(statuses['coverage (Pages)']).toMatch(/^failure: 70\.00%/);
    }
  });

  test('one that is called as a flag says so in its status', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: YML.replace('Pages', 'Unit') }, FILES);
    const build = await repo.pull({ files: FILES, changed: ['ui/a.ts'], fields: { flag_name: 'unit' } });
    await repo.delivered();
    expect(Object.keys(repo.statuses(shaOf(build))).sort()).toEqual([
      'coverage',
      'coverage (Unit, group)',
      'coverage (unit)',
    ]);
  });

  test('the status of one that the file no longer names ends', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: YML }, FILES);
    const build = await repo.pull({ files: WORSE, changed: ['ui/a.ts'] });
    await repo.delivered();
    expect(repo.statuses(shaOf(build))['coverage (Pages)']).toMatch(/^failure/);
    await scene.service.api.changeSettings(repo.name, { config_file: 'off' });
    const again = { repo_token: repo.token, build_num: build.service_number ?? '' };
    const { status } = await scene.service.api.send(`/rerun_build?${new URLSearchParams(again)}`, { method: 'POST' });
    expect(status).toBe(200);
    await scene.service.closed(build.id);
    await repo.delivered();
    expect(repo.statuses(shaOf(build))['coverage (Pages)']).toBe('success: this group is gone from coverage.yml');
  });
});
