import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandShell } from '../../../test/support/command-shell.ts';
import { runCommand } from './run-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function run(...args: readonly string[]) {
  const shell = commandShell({ folder });
  const code = await runCommand(['check-config', ...args], shell);
  return { code, printed: shell.printed(), said: shell.said() };
}

test('the file of this folder, and the one that is not read', async () => {
  put('.coverage-service.yml', 'total: { minimum: 80 }\n');
  expect(await run()).toEqual({ code: 0, printed: 'Valid: .coverage-service.yml\n', said: '' });
  put('.github/coverage.yml', 'total: off\n');
  expect(await run()).toEqual({
    code: 0,
    printed: 'Valid: .github/coverage.yml\n',
    said: '.coverage-service.yml is not read, because .github/coverage.yml is there. Keep one of them.',
  });
});

test('each problem with its place, for people and programs', async () => {
  put('new.yml', 'total: { target: 80 }\nuploads: x\n');
  const { code, printed } = await run('new.yml');
  expect(code).toBe(1);
  expect(printed).toBe(
    'new.yml:1:10: `target` isn’t a known key of `total`. Did you mean `minimum`?\n' +
      'new.yml:2:10: `uploads` must be a whole number from 1 to 1000, or `run`, not `x`.\n' +
      'Not valid: new.yml is not used until this is fixed.\n',
  );
  expect(JSON.parse((await run('--json', 'new.yml')).printed)).toMatchObject({
    path: 'new.yml',
    valid: false,
    problems: [
      { line: 1, column: 10 },
      { line: 2, column: 10 },
    ],
  });
});

test.each([
  [[], 'There is no .github/coverage.yml and no .coverage-service.yml here. Name the file to check.'],
  [['gone.yml'], 'There is no file gone.yml that can be read.'],
  [['a.yml', 'b.yml'], 'check-config takes one file, got 2. Check them one by one.'],
])('%j', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test('its help has examples', async () => {
  expect((await run('--help')).printed).toContain('Check another file, with JSON output.');
});

test('of a large file its size is said', async () => {
  put('.github/coverage.yml', 'x'.repeat(70_000));
  expect((await run()).printed).toContain('has 70000 bytes. At most 65536');
});
