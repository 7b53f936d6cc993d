import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandShell, givenArguments } from '../../../test/support/command-shell.ts';
import { runCommand } from './run-command.ts';
import type { Shell } from './shell/command.ts';
import { choosePaint, safeText } from './shell/terminal-text.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'show-')));
  writeFileSync(join(folder, 'cart.js'), 'one();\n\ttwo("\u001b[2J");\nthree();\nfour();\nfive();\n');
  writeFileSync(
    join(folder, 'lcov.info'),
    [
      'SF:cart.js\nDA:1,1\nDA:2,0\nDA:3,4\nDA:5,0\nBRDA:3,0,0,4\nBRDA:3,0,1,0\nend_of_record',
      'SF:lib/deep/\u001b[31mred\u202e.js\nDA:1,1\nend_of_record',
      'SF:lib/deep/money.js\nDA:1,0\nDA:2,0\nDA:3,1\nend_of_record\n',
    ].join('\n'),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const show = async (...args: readonly string[]): Promise<string> => {
  const shell = commandShell({ folder });
  expect(await runCommand(['show', ...args], shell)).toBe(0);
  return shell.printed();
};

describe('show', () => {
  test('a table with the total of lines and branches', async () => {
    expect(await show()).toBe(
      [
        'File                           Lines  Branches  Coverage',
        'cart.js                          2/4       1/2    50.00%',
        'lib/deep/\\x1b[31mred\\u202e.js    1/1         —   100.00%',
        'lib/deep/money.js                1/3         —    33.33%',
        'Total                            4/8       1/2    50.00%',
        '',
      ].join('\n'),
    );
    const sorted = (await show('--sort=coverage')).split('\n').map((line) => line.split(' ')[0]);
    expect(sorted.slice(1, 3)).toEqual(['lib/deep/money.js', 'cart.js']);
    expect((await show('--sort=missed')).split('\n')[1]).toMatch(/^cart\.js/);
  });

  test('a tree with the totals of folders', async () => {
    expect((await show('--tree')).split('\n')).toEqual([
      'File                        Lines  Branches  Coverage',
      '├─ lib/deep/                  2/4         —    50.00%',
      '│  ├─ \\x1b[31mred\\u202e.js    1/1         —   100.00%',
      '│  └─ money.js                1/3         —    33.33%',
      '└─ cart.js                    2/4       1/2    50.00%',
      'Total                         4/8       1/2    50.00%',
      '',
    ]);
  });

  test('uncovered lines with their text, and nothing in it moves the cursor', async () => {
    expect(await show('--uncovered', '--include=cart.js')).toBe(
      [
        'cart.js  50.00%',
        '  2 │     two("\\x1b[2J");',
        '  3 │ three();  1 of 2 branches taken',
        '  ·',
        '  5 │ five();',
        '',
      ].join('\n'),
    );
    expect(await show('--uncovered', '--include=lib/**')).toContain('the text of this file is not here');
    expect(await show('--uncovered', '--include=lib/**/*red*')).toBe('Every relevant line is covered.\n');
  });

  test('JSON holds what the other views show', async () => {
    expect(JSON.parse(await show('--json', '--include=cart.js'))).toEqual({
      totals: { lines: { covered: 2, all: 4 }, branches: { covered: 1, all: 2 } },
      reports: [{ path: 'lcov.info', format: 'lcov' }],
      files: [
        {
          name: 'cart.js',
          lines: { covered: 2, all: 4 },
          branches: { covered: 1, all: 2 },
          uncovered_lines: [2, 5],
          partial_lines: [{ line: 3, covered: 1, all: 2 }],
        },
      ],
    });
  });

  test('two views at once are refused', async () => {
    await expect(show('--json', '--tree')).rejects.toThrow('one of --tree, --uncovered and --json');
  });
});

test.each<[string, Partial<Shell>, Record<string, string | true>, boolean]>([
  ['a pipe', {}, {}, false],
  ['a terminal', { terminal: { columns: 80 } }, {}, true],
  ['a terminal, and NO_COLOR', { terminal: { columns: 80 }, env: { NO_COLOR: '1' } }, {}, false],
  ['a terminal that can do nothing', { terminal: { columns: 80 }, env: { TERM: 'dumb' } }, {}, false],
  ['a pipe, and FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, {}, true],
  ['a pipe, and --color=always against NO_COLOR', { env: { NO_COLOR: '1' } }, { color: 'always' }, true],
  ['a terminal, and --no-color', { terminal: { columns: 80 } }, { 'no-color': true }, false],
])('colors: %s', (_, shell, options, isColored) => {
  const paint = choosePaint(givenArguments(options), commandShell(shell));
  expect(paint.bad('x') !== 'x').toBe(isColored);
});

test('what a terminal acts on is written out, and plain text is not', () => {
  expect(safeText('a\u001b]0;b\u0007\r\n\u0085\u2028\u202e\ufeff\ud800')).toBe(
    'a\\x1b]0;b\\x07\\x0d\\x0a\\x85\\u2028\\u202e\\ufeff\\ud800',
  );
  expect(safeText('Größe/日本語/💛.ts')).toBe('Größe/日本語/💛.ts');
});
