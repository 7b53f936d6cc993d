import { nearestWord } from '@coverage/shared/nearest-word';
import { ActionFailure } from '../runner/failure.ts';
import { check } from './check.ts';
import { checkConfig } from './check-config.ts';
import { completionsOf } from './completions.ts';
import { doctor } from './doctor.ts';
import { helpOf, overview } from './help.ts';
import { importHistory } from './import-history.ts';
import { mcp } from './mcp.ts';
import { convert, merge } from './merge.ts';
import { migrate } from './migrate.ts';
import { parseArguments } from './parse-arguments.ts';
import { done, report } from './report.ts';
import { type Arguments, type Command, EXIT, type ExitCode, type Option, type Shell } from './shell/command.ts';
import { show } from './show.ts';
import { uncovered } from './uncovered.ts';

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);
const VERSION: ReadonlySet<string> = new Set(['version', '--version', '-v', '-V']);

/** Runs what was typed behind the program's name. Throws `ActionFailure` for anything that a person has to fix. */
export async function runCommand(args: readonly string[], shell: Shell, commands = COMMANDS): Promise<ExitCode> {
  const [first = '', ...rest] = args;
  if (first === '') {
    shell.say(overview(commands, shell));
    return EXIT.wrongUse;
  }
  if (VERSION.has(first)) {
    shell.print(`coverage ${shell.version}\n`);
    return EXIT.good;
  }
  if (HELP.has(first)) {
    shell.print(rest[0] === undefined ? overview(commands, shell) : helpOf(commandNamed(rest[0], commands), shell));
    return EXIT.good;
  }
  const command = commandNamed(first, commands);
  const given = parseArguments(command, rest);
  if (given.isOn('help')) {
    shell.print(helpOf(command, shell));
    return EXIT.good;
  }
  return runInItsWords(command, given, shell);
}

/** Reports and servers are spoken of as the action does, whose inputs are this command's options. */
async function runInItsWords(command: Command, given: Arguments, shell: Shell): Promise<ExitCode> {
  const reword = (sentence: string): string => inOptionWords(sentence, command.options);
  try {
    return await command.run(given, { ...shell, say: (line) => shell.say(reword(line)) });
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    throw new ActionFailure(error.code, reword(error.message), error);
  }
}

function commandNamed(name: string, commands: readonly Command[]): Command {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command;
  const names = commands.map((one) => one.name);
  throw new ActionFailure('bad-input', unknownCommand(name, { nearest: nearestWord(name, names), names }));
}

function unknownCommand(
  name: string,
  { nearest, names }: { readonly nearest: string | undefined; readonly names: readonly string[] },
): string {
  const hint = nearest === undefined ? `The commands are ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `There is no command "${name}". ${hint}`;
}

/** Every command, in the order of the help: a new one is a file of its own and a line here. */
export const COMMANDS: readonly Command[] = [
  report,
  done,
  doctor,
  show,
  uncovered,
  check,
  checkConfig,
  mcp,
  merge,
  convert,
  migrate,
  importHistory,
  completionsOf(() => COMMANDS),
];

/**
 * A sentence about inputs of the action in the words of a command: the names of inputs are names of its options, or
 * other names of them. What somebody typed (`got "x"`) and JSON stay as they are.
 */
function inOptionWords(sentence: string, options: readonly Option[]): string {
  const byName = new Map(options.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name])));
  const optionOf = (found: string, name: string): string => (byName.has(name) ? `--${byName.get(name)}` : found);
  const said = sentence
    .replace(/\bInputs ([a-z-]+) (and|or) ([a-z-]+)/g, (found, first: string, word: string, second: string) =>
      byName.has(first) && byName.has(second) ? `${optionOf(found, first)} ${word} ${optionOf(found, second)}` : found,
    )
    .replace(/\bInput ([a-z-]+):/g, (found, name: string) => (byName.has(name) ? `${optionOf(found, name)}:` : found))
    .replace(/(?<!got |[{,:[])(?:the input )?"([a-z-]+)"/g, optionOf);
  return nameOnce(said.split(' ')).join(' ');
}

/** `--file or --file,` is `--file,`: two inputs may be one option. */
function nameOnce(words: readonly string[]): readonly string[] {
  const isTwin = (at: number): boolean => {
    const [option = '', second = ''] = [words[at], words[at + 2]];
    return words[at + 1] === 'or' && /^--[a-z-]+$/.test(option) && /^--[a-z-]+/.exec(second)?.[0] === option;
  };
  return words.filter((_, at) => !isTwin(at) && !isTwin(at - 1));
}
