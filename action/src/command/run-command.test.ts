import { readFileSync } from 'node:fs';
import { nearestWord } from '@coverage/shared/nearest-word';
import { describe, expect, test } from 'vitest';
import { commandShell } from '../../../test/support/command-shell.ts';
import { ActionFailure } from '../runner/failure.ts';
import { COMMON_OPTIONS, parseArguments } from './parse-arguments.ts';
import { COMMANDS, runCommand } from './run-command.ts';
import type { Arguments, Command } from './shell/command.ts';

const run = async (...args: readonly string[]) => {
  const shell = commandShell();
  const code = await runCommand(args, shell);
  return { code, printed: shell.printed(), said: shell.said() };
};

describe('help', () => {
  test('without a command the commands are listed, and it is wrong use', async () => {
    const { code, printed, said } = await run();
    expect({ code, printed }).toEqual({ code: 2, printed: '' });
    for (const { name, summary } of COMMANDS) expect(said).toMatch(new RegExp(`  ${name} +${escaped(summary)}`));
  });

  test.each(COMMANDS.map(({ name }) => [name]))('of %s: usage, every option, examples, exit codes', async (name) => {
    const { code, printed } = await run(name, '--help');
    expect(code).toBe(0);
    expect(await run('help', name)).toEqual({ code: 0, printed, said: '' });
    const command = COMMANDS.find((one) => one.name === name) as Command;
    for (const option of [...command.options, ...COMMON_OPTIONS]) expect(printed).toContain(`--${option.name}`);
    for (const [line] of command.examples) expect(printed).toContain(`  coverage ${line}\n`);
    expect(printed).toContain(`Usage:\n  coverage ${name} ${command.usage}\n`);
    expect(printed).toMatch(/Exit codes:\n {2}0 +good\n/);
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))('the examples of %s parse', (_, command) => {
    for (const [line] of command.examples) {
      const [first, ...words] = line
        .replace(/ [>|].*/, '')
        .replaceAll('"', '')
        .split(' ');
      expect(first).toBe(command.name);
      expect(() => parseArguments(command, words)).not.toThrow();
    }
  });

  test('the version is one line', async () => {
    expect(await run('--version')).toEqual({ code: 0, printed: 'coverage 1.2.3\n', said: '' });
  });
});

describe('what is said of inputs', () => {
  test.each([
    ['check the URL in "coveralls-endpoint" or "server-url": no', 'check the URL in --endpoint: no'],
    ['Name your report in the input "file".', 'Name your report in --file.'],
    ['Inputs include and exclude leave out all', '--include and --exclude leave out all'],
    ['Input wait: there is no verdict', '--wait: there is no verdict'],
    ['"timeout" says how long, with the same "build-number"', '--timeout says how long, with the same --build-number'],
    ['Option --flag: expected one of a, b, got "file".', 'Option --flag: expected one of a, b, got "file".'],
    ['git: {"file":["name"],"name":"file"}', 'git: {"file":["name"],"name":"file"}'],
    ['"permissions: id-token: write", "needs", "nothing"', '"permissions: id-token: write", "needs", "nothing"'],
  ])('is said in the options of the command: %s', async (said, expected) => {
    const options = COMMANDS.find(({ name }) => name === 'report')?.options ?? [];
    const base = { name: 'one', summary: 'x', usage: 'x', examples: [], options };
    const shell = commandShell();
    const speaking: Command = {
      ...base,
      run: async (_, own) => {
        own.say(said);
        return 0;
      },
    };
    await runCommand(['one'], shell, [speaking]);
    expect(shell.said()).toBe(expected);
    const failing: Command = { ...base, run: () => Promise.reject(new ActionFailure('report-missing', said)) };
    await expect(runCommand(['one'], shell, [failing])).rejects.toMatchObject({
      code: 'report-missing',
      message: expected,
    });
  });
});

describe('options', () => {
  const of = (...args: readonly string[]): Arguments =>
    parseArguments({ name: 'report', options: COMMANDS.find(({ name }) => name === 'report')?.options ?? [] }, args);

  test('values, switches, letters, several values and operands, in any order', () => {
    const given = of(
      'a.info',
      '--job-flag=unit',
      '-p',
      '--include',
      'src/**',
      'b.info',
      '--include=lib/**',
      '--',
      '-c',
    );
    expect(given.operands).toEqual(['a.info', 'b.info', '-c']);
    expect(given.text('job-flag')).toBe('unit');
    expect(given.isOn('parallel')).toBe(true);
    expect(given.isOn('no-diff')).toBe(false);
    expect(given.texts('include')).toEqual(['src/**', 'lib/**']);
  });

  test('what the official client calls otherwise, or what it alone has, is taken', () => {
    const given = of('-junit', '-rTOKEN', '-p', '-n', '--no-logo', '--debug', '-q', '-b', 'web', '--build-number=7');
    expect([given.text('job-flag'), given.text('repo-token'), given.text('base-path')]).toEqual([
      'unit',
      'TOKEN',
      'web',
    ]);
    expect(given.isOn('verbose')).toBe(true);
    expect(of('--git-branch=x').text('service-branch')).toBe('x');
  });

  test.each([
    [['--paralel'], '"report" has no option --paralel. Did you mean --parallel?'],
    [['--zzz'], '"report" has no option --zzz. "report --help" lists them all.'],
    [['-z'], '"report" has no option -z. "report --help" lists them all.'],
    [['--parallel=yes'], 'Option --parallel takes no value, got "yes".'],
    [['--job-flag'], 'Option --job-flag needs a value: --job-flag=<name>.'],
    [['--send-source=some'], 'Option --send-source: expected one of all, changed, none, got "some".'],
  ])('%s is refused with what to write', (args, message) => {
    expect(() => of(...args)).toThrow(message);
  });
});

test('docs/command.md names every command and every option', () => {
  const page = readFileSync(new URL('../../../docs/command.md', import.meta.url), 'utf8');
  for (const { name, options } of COMMANDS) {
    expect(page).toContain(`**\`${name}\`**`);
    for (const option of [...options, ...COMMON_OPTIONS]) expect(page).toContain(`\`--${option.name}`);
  }
});

test('a mistyped command is told the nearest one', async () => {
  await expect(run('shwo')).rejects.toThrow('There is no command "shwo". Did you mean "show"?');
  await expect(run('frobnicate')).rejects.toThrow(/The commands are report, done, doctor/);
});

test.each([
  ['reprot', 'report'],
  ['comp', 'completions'],
  ['x', undefined],
  ['converts', 'convert'],
])('of "%s" the nearest is %s', (typed, nearest) => {
  expect(
    nearestWord(
      typed,
      COMMANDS.map(({ name }) => name),
    ),
  ).toBe(nearest);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
