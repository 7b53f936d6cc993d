import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { gitEnvironment, settingsEnvironment, settingVariables, withoutWorkspacePath } from './git-environment.ts';

const env = {
  Path: '/bin',
  TMPDIR: '/tmp',
  https_proxy: 'http://proxy',
  GIT_SSL_CAINFO: '/ca.pem',
  HOME: '/home/runner',
  'INPUT_REPO-TOKEN': 'secret',
  GITHUB_TOKEN: 'secret',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  COVERALLS_REPO_TOKEN: 'secret',
  GIT_EXTERNAL_DIFF: 'evil',
  GIT_SSH_COMMAND: 'evil',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.pager',
  GIT_CONFIG_VALUE_0: 'evil',
  GIT_CONFIG_GLOBAL: '/home/runner/.other',
  LD_PRELOAD: undefined,
};

test('git gets what it needs of the machine, and nothing of the step', () => {
  const given = gitEnvironment(env, { folder: '/own' });
  expect(given).toMatchObject({ Path: '/bin', TMPDIR: '/tmp', https_proxy: 'http://proxy', GIT_SSL_CAINFO: '/ca.pem' });
  expect(given).toMatchObject({ HOME: '/own', GIT_DIR: '/own', GIT_CONFIG_GLOBAL: '/dev/null' });
  expect(given.GIT_ALLOW_PROTOCOL).toBe('none');
  expect(Object.values(given).filter((value) => ['secret', 'evil'].includes(value))).toEqual([]);
  expect(Object.keys(given)).not.toContain('GIT_CONFIG_COUNT');
  expect(gitEnvironment(env, { folder: '/own', transports: ['https'] }).GIT_ALLOW_PROTOCOL).toBe('https');
});

test("the machine's own settings are read where it keeps them", () => {
  const given = settingsEnvironment(env, '/own');
  expect(given).toMatchObject({ HOME: '/home/runner', GIT_CONFIG_GLOBAL: '/home/runner/.other', GIT_DIR: '/own' });
  expect(Object.values(given).filter((value) => ['secret', 'evil'].includes(value))).toEqual([]);
});

test('settings for one run', () => {
  expect(settingVariables([['http.proxy', 'x']])).toEqual({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.proxy',
    GIT_CONFIG_VALUE_0: 'x',
  });
});

test('no folder of the workspace is searched for programs, by whatever name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'path-'));
  const [workspace, outside, link] = ['work', 'tools', 'link'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [join(workspace, 'bin'), outside]) mkdirSync(made, { recursive: true });
  symlinkSync(join(workspace, 'bin'), link);
  const path = [workspace, join(workspace, 'bin'), join(workspace, 'missing'), `${outside}/../work/bin`, link];
  const searched = (...folders: string[]) => withoutWorkspacePath({ Path: folders.join(delimiter), A: 'b' }, workspace);
  expect(searched(...path, '', '.', 'bin', outside, `${workspace}2`)).toEqual({
    Path: [outside, `${workspace}2`].join(delimiter),
    A: 'b',
  });
  expect(searched(...path)).toEqual({ A: 'b' });
  rmSync(folder, { recursive: true });
});
