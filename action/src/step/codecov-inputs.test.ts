import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CODECOV_INPUTS } from './codecov-inputs.ts';
import { failsStep, type Inputs, readInputs } from './inputs.ts';

const REPO = 'octo/shop';
const DEFAULTS: Record<string, string> = {
  'server-url': 'https://cov.example',
  'dry-run': 'false',
  'allow-empty': 'false',
};
const read = (inputs: Record<string, string>): Promise<Inputs> =>
  readInputs({
    input: (name) => ({ ...DEFAULTS, ...inputs })[name] ?? '',
    env: { GITHUB_REPOSITORY: REPO, GITHUB_WORKSPACE: '/work/shop', GITHUB_EVENT_NAME: 'push' },
    maskSecret: () => undefined,
    readEvent: async () => ({}),
  });

const TOKEN = { token: 'tok' };
const ALONE = { ...TOKEN, disable_search: 'true', files: 'a.xml' };

/** Inputs of codecov/codecov-action@v5 that mean something here, and what they do. */
const CASES: readonly (readonly [name: string, text: string, expected: Partial<Inputs> | string])[] = [
  ['token', 'tok', { token: 'tok' }],
  ['flags', 'unit', { flagName: 'unit' }],
  ['flags', 'unit,api', 'Input flags: expected one flag, got "unit,api".'],
  ['files', 'a.xml,b.xml', { files: ['a.xml', 'b.xml'] }],
  ['files', './a.xml, ./b.xml', { files: ['a.xml', 'b.xml'] }],
  ['files', 'cov/{a,b}.xml', { files: ['cov/{a,b}.xml'] }],
  ['dry_run', 'true', { dryRun: true }],
  ['dry_run', 'false', { dryRun: false }],
  ['override_commit', 'A'.repeat(40), { gitCommit: 'a'.repeat(40) }],
  ['override_branch', 'topic', { gitBranch: 'topic' }],
  ['override_build', '12', { buildNumber: '12' }],
  ['override_pr', '7', { pullRequest: '7' }],
  ['override_pr', 'seven', 'Input override_pr: expected the number of a pull request, got "seven".'],
  ['handle_no_reports_found', 'true', { allowEmpty: true }],
  ['directory', 'out', { place: { folder: resolve('/work/shop/out'), root: '/work/shop' } }],
  ['working-directory', 'backend', { place: { folder: resolve('/work/shop/backend'), root: '/work/shop' } }],
  ['use_oidc', 'true', 'Input repo-token: give the repo token'],
  ['use_oidc', 'false', { token: 'tok' }],
  ['slug', 'Octo/Shop', { token: 'tok' }],
  ['slug', 'octo/other', 'Input slug: expected octo/shop, got "octo/other".'],
  ['report_type', 'coverage', { token: 'tok' }],
  ['report_type', 'test_results', 'Input report_type: expected coverage, got "test_results".'],
  ['root_dir', '.', { token: 'tok' }],
  ['root_dir', 'backend', 'Input root_dir: expected the root of the checkout, got "backend".'],
  ['disable_search', 'true', 'Input disable_search: nothing would be uploaded'],
  ['exclude', 'dist', 'Input exclude: got "dist" beside inputs of codecov/codecov-action'],
  ['plugins', 'noop', { token: 'tok' }],
  ...['gcov_args', 'gcov_executable', 'gcov_ignore', 'gcov_include', 'network_prefix', 'plugins', 'run_command'].map(
    (name) => [name, 'x', `Input ${name}: expected nothing, got "x".`] as const,
  ),
];

describe('a workflow of codecov/codecov-action that changed its uses alone', () => {
  test.each(CASES)('%s: %s', async (name, text, expected) => {
    const reading = read({ ...TOKEN, [name]: text });
    if (typeof expected === 'string') await expect(reading).rejects.toThrow(expected);
    else expect(await reading).toMatchObject(expected);
  });

  test('every other input is ignored, and said', async () => {
    const named = new Set(CASES.map(([name]) => name));
    const others = CODECOV_INPUTS.filter((name) => !named.has(name) && name !== 'fail_ci_if_error');
    expect(others.length).toBeGreaterThan(20);
    for (const name of others) {
      const { notices } = await read({ ...ALONE, [name]: 'something' });
      expect(notices).toContain(`Inputs of codecov/codecov-action that have no effect here: ${name}.`);
    }
    expect((await read({ ...ALONE, verbose: 'false', skip_validation: 'false' })).notices).toHaveLength(1);
  });

  test('fail_ci_if_error decides of both kinds of failure', () => {
    const fails = (inputs: Record<string, string>) =>
      [true, false].map((ofServer) => failsStep({ input: (name) => inputs[name] ?? '' }, { ofServer }));
    expect(fails({ fail_ci_if_error: 'true', 'fail-on-server-error': 'false' })).toEqual([true, true]);
    expect(fails({ fail_ci_if_error: 'false', 'fail-on-error': 'true' })).toEqual([false, false]);
    expect(fails({ 'fail-on-error': 'true', 'fail-on-server-error': 'false' })).toEqual([false, true]);
  });

  test('names are of the working directory; exclude means nothing where nothing is searched', async () => {
    const given = { ...ALONE, files: 'a.xml,/tmp/b.xml', 'working-directory': './backend', exclude: 'dist' };
    expect(await read(given)).toMatchObject({ files: ['backend/a.xml', '/tmp/b.xml'], choice: { exclude: [] } });
    expect((await read({ ...TOKEN, files: 'a.xml' })).notices).toContain(
      'Only the files that you name are uploaded; the step does not search for others.',
    );
  });

  test('this action’s own exclude is as before without such inputs', async () => {
    expect(await read({ 'repo-token': 'tok', exclude: '**/*.test.ts' })).toMatchObject({
      choice: { exclude: ['**/*.test.ts'] },
    });
  });
});
