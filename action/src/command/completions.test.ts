import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandShell } from '../../../test/support/command-shell.ts';
import { COMMANDS, runCommand } from './run-command.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completions-'));
  writeFileSync(join(folder, 'lcov.info'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const scriptFor = async (...args: readonly string[]): Promise<string> => {
  const shell = commandShell();
  await runCommand(['completions', ...args], shell);
  return shell.printed();
};

test('bash completes commands, options, their values and files', async () => {
  const script = await scriptFor('bash');
  const asked: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
    [['coverage', 're'], ['report']],
    [['coverage', 'help', 'sh'], ['show']],
    [['coverage', 'show', '--tr'], ['--tree']],
    [['coverage', 'report', '--send'], ['--send-source=']],
    [['coverage', 'report', '--send-source', '=', 'ch'], ['changed']],
    [
      ['coverage', 'merge', '--to', '='],
      ['lcov', 'cobertura', 'coveralls'],
    ],
    [['coverage', 'merge', '--output', '=', 'lc'], ['lcov.info']],
    [['coverage', 'show', 'lc'], ['lcov.info']],
    [
      ['coverage', 'completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ];
  const calls = asked.map(
    ([words]) =>
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; ` +
      `_coverage_completions; echo "\${COMPREPLY[*]}"`,
  );
  const answers = execFileSync('bash', ['--norc', '-c', `${script}\n${calls.join('\n')}`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(answers.trimEnd().split('\n')).toEqual(asked.map(([, offered]) => offered.join(' ')));
});

test.each(['zsh', 'fish', 'bash'])('%s knows every command and every option', async (kind) => {
  const script = await scriptFor(kind, '--name=coverage-service');
  expect(script).toContain('coverage-service');
  for (const { name, options } of COMMANDS) {
    expect(script).toContain(name);
    for (const option of options) expect(script).toContain(kind === 'fish' ? `-l ${option.name}` : `--${option.name}`);
  }
});

test('another shell and a name that is none are refused', async () => {
  await expect(scriptFor('tcsh')).rejects.toThrow('Name one shell: bash, zsh, fish.');
  await expect(scriptFor('bash', '--name=a b')).rejects.toThrow('expected the name of a program');
});
