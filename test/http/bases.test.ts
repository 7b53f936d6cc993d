import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Fields = Readonly<Record<string, unknown>>;
type Step = readonly [number: string, fields: Fields];

/** Builds of one job each, in order; answers them by number. A build's commit is the sha of its number. */
async function history(...steps: readonly Step[]): Promise<ReadonlyMap<string, BuildJson>> {
  const { token } = await service.newRepo({ service: 'github' });
  const builds = new Map<string, BuildJson>();
  for (const [number, fields] of steps) {
    const own = { service_number: number, commit_sha: shaOf(number), git: { branch: 'main' } };
    builds.set(number, await service.uploadAlone({ ...job({ repo_token: token }), ...own, ...fields }));
  }
  return builds;
}

/** The base of the last build, as its number and the rule by which it was found. */
async function baseAfter(...steps: readonly Step[]): Promise<string> {
  const builds = await history(...steps);
  const last = [...builds.values()].at(-1);
  const base = last?.base;
  if (!base) return 'none';
  const found = [...builds.values()].find(({ id }) => id === base.build);
  expect(base).toEqual({
    build: found?.id,
    commit_sha: found?.commit_sha,
    rule: base.rule,
    commits_away: base.rule === 'merge-parent' ? 0 : null,
  });
  return `${found?.number} ${base.rule}`;
}

const put = (path: string, body: object) => {
  const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
  return service.api.send(path, { method: 'PUT', headers, body: JSON.stringify(body) });
};

const on = (branch: string): Fields => ({ git: { branch } });
const pull = (number: number, fields: Fields = {}): Fields => ({
  service_pull_request: String(number),
  git: { branch: 'topic' },
  ...fields,
});
const sha = (number: string) => shaOf(number);
const NOTHING_RELEVANT = { source_files: [] };
const tag: Fields = { git: { branch: 'refs/tags/main' } };

describe('the base of a push (rule 18)', () => {
  const rows: readonly (readonly [what: string, expected: string, ...steps: Step[]])[] = [
    ['none for the first build', 'none', ['1', {}]],
    [
      'the previous on its branch',
      '2 previous-on-branch',
      ['1', {}],
      ['2', on('topic')],
      ['3', {}],
      ['4', on('topic')],
    ],
    ['else the newest on the default branch', '2 default-branch', ['1', {}], ['2', {}], ['3', on('topic')]],
    ['main before master', '1 default-branch', ['1', {}], ['2', on('master')], ['3', on('topic')]],
    ['master where there is no main', '1 default-branch', ['1', on('master')], ['2', on('topic')]],
    ['else none', 'none', ['1', on('one')], ['2', on('two')]],
    ['compare_sha before all', '1 compare-sha', ['1', on('old')], ['2', {}], ['3', { compare_sha: sha('1') }]],
    ['compare_sha in capitals', '1 compare-sha', ['1', on('old')], ['2', { compare_sha: sha('1').toUpperCase() }]],
    ['compare_sha that no build has gives way', '1 previous-on-branch', ['1', {}], ['2', { compare_sha: sha('none') }]],
    [
      'compare_ref',
      '2 compare-ref',
      ['1', on('release')],
      ['2', on('release')],
      ['3', {}],
      ['4', { compare_ref: 'refs/heads/release' }],
    ],
    [
      'compare_sha before compare_ref',
      '1 compare-sha',
      ['1', on('a')],
      ['2', on('b')],
      ['3', { compare_sha: sha('1'), compare_ref: 'b' }],
    ],
    ['never a build of its own commit', '1 previous-on-branch', ['1', {}], ['2', { commit_sha: sha('3') }], ['3', {}]],
    ['never a build without a percentage', '1 previous-on-branch', ['1', {}], ['2', NOTHING_RELEVANT], ['3', {}]],
    [
      'never a pull request’s, whatever branch it states',
      '1 previous-on-branch',
      ['1', {}],
      ['2', pull(7, on('main'))],
      ['3', {}],
    ],
    ['never a tag’s', '1 previous-on-branch', ['1', {}], ['2', tag], ['3', {}]],
    [
      'a tag is on no branch',
      '2 default-branch',
      ['1', on('topic')],
      ['2', {}],
      ['3', { git: { branch: 'refs/tags/topic' } }],
    ],
  ];
  for (const [what, expected, ...steps] of rows) {
    test(what, async () => {
      expect(await baseAfter(...steps)).toBe(expected);
    });
  }
});

describe('the base of a pull request (rule 18)', () => {
  const merged = (base: string): Fields =>
    pull(7, { service_tested_sha: sha('merge'), service_base_sha: base, service_base_branch: 'main' });
  const rows: readonly (readonly [what: string, expected: string, ...steps: Step[]])[] = [
    ['tested at its merge commit: the first parent’s', '1 merge-parent', ['1', {}], ['2', {}], ['3', merged(sha('1'))]],
    [
      'tested at its merge commit, whose first parent has no build: the base branch’s',
      '2 base-branch',
      ['1', {}],
      ['2', {}],
      ['3', merged(sha('none'))],
    ],
    [
      'not tested there: service_base_sha does not decide',
      '2 base-branch',
      ['1', {}],
      ['2', {}],
      ['3', pull(7, { service_base_sha: sha('1'), service_base_branch: 'main' })],
    ],
    [
      'service_base_branch',
      '2 base-branch',
      ['1', {}],
      ['2', on('release')],
      ['3', {}],
      ['4', pull(7, { service_base_branch: 'origin/release' })],
    ],
    [
      'not its own branch’s',
      '1 base-branch',
      ['1', {}],
      ['2', on('topic')],
      ['3', pull(7, { service_base_branch: 'main' })],
    ],
    [
      'not its own last build',
      '1 base-branch',
      ['1', {}],
      ['2', pull(7)],
      ['3', pull(7, { service_base_branch: 'main' })],
    ],
    ['an unknown base branch: the default branch', '1 default-branch', ['1', {}], ['2', pull(7)]],
    [
      'compare_sha before all',
      '1 compare-sha',
      ['1', on('x')],
      ['2', {}],
      ['3', { ...merged(sha('2')), compare_sha: sha('1') }],
    ],
    [
      'compare_ref before the base branch',
      '1 compare-ref',
      ['1', on('x')],
      ['2', {}],
      ['3', pull(7, { compare_ref: 'x', service_base_branch: 'main' })],
    ],
    ['none', 'none', ['1', on('x')], ['2', pull(7, { service_base_branch: 'main' })]],
    [
      'a merge queue’s build: the commit it was made on',
      '1 merge-parent',
      ['1', {}],
      ['2', {}],
      ['3', { git: { branch: `gh-readonly-queue/main/pr-7-${sha('1')}` } }],
    ],
  ];
  for (const [what, expected, ...steps] of rows) {
    test(what, async () => {
      expect(await baseAfter(...steps)).toBe(expected);
    });
  }

  test('a merge queue’s build is its pull request’s, and on no branch', async () => {
    const builds = await history(
      ['1', {}],
      ['2', { git: { branch: `refs/heads/gh-readonly-queue/main/pr-7-${sha('1')}` } }],
      ['3', {}],
    );
    expect(builds.get('2')).toMatchObject({ pull_request: 7, base: { rule: 'merge-parent', commit_sha: sha('1') } });
    expect(builds.get('3')?.base).toMatchObject({ build: builds.get('1')?.id, rule: 'previous-on-branch' });
  });
});

describe('of several builds of the base’s commit (rule 18)', () => {
  const flagged = (flags: readonly string[], fields: Fields) => async (token: string, number: string) => {
    for (const flag of flags) {
      const source_files = [sourceFile(`src/${flag}.ts`, [1, 0])];
      await service.upload({
        ...job({ repo_token: token, parallel: true }),
        service_number: number,
        flag_name: flag,
        source_files,
        ...fields,
      });
    }
    return service.close(token, number);
  };
  const COMMON = { commit_sha: sha('common') };

  test('the same service_name counts most, then most flags in common, then the newest', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    await flagged(['unit', 'e2e'], { ...COMMON, service_name: 'jenkins' })(token, '1');
    const both = await flagged(['unit', 'e2e'], COMMON)(token, '2');
    const one = await flagged(['unit'], COMMON)(token, '3');
    await flagged(['unit', 'e2e'], { ...COMMON, service_name: 'travis' })(token, '4');
    const asks = { compare_sha: sha('common') };
    expect((await flagged(['unit', 'e2e'], { ...asks, commit_sha: sha('5') })(token, '5')).base?.build).toBe(both.id);
    expect((await flagged(['unit'], { ...asks, commit_sha: sha('6') })(token, '6')).base?.build).toBe(one.id);
  });
});

describe('what is kept of the base (rule 19)', () => {
  test('the page says which one and why', async () => {
    const builds = await history(['1', {}], ['2', {}]);
    const path = `/builds/${builds.get('2')?.id}`;
    const page = await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } });
    expect(page.text).toContain(`<a href="/builds/${builds.get('1')?.id}">build 1</a>, previous on main`);
  });
});

describe('a build that an administrator takes out of the bases', () => {
  const setExcluded = async (build: BuildJson | undefined, excluded: boolean): Promise<void> =>
    expect((await put(`/api/v1/builds/${build?.id}/base`, { excluded })).status).toBe(200);
  const compared = (build: BuildJson | undefined, base: BuildJson | undefined) =>
    waitFor(
      async () => {
        const { state, base: taken } = await service.build(build?.id ?? '');
        return state === 'closed' && taken?.build === base?.id;
      },
      { what: `build ${build?.number} to be compared with build ${base?.number}` },
    );

  test('is the base again once that is taken back, though newer ones came by the same rule', async () => {
    const builds = await history(['1', {}], ['2', {}], ['3', pull(7)], ['4', pull(8)]);
    const [first, second, ours, theirs] = ['1', '2', '3', '4'].map((number) => builds.get(number));
    await compared(ours, second);
    await setExcluded(second, true);
    await compared(ours, first);
    await compared(theirs, first);
    await setExcluded(first, true);
    await compared(ours, undefined);
    await setExcluded(first, false);
    await compared(ours, first);
    await setExcluded(second, false);
    await compared(ours, second);
    await compared(theirs, second);
  });
});
